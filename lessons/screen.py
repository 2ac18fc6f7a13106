"""How the walk draws: with rich where the terminal can, else as plain text of the same content, at any width.

On a terminal no more than a screen is shown at once: what is more is held back until the learner has read so far.
Whoever asked for plain text, for a screen reader perhaps, gets all of it.
"""

from __future__ import annotations

import contextlib
import shutil
import sys
import textwrap
from itertools import groupby
from operator import itemgetter
from typing import Any, TextIO

from config import environment_of
from lessons import words
from lessons.checking import printable
from lessons.pages import Block, Span, blocks, cut, fold

WIDEST, NARROWEST = 88, 20
FEWEST_ROWS = 10
STYLES = {
    "": "",
    "ok": "green",
    "failed": "bold red",
    "skipped": "yellow",
    "quiet": "dim",
    "title": "bold cyan",
    "code": "cyan",
    "strong": "bold",
    "link": "underline",
    "lit": "bold reverse",
}


def wants_plain(stream: TextIO) -> bool:
    """Whether colours and boxes would be noise: a pipe, a screen reader's setting, a terminal that cannot."""
    told = environment_of(("NO_COLOR", "TERM"))
    if not stream.isatty() or told.get("NO_COLOR") or told.get("TERM", "dumb") == "dumb":
        return True
    return "utf" not in (stream.encoding or "").lower()


class Screen:
    """Writes paragraphs, code, rows and titles to a stream; nothing is ever drawn over."""

    def __init__(self, stream: TextIO | None = None, *, plain: bool = False) -> None:
        self.stream = stream or sys.stdout
        self.held: list[list[Span]] = []  # lines for which there was no room
        self.asked = False  # whether the learner was told that there is more
        self.room: int | None = None  # lines until the screen is full; None where all is shown at once
        self.paged = self.stream.isatty() and not plain
        self.console: Any = None
        if not (plain or wants_plain(self.stream)):
            with contextlib.suppress(ModuleNotFoundError):  # without rich it is plain text
                from rich.console import Console

                self.console = Console(file=self.stream, highlight=False, soft_wrap=True)

    @property
    def width(self) -> int:
        return max(NARROWEST, min(WIDEST, self.size.columns))

    @property
    def size(self) -> Any:
        return shutil.get_terminal_size((80, 24))

    @property
    def one_key(self) -> bool:
        """Whether a command may be one key without Enter: not where a program listens, or a screen reader reads."""
        return self.console is not None and sys.stdin.isatty()

    def page(self) -> None:
        """A new screen begins: what was held back is dropped."""
        self.held, self.asked = [], False
        self.room = max(FEWEST_ROWS, self.size.lines) - 2 if self.paged else None

    def more(self) -> None:
        """Show what was held back, as far as there is room."""
        lines = self.held
        self.page()
        for line in lines:
            self.spans(line)

    def spans(self, line: list[Span]) -> None:
        """One line as it is, already short enough; or hold it back."""
        if self.held or self.room == 0:
            self.held.append(line)
            return
        if self.room is not None:
            self.room -= 1
        self.draw(line)

    def draw(self, line: list[Span]) -> None:
        """One line, whether there is room or not. What a model or a document says in it, no terminal obeys."""
        line = [(printable(text), look) for text, look in line]
        if self.console is not None:
            from rich.text import Text

            pieces = (("".join(text for text, _ in run), STYLES[look]) for look, run in groupby(line, itemgetter(1)))
            self.console.print(Text.assemble(*pieces), markup=False)
        else:
            encoding = self.stream.encoding or "ascii"
            text = "".join(text for text, _ in line)
            self.stream.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")
        self.stream.flush()

    def line(self, text: str = "", style: str = "") -> None:
        self.spans([(text, style)])

    def say(self, text: str, style: str = "", indent: str = "") -> None:
        """A paragraph, wrapped. A path must be copied in one piece, so no word is ever broken."""
        for line in fold([(text, style)], self.width, indent, indent):
            self.spans(line)

    def row(self, lead: str, text: str, style: str = "") -> None:
        """A paragraph behind what stands before its first line, which keeps its spaces."""
        for line in fold([(text, style)], self.width, lead, " " * len(lead)):
            self.spans(line)

    def title(self, text: str) -> None:
        self.line()
        self.say(text, "title")
        self.line()

    def pair(self, label: str, text: str, style: str = "") -> None:
        """A short label and what belongs to it, which may have several lines."""
        wide = self.width >= 60
        hang = " " * 12 if wide else "    "
        lead = f"  {label:<10}" if wide else f"  {label}: "
        for part in text.split("\n")[:30]:
            for number, piece in enumerate(self.pieces(part, len(hang), len(lead))):
                self.line(f"{lead if not number else hang}{piece}", style)
                lead = hang

    def pieces(self, text: str, hang: int, first: int) -> list[str]:
        """A text in lines that leave room for what stands before them; only what is wider than a line is broken."""
        room = self.width - hang
        breakable = " ".join(piece for word in text.split(" ") for piece in cut(word, room))
        filled = textwrap.wrap(
            breakable,
            room,
            initial_indent=" " * max(0, first - hang),
            break_long_words=False,
            break_on_hyphens=False,
            replace_whitespace=False,
        )
        return [line[max(0, first - hang) :] if not number else line for number, line in enumerate(filled)] or [""]

    def code(self, text: str, style: str = "quiet", indent: str = "") -> None:
        """Lines that keep their shape; too long ones go on in the next line, further in."""
        lead = f"{indent}  "
        for line in text.split("\n"):
            for piece in cut(line.rstrip(), self.width - len(lead)):
                self.line(f"{lead}{piece}".rstrip(), style)

    def markdown_row(self, lead: str, text: str) -> None:
        """One paragraph of a page, behind what stands before its first line."""
        for block in blocks(text)[:1]:
            for line in fold(self.marked(block.spans), self.width, lead, " " * len(lead)):
                self.spans(line)

    def markdown(self, text: str) -> None:
        """A page, or a piece of one."""
        read = blocks(text)
        for block, following in zip(read, [*read[1:], None], strict=True):
            self.block(block)
            if not (following and following.first and block.first and following.kind == block.kind == "text"):
                self.line()

    def block(self, block: Block) -> None:
        if block.kind == "code":
            self.code(block.text, indent=block.indent)
            return
        if block.kind == "heading":
            self.say(block.text, "title")
            return
        for line in fold(self.marked(block.spans), self.width, block.first, block.indent):
            self.spans(line)

    def marked(self, spans: tuple[Span, ...]) -> list[Span]:
        """Where there are no colours, code stands in backticks."""
        if self.console is not None:
            return list(spans)
        return [(f"`{text}`", "") if look == "code" else (text, "") for text, look in spans]

    def at_once(self, text: str, style: str = "") -> None:
        """A short line that nobody may have to ask for, also where there is no room."""
        self.draw([(text, style)]) if self.held or self.room == 0 else self.line(text, style)

    def ask_for_more(self) -> None:
        """Say that there is more, where there is. A single line takes the place of saying so."""
        if len(self.held) == 1 and not self.asked:
            self.draw(self.held.pop())
        if self.held and not self.asked:
            self.asked = True
            self.draw([(words.MORE_LINES.format(lines=len(self.held)), "quiet")])
