"""The store of a repository: that all of it lies where it seems to, and that what git writes to it stays in it."""

import os
import stat
from pathlib import Path

from sandbox.files.root import Refusal

_OBJECTS = ("objects", "lfs", "annex")  # content is written once, under a new name, and never again
_NOT_READ = "hooks"  # switched off; people keep links to their scripts in there
_ELSEWHERE = "The repository's store lies elsewhere, and does not point back here, so it is not used"


def store_of(top: Path) -> tuple[str, Path]:
    """The store of the repository at `top` as a path from there, and where all of it lies. Raises Refusal for one that
    leads elsewhere, and for another user's: git's own look at who owns it is passed over when it is named, as it is."""
    store = top / ".git"
    status = store.lstat()
    if stat.S_ISREG(status.st_mode):
        linked = _linked(store)
        return str(linked), linked.parent.parent
    if not stat.S_ISDIR(status.st_mode):
        raise Refusal("The repository's store is a link, which is not followed", "symlink")
    if status.st_uid != os.geteuid():
        raise Refusal("The repository belongs to another user of this machine, so git is not used on it", "denied")
    if os.path.lexists(store / "commondir"):
        raise Refusal('The repository\'s store leads elsewhere ("commondir"), so git is not used on it', "denied")
    return ".git", store


def _linked(pointer: Path) -> Path:
    """The store of a linked worktree: only one that points back, in a whole store, as `git worktree add` leaves it."""
    words = pointer.read_text(encoding="utf-8", errors="replace").strip().partition("gitdir: ")[2]
    store = Path(os.path.normpath(pointer.parent / words))
    whole = store.parent.parent
    try:
        back = Path((store / "gitdir").read_text(encoding="utf-8").strip())
        same = os.path.samefile(back, pointer) and (store / "commondir").read_text(encoding="utf-8").strip() == "../.."
        ours = {place.lstat().st_uid for place in (store, whole)} == {os.geteuid()}
    except (OSError, ValueError):
        raise Refusal(_ELSEWHERE, "denied") from None
    if not (same and ours and store.parent.name == "worktrees" and whole.name == ".git"):
        raise Refusal(_ELSEWHERE, "denied")
    return store


def refuse_what_leads_elsewhere(store: Path, *, writing: bool) -> None:
    """Raise Refusal for a link anywhere in a store: git would read, and write, where it leads. Where git is to write,
    also for a file with another name elsewhere, to which it would append (the log of HEAD of a `cp -al` copy)."""
    waiting = [str(store)]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        if entry.name != _NOT_READ:
                            waiting.append(entry.path)
                    elif not entry.is_file(follow_symlinks=False):
                        raise _leads_elsewhere(store, entry, "is a link or no plain file")
                    elif writing and entry.stat(follow_symlinks=False).st_nlink > 1 and _is_written_to(store, entry):
                        raise _leads_elsewhere(
                            store, entry, "has another name elsewhere (cp -al); copy the folder anew"
                        )
        except OSError as error:
            raise Refusal(f"The repository's store cannot be looked through: {error.strerror}", "denied") from error


def _is_written_to(store: Path, entry: os.DirEntry[str]) -> bool:
    return Path(entry.path).relative_to(store).parts[0] not in _OBJECTS


def _leads_elsewhere(store: Path, entry: os.DirEntry[str], why: str) -> Refusal:
    name = Path(entry.path).relative_to(store)
    return Refusal(f'The repository\'s store leads elsewhere, so git is not used on it: "{name}" {why}', "denied")
