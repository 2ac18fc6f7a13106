"""What suggest_repair and apply_repair hold: the changes that a search has found, and the texts that it was made in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sandbox.files.root import Entry, Refusal, Root
from sandbox.running.reports import refuse_unconfined

if TYPE_CHECKING:
    from offline.repair.repair import Finding, Repair

SECONDS = 40.0  # a search at most; most bugs of one line are found in two
MOST_CHARACTERS = 2_000_000  # of all files together: more are not searched
LARGEST_FILE = 200_000  # bytes


class Suggestions:
    """The changes that were found last in a working directory, by their numbers, and the files that they are for.

    A job that offers the two tools holds one of these as the resource "suggestions". It has nothing to close.
    """

    def __init__(self, root: Root) -> None:
        self.root = root
        self.files: dict[str, str] = {}
        self.found: list[Repair] = []
        self._start: tuple[dict[str, str], list[Repair]] | None = None  # of the first search

    def search(self) -> Finding:
        """Search anew, and keep what makes all tests pass. Where files have changed since the first search it begins
        at those lines, to finish what was tried; beside that stands what it then found for the files as they were, and
        the smaller change in all comes first. Raises Refusal where code may not run, or for too much."""
        # Some 60 modules, which only this needs.
        from offline.repair.repair import in_place_of, nearest_first, repair, tried_lines

        refuse_unconfined(self.root)
        self.files, self.found = texts_in(self.root), []
        before, earlier = self._start or (self.files, [])
        tried = tried_lines(before, self.files)
        finding = repair(self.files, seconds=SECONDS, cancelled=self.root.cancelled, first=tried)
        self.found = [each for each in (finding.repair, finding.runner_up) if each]
        if tried and finding.status != "nothing_to_fix":
            known = [change for each in earlier[:1] if (change := in_place_of(each, before, self.files))]
            self.found = nearest_first([*self.found, *known], before, self.files)
        self._start = self._start or (self.files, self.found)
        return finding

    @property
    def stale(self) -> bool:
        """Whether the files are not those that were searched."""
        try:
            return bool(self.files) and texts_in(self.root) != self.files
        except Refusal:  # too much for a search by now
            return False


def texts_in(root: Root) -> dict[str, str]:
    """Path and text of the files that a search may need. Raises Refusal where they are too many for one."""

    def wanted(path: str, entry: Entry) -> bool:
        return entry.size <= LARGEST_FILE

    texts: dict[str, str] = {}
    room = MOST_CHARACTERS
    for path, data in root.contents(wanted=wanted, limit=LARGEST_FILE):
        try:
            text = data.removeprefix(b"\xef\xbb\xbf").decode().replace("\r\n", "\n")
        except UnicodeDecodeError:
            continue
        room -= len(text)
        if room < 0:
            raise Refusal(
                f"More than {MOST_CHARACTERS:,} characters of text are too many for this search; look for the bug "
                "with run_tests and get_file_content",
                "too_large",
            )
        texts[path] = text
    return texts
