"""--ask: a person allows each write and each run of code, or says why not, which is then the call's result."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from agent.contracts import ToolCall
from cli.screen.terminal import arguments_text, change_in, coloured, one_line, printable
from cli.typed import Typed, awaited_line

if TYPE_CHECKING:
    from agent.run import Run
    from cli.screen.terminal import Terminal
    from live.steer import Steering

MOST_LINES = 200  # of a change that is shown at the terminal
MOST_AT_PAGE = 5000  # and at the page, where it can be scrolled
CHOICES = "[y] yes  [n] no  [a] all of this kind, or say what to do instead: "
NO_TERMINAL = "this needs the person's consent, and there is no terminal to ask at; answer with what you know"


class Approval:
    """Asked before each call that writes or runs code; returns None when it may, else why it may not."""

    def __init__(self, terminal: Terminal, steering: Steering | None = None) -> None:
        """With `steering`, the page is asked as well; whoever answers first has answered."""
        self._terminal, self.steering = terminal, steering
        self.typed = Typed()
        self._always: set[str] = set()

    def __call__(self, call: ToolCall, run: Run) -> str | None:
        if call.name in self._always:
            return None
        seen = sys.stdin and sys.stdin.isatty() and sys.stderr.isatty()
        if not seen and self.steering is None:
            return self._unasked(call)
        change = change_in(call, run)
        about = run.catalogue[call.name].path_in(call.readable) if change else arguments_text(call)
        self._show(call, about, change)
        if seen:
            self.typed.before_a_question()
            print(CHOICES, end="", file=sys.stderr, flush=True)
        if self.steering is None:
            return self._decide(call, awaited_line())
        shown = [printable(line) for line in change[:MOST_AT_PAGE]] + rest_of(change, MOST_AT_PAGE)
        answer = self.steering.ask({"tool": one_line(call.name), "about": one_line(about), "change": shown})
        return self._unasked(call) if answer is None else self._decide(call, answer)

    def _unasked(self, call: ToolCall) -> str:
        self._terminal.notice(f"Refused without a terminal to ask at (--ask): {call.name}")
        return NO_TERMINAL

    def _show(self, call: ToolCall, about: str, change: list[str]) -> None:
        screen = self._terminal.screen
        screen.pause()
        screen.line("")
        screen.line("May it run ", (one_line(call.name), "strong"), "?")
        screen.line("  ", (one_line(about), "strong"))
        for line in change[:MOST_LINES]:
            screen.line("  ", coloured(line))
        for line in rest_of(change, MOST_LINES):
            screen.line(f"  {line}")

    def _decide(self, call: ToolCall, answer: str) -> str | None:
        if answer.lower() in ("y", "yes"):
            return None
        if answer.lower() in ("a", "all"):
            self._always.add(call.name)
            return None
        if answer.lower() in ("", "n", "no"):
            return "the person did not allow this call; do not try it again, ask or find another way"
        return f"the person did not allow this call, and says: {answer}"


def rest_of(change: list[str], shown: int) -> list[str]:
    """What is said of the lines that are not shown, where there are any."""
    more = len(change) - shown
    return [f"and {more} more lines, which are not shown: say no where they matter"] if more > 0 else []
