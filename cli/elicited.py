"""With --ask: what an MCP server wants to know of the person, asked at the terminal, a line for each value.

It is asked while a call runs, and so from its thread: what is typed is waited for in a way that Ctrl-C ends.
"""

from __future__ import annotations

import argparse
import os
import select
import sys
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cli.screen.terminal import one_line, printable
from cli.typed import Typed, at_a_terminal
from config import Settings
from reach.mcp_logins import logins_of

if TYPE_CHECKING:
    from cli.approval import Approval
    from cli.screen.terminal import Terminal
    from jobs.equipment.equipped import Outside

TRIES = 3  # at a value that does not fit
YES_OR_NO = {"y": True, "yes": True, "true": True, "n": False, "no": False, "false": False}
LOOK_SECONDS = 0.2  # between two looks whether the run was interrupted


class Elicited:
    """Called with who asks, what, the form and the event that ends calls; returns the person's values by name, None
    where they give none: no terminal, an empty line where a value is needed, Ctrl-C. One question at a time."""

    def __init__(self, terminal: Terminal, typed: Typed) -> None:
        self._terminal, self._typed = terminal, typed
        self._lock = threading.Lock()

    def __call__(
        self, server: str, message: str, form: Mapping[str, Any], cancelled: threading.Event
    ) -> dict[str, Any] | None:
        if not at_a_terminal():
            return None
        with self._lock:
            screen = self._terminal.screen
            screen.pause()
            screen.line("")
            screen.line("The MCP server ", (one_line(server), "strong"), " asks you, and gets what you type:")
            for line in printable(message).splitlines()[:20]:
                screen.line("  ", line)
            self._typed.before_a_question()
            return self._fill(form, cancelled)

    def _fill(self, form: Mapping[str, Any], cancelled: threading.Event) -> dict[str, Any] | None:
        fields, needed = form.get("properties") or {}, form.get("required") or ()
        if not fields:
            return {} if self._line("[y] yes  [n] no: ", cancelled) in ("y", "yes") else None
        values: dict[str, Any] = {}
        for name, field in fields.items():
            value = self._value(name, field, name in needed, cancelled)
            if value is None and name in needed:
                return None
            if value is not None:
                values[name] = value
        return values

    def _value(self, name: str, field: Mapping[str, Any], needed: bool, cancelled: threading.Event) -> Any:
        default = field.get("default")
        empty = f"empty: {default}" if default is not None else "empty: refuse" if needed else "empty: leave it out"
        called = field.get("title") or field.get("description") or name
        for _ in range(TRIES):
            line = self._line(f"  {one_line(str(called))[:200]} ({one_line(shape(field))}; {empty}): ", cancelled)
            if not line:
                return default if line == "" else None
            try:
                return read(line, field)
            except (ValueError, KeyError):
                self._terminal.screen.line(f"  It must be {one_line(shape(field))}.")
        return None

    def _line(self, question: str, cancelled: threading.Event) -> str | None:
        """What is typed, without its end; None when the terminal is closed or the run was interrupted."""
        print(question, end="", file=sys.stderr, flush=True)
        terminal = sys.stdin.fileno()
        while not cancelled.is_set():
            if select.select([terminal], [], [], LOOK_SECONDS)[0]:
                data = os.read(terminal, 4096)
                return data.decode("utf-8", "replace").strip() if data else None
        return None


def choices(field: Mapping[str, Any]) -> list[str]:
    """The values that a field may have, where it names them; in both shapes that the protocol has."""
    of = field.get("items", field)
    named = [each.get("const") for each in of.get("oneOf") or of.get("anyOf") or ()]
    return [str(each) for each in of.get("enum") or named]


def shape(field: Mapping[str, Any]) -> str:
    """What a value must be, in words."""
    if named := choices(field):
        several = "some, with commas, of" if field.get("type") == "array" else "one of"
        return f"{several} {', '.join(named)}"[:500]
    return {"integer": "a whole number", "number": "a number", "boolean": "y or n"}.get(str(field.get("type")), "text")


def read(line: str, field: Mapping[str, Any]) -> Any:
    """The value that a line means. Raises ValueError or KeyError for one that does not fit."""
    kind, named = field.get("type"), choices(field)
    if kind == "array":
        values = [word.strip() for word in line.split(",") if word.strip()]
        if named and not set(values) <= set(named):
            raise ValueError(line)
        return values
    if kind == "boolean":
        return YES_OR_NO[line.lower()]
    if kind in ("integer", "number"):
        number = int(line) if kind == "integer" else float(line)
        if not field.get("minimum", number) <= number <= field.get("maximum", number):
            raise ValueError(line)
        return number
    if named and line not in named:
        raise ValueError(line)
    return line


def at_hand(settings: Settings, options: argparse.Namespace, terminal: Terminal, approval: Approval | None) -> Outside:
    """The person as MCP servers reach one: asked with --ask, and shown where to log in at a terminal."""
    from cli.login import Shown, somebody_there
    from jobs.equipment.equipped import Outside

    def notice(text: str) -> None:
        terminal.screen.pause()
        terminal.notice(text)

    asks = Elicited(terminal, approval.typed) if approval else None
    login = Shown(notice, logins_of(settings)) if somebody_there(options) else None
    return Outside(ask=asks, login=login)
