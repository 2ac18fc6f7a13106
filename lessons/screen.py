"""How the walk draws: with rich where the terminal can, else as plain text of the same content, at any width."""

from __future__ import annotations

import contextlib
import re
import shutil
import sys
import textwrap
from typing import Any, TextIO

from config import environment_of

WIDEST, NARROWEST = 88, 20
FENCE = "```"
LINK = re.compile(r"\[([^\]]+)\]\([^)]+\)")
STYLES = {"ok": "green", "failed": "bold red", "skipped": "yellow", "quiet": "dim", "title": "bold cyan", "": ""}


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
        self.console: Any = None
        if not (plain or wants_plain(self.stream)):
            with contextlib.suppress(ModuleNotFoundError):  # without rich it is plain text
                from rich.console import Console

                self.console = Console(file=self.stream, highlight=False, soft_wrap=True)

    @property
    def width(self) -> int:
        columns = shutil.get_terminal_size((80, 24)).columns
        return max(NARROWEST, min(WIDEST, columns))

    def line(self, text: str = "", style: str = "") -> None:
        """One line as it is, already short enough."""
        if self.console is not None:
            self.console.print(text, style=STYLES[style], markup=False)
        else:
            encoding = self.stream.encoding or "ascii"
            self.stream.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")
        self.stream.flush()

    def say(self, text: str, style: str = "", indent: str = "") -> None:
        """A paragraph, wrapped."""
        whole = {"break_long_words": False, "break_on_hyphens": False}  # a path must be copied in one piece
        for line in textwrap.wrap(text, self.width, initial_indent=indent, subsequent_indent=indent, **whole) or [""]:
            self.line(line, style)

    def title(self, text: str) -> None:
        self.line()
        self.say(text, "title")
        self.line()

    def pair(self, label: str, text: str, style: str = "") -> None:
        """A short label and what belongs to it, which may have several lines."""
        hang = " " * 12 if self.width >= 60 else "    "
        first = f"  {label:<10}" if self.width >= 60 else f"  {label}: "
        for number, part in enumerate(text.split("\n")[:30]):
            lines = textwrap.wrap(
                part,
                self.width,
                initial_indent=hang if number else first,
                subsequent_indent=hang,
                replace_whitespace=False,
                drop_whitespace=True,
            )
            for line in lines or [first if not number else ""]:
                self.line(line, style)

    def code(self, text: str, style: str = "quiet") -> None:
        """Lines that keep their shape; too long ones go on in the next line, further in."""
        for line in text.split("\n"):
            indent = "  " + " " * min(len(line) - len(line.lstrip()), self.width // 3)
            room = max(10, self.width - len(indent))
            rest = line.lstrip()
            self.line(f"{indent}{rest[:room]}".rstrip(), style)
            rest = rest[room:]
            while rest:
                self.line(f"{indent}  {rest[: room - 2]}", style)
                rest = rest[room - 2 :]

    def markdown(self, text: str) -> None:
        """The little Markdown that the lessons use: paragraphs, lists, fenced code, headings, links."""
        blocks = re.split(rf"^{FENCE}\w*\n(.*?)^{FENCE}\n?", text, flags=re.M | re.S)
        for number, block in enumerate(blocks):
            if number % 2:
                self.code(block.rstrip("\n"))
                self.line()
                continue
            for paragraph in filter(None, (part.strip() for part in re.split(r"\n\s*\n", block))):
                self.paragraph(LINK.sub(r"\1", paragraph))
                self.line()

    def paragraph(self, text: str) -> None:
        if text.startswith("#"):
            self.say(text.lstrip("# "), "title")
            return
        for item in re.split(r"\n(?=- )", text):
            bullet = item.startswith("- ")
            joined = " ".join(item.split())
            if bullet:
                for line in textwrap.wrap(joined, self.width, subsequent_indent="  "):
                    self.line(line)
            else:
                self.say(joined)
