"""A screen with colours and a status line at its foot, drawn by rich. Imported only where a terminal can show it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TextIO

from rich.console import Console, Group
from rich.live import Live
from rich.padding import Padding
from rich.text import Text


def styles(good: str, bad: str, quiet: str, thought: str) -> dict[str, str]:
    """What rich is told for each kind of text, by its name."""
    marks = {"good": good, "bad": bad, "added": good, "removed": bad}
    return {"": "", "strong": "bold", "quiet": quiet, "thought": thought, **marks}


THEMES = {
    "terminal": styles("green", "red", "bright_black", "italic bright_black"),
    "light": styles("#2b6a30", "#ab2b20", "#5c6166", "italic #5c6166"),
    "dark": styles("#8fd08f", "#ff9a8d", "#a4abb0", "italic #a4abb0"),
    "contrast": styles("bold", "reverse", "", "italic"),
}
REFRESHED = 8  # times a second


class RichScreen:
    """Whole lines scroll; the line that is being streamed and the status stand below them and change in place."""

    def __init__(self, stream: TextIO, console: Console | None = None, *, theme: str = "terminal") -> None:
        self.styles = THEMES[theme]
        self.console = console or Console(file=stream, highlight=False, markup=False, emoji=False, soft_wrap=False)
        self.utf8 = (self.console.encoding or "").lower().replace("-", "").startswith("utf8")
        self._streamed, self._style = "", ""
        self._status: Callable[[], str] | None = None
        self._live: Live | None = None

    @property
    def width(self) -> int:
        return self.console.width

    def line(self, *parts: str | tuple[str, str]) -> None:
        self.end_text()
        line = self.assemble(parts)
        indent = len(line.plain) - len(line.plain.lstrip(" "))
        # A line that wraps goes on below its own beginning.
        self.console.print(Padding(line[indent:], (0, 0, 0, indent), expand=False) if indent else line)

    def text(self, delta: str, style: str) -> None:
        if style != self._style:
            self.end_text()
        self._style = style
        *whole, self._streamed = (self._streamed + delta).split("\n")
        for line in whole:
            self.console.print(Text(line, self.styles[style]))

    def end_text(self) -> None:
        streamed, self._streamed = self._streamed, ""
        if streamed:
            self.console.print(Text(streamed, self.styles[self._style]))

    def status(self, status: Callable[[], str] | None) -> None:
        self._status = status
        if status is None:
            self.pause()
        elif self._live is None:
            self._live = Live(
                get_renderable=self._foot,
                console=self.console,
                refresh_per_second=REFRESHED,
                transient=True,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self._live.start()
        else:
            self._live.refresh()

    def pause(self) -> None:
        """Take the foot away, so that something else can use the terminal. The next status brings it back."""
        live, self._live = self._live, None
        if live:
            live.stop()

    def _foot(self) -> Group:
        # The end of a long streamed line is what is new; it moves up whole when it is complete.
        streamed = Text(self._streamed[-2 * self.width :], self.styles[self._style])
        status = Text(self._status() if self._status else "", self.styles["quiet"], no_wrap=True, overflow="ellipsis")
        return Group(streamed, status) if self._streamed else Group(status)

    def assemble(self, parts: tuple[str | tuple[str, str], ...]) -> Text:
        """The parts of a line in their styles; nothing in them is markup."""
        line = Text()
        for part in parts:
            text, style = (part, "") if isinstance(part, str) else part
            line.append(text, self.styles[style])
        return line
