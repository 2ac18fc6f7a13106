"""The files of a working directory, looked at again and again."""

from collections.abc import Callable, Sequence

from sandbox.files.off_limits import parts_of
from sandbox.files.root import IGNORED, Entry, Refusal, Root


class Look:
    """Which files are there and what each says of itself. Every file is asked at every look, as an edit in place shows
    nowhere else; but of a directory where nothing changed what was made of the answers is used again, which among many
    files takes longer than to ask. Safe for use from several threads."""

    def __init__(self, root: Root, wanted: Callable[[str, Entry], bool]) -> None:
        self._root, self._wanted = root, wanted
        self._known: dict[str, _Folder] = {}

    def __call__(self) -> dict[str, Entry]:
        """The wanted files that `Root.walk` finds, with their paths: those of a directory before those below it."""
        there: dict[str, Entry] = {}
        known, waiting = dict[str, _Folder](), [""]
        while waiting:
            path = waiting.pop()
            old = self._known.get(path)
            try:
                entries = self._root.entries(path, old.entries if old else ())
            except Refusal:
                if not path:
                    raise
                continue
            known[path] = old if old and old.entries is entries else _Folder(path, entries, self._wanted)
            there |= known[path].files
            waiting += known[path].below
        self._known = known
        return there


class _Folder:
    """One directory, as it was seen."""

    def __init__(self, path: str, entries: Sequence[Entry], wanted: Callable[[str, Entry], bool]) -> None:
        self.entries = entries
        inside = [(f"{path}/{entry.name}" if path else entry.name, entry) for entry in entries]
        files = [(path, entry) for path, entry in inside if entry.kind == "file" and wanted(path, entry)]
        self.files = {path: entry for path, entry in files if _is_path(path)}
        folders = [path for path, entry in inside if entry.kind == "directory" and entry.name not in IGNORED]
        self.below = folders[::-1]  # the last is looked at first


def _is_path(path: str) -> bool:
    try:
        return bool(parts_of(path, "list"))
    except Refusal:
        return False
