"""What is kept of a run, from Python: its trace, its page, what it changed, and how to take that back."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from records.undo.undo import Undone


@dataclass(frozen=True)
class Kept:
    """A run that was kept, by its folder. What cannot be done raises ConfigError, with the next step."""

    folder: Path

    @property
    def name(self) -> str:
        """What --runs, --view and --undo of the command line call it."""
        return self.folder.name

    def trace(self) -> list[dict[str, Any]]:
        """What happened, in order: docs/trace-format.md describes every line."""
        from records.folders import read_events

        return list(read_events(self.folder))

    def page(self) -> Path:
        """Write the run as one page that needs no network; return its path."""
        from records.page import write_page

        return write_page([self.folder])

    def diff(self) -> str:
        """What the run changed, as a patch."""
        from records.undo.undo import diff

        return diff(self.folder).decode("utf-8", "backslashreplace")

    def undo(self, *, force: bool = False) -> Undone:
        """Put back what the run changed. Raises ConfigError where somebody changed it since (`force` overrules)."""
        from records.undo.undo import undo

        return undo(self.folder, self.folder.parent, force=force)
