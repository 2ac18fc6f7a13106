"""What every screen can do: cli/screen/terminal.py has the plain one, cli/screen/rich.py the one with colours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

Part = str | tuple[str, str]  # a text, or a text and its style: good bad quiet added removed strong thought


class Screen(Protocol):
    """Where lines go. Every text has been made harmless before it comes here."""

    utf8: bool

    @property
    def width(self) -> int: ...
    def line(self, *parts: Part) -> None: ...
    def text(self, delta: str, style: str) -> None: ...
    def end_text(self) -> None: ...
    def status(self, status: Callable[[], str] | None) -> None: ...
    def pause(self) -> None: ...
