"""The run as a person watches it, on standard error: what is said of each event. How it looks is the screen's affair.

The same is said on every screen: cli/screen/plain.py writes lines for pipes and plain terminals, cli/screen/rich.py
adds colour and a status line.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TextIO

from agent.contracts import AgentResult, Reply, ToolCall, ToolResult
from agent.run import NO_TOOLS, Event, Run
from cli.screen.preview import arguments_text, change_in, one_line, printable, short_arguments
from config import environment_of, need

if TYPE_CHECKING:
    from functions.tool import Tool, Verdict
    from records.undo.keep import Keeper

__all__ = ["Terminal", "printable", "screen_for"]

MOST_CHANGED_LINES = 12  # of one edit
SHORTEST_ARGUMENT = 24  # characters, however narrow the screen: a path must stay one
MOST_FAILURES = 5  # of one test run
MOST_THOUGHT = 5  # lines of thought in a turn; the rest is counted, and stands in the trace
MOST_FILES = 10  # in the closing summary
GO_ON = "The answer is what the model knew by then; --continue goes on."
STOPPED = {  # a provider's error has its own line
    "max_iters": f"Stopped: the limit of requests was reached (--max-iters). {GO_ON}",
    "max_calls": f"Stopped: the limit of tool calls was reached (GLASSBOX_MAX_CALLS). {GO_ON}",
    "token_budget": "Stopped: the limit of tokens was reached (GLASSBOX_MAX_INPUT_TOKENS, "
    f"GLASSBOX_MAX_OUTPUT_TOKENS). {GO_ON}",
    "time_budget": f"Stopped: the time was up (--max-seconds). {GO_ON}",
    "repeating": "Stopped: the same call gave the same result again and again (GLASSBOX_MAX_REPEATS). "
    "Ask for a smaller step, or take a larger model.",
    "gate": "Stopped: what was found did not pass its gate.",
    "interrupted": "Interrupted.",
}

Part = str | tuple[str, str]  # a text, or a text and its style: good bad quiet added removed strong thought


class Screen(Protocol):
    """Where lines go. Every text has been made harmless before it comes here."""

    width: int
    utf8: bool

    def line(self, *parts: Part) -> None: ...
    def text(self, delta: str, style: str) -> None: ...
    def end_text(self) -> None: ...
    def status(self, status: Callable[[], str] | None) -> None: ...
    def pause(self) -> None: ...


def screen_for(stream: TextIO, *, plain: bool) -> Screen:
    """Return rich's screen where the stream is a terminal that can show it, else the plain one."""
    told = environment_of(("TERM", "NO_COLOR"))
    dumb = told.get("TERM", "dumb" if os.name != "nt" else "") == "dumb"
    if plain or dumb or told.get("NO_COLOR") or not stream.isatty():
        from cli.screen.plain import PlainScreen

        return PlainScreen(stream)
    need("rich")
    from cli.screen.rich import RichScreen

    return RichScreen(stream)


class Terminal:
    """A listener of a run. `showed_answer` tells that the final answer already stands on the screen."""

    def __init__(
        self, stream: TextIO, *, verbose: bool = False, stdout_is_seen: bool = False, plain: bool = True
    ) -> None:
        self.verbose = verbose
        self._same_screen = stdout_is_seen and stream.isatty()
        self.use(screen_for(stream, plain=plain))
        self._run: Run | None = None
        self._begin_run()

    def use(self, screen: Screen) -> None:
        """Draw on this screen from now on."""
        self.screen = screen
        marks = ("✓", "✗", "┌", "│", "└", "−", "→") if self.screen.utf8 else ("ok", "failed", "/", "|", "\\", "-", "->")
        good, bad, *self._bracket, self._minus, self._arrow = marks
        self._marks = {True: (good, "good"), False: (bad, "bad")}

    def _begin_run(self) -> None:
        self.showed_answer = False
        self._folder: Path | None = None
        self._keeper: Keeper | None = None
        self._began, self._turn, self._window = time.monotonic(), 0, None
        self._input: int | None = None
        self._tokens, self._thought, self._thought_lines = "", "", 0
        self._groups: dict[int, list[ToolCall]] = {}  # by id() of each call, the calls that run together with it
        self._finished: dict[int, ToolResult] = {}
        self._changes: dict[int, list[Part]] = {}
        self._verdicts: list[str] = []

    def follow(self, run: Run, folder: Path | None = None, keeper: Keeper | None = None) -> None:
        """A run begins whose trace is in `folder`, if anywhere; its summary tells what `keeper` saw change."""
        self._begin_run()
        self._run, self._folder, self._keeper = run, folder, keeper

    def _tool(self, call: ToolCall) -> Tool | None:
        return self._run.catalogue.get(call.name) if self._run else None

    def _verdict(self, result: ToolResult) -> Verdict | None:
        """What a tool says of its result; one that failed is told as every failure is."""
        tool = self._tool(result.call)
        return tool.verdict(result.content) if tool and tool.verdict and result.ok else None

    def __call__(self, event: Event) -> None:
        handler = getattr(self, f"on_{event.kind}", None)
        if handler:
            handler(**event.data)

    def close(self) -> None:
        self.screen.end_text()
        self.screen.status(None)

    def notice(self, text: str) -> None:
        self._line(text, "quiet")

    def on_started(self, prompt: str, provider: str, model: str, **_: Any) -> None:
        self._began = time.monotonic()
        self._line(f"{provider}: {model}", "quiet")
        if self.verbose:
            self._line(f"User prompt: {prompt}")

    def on_sandbox(self, line: str, warning: str) -> None:
        self.screen.line((line, "quiet"))
        if warning:
            self.screen.line((printable(warning), "bad"))

    def on_asking(self, turn: int, window: int | None = None, **_: Any) -> None:
        self._turn, self._window = turn, window
        self.screen.status(self._status)

    def on_text(self, text: str) -> None:
        self._end_thought()
        self.screen.text(printable(text), "")

    def on_thought(self, text: str) -> None:
        """The first lines are shown, of the others the latest passes by in the status."""
        for piece in printable(text).splitlines(keepends=True):
            if self.verbose or self._thought_lines < MOST_THOUGHT:
                self.screen.text(piece, "thought")
            self._thought = piece.strip() or self._thought
            self._thought_lines += piece.endswith("\n")

    def _end_thought(self) -> None:
        more, self._thought_lines, self._thought = self._thought_lines - MOST_THOUGHT, 0, ""
        if more > 0 and not self.verbose:
            self.screen.line((f"and {more} more lines of thought", "thought"))

    def on_replied(self, turn: int, reply: Reply, **_: Any) -> None:
        from call_functions import batches

        self.screen.end_text()
        self._end_thought()
        self._groups = {
            id(call): batch
            for batch in batches(reply.calls, self._run.catalogue if self._run else NO_TOOLS)
            for call in batch
        }
        self._count(reply)
        if self.verbose:
            self._line(f"Prompt tokens: {reply.usage.input}")
            self._line(f"Response tokens: {reply.usage.output}")

    def on_call_started(self, call: ToolCall) -> None:
        if self.verbose:
            self._line(one_line(f"Calling function: {call.name}({arguments_text(call)})"))
        elif self._run:
            # The tool has not begun yet, so the old text can still be read.
            self._changes[id(call)] = self._change(call)

    def on_call_finished(self, result: ToolResult, **_: Any) -> None:
        if verdict := self._verdict(result):
            self._verdicts.append(verdict.line)
        if self.verbose:
            self._line(f"-> {result.content}")
            return
        self._finished[id(result.call)] = result
        group = self._groups.get(id(result.call), [result.call])
        if all(id(call) in self._finished for call in group):
            for number, call in enumerate(group):
                self._show(self._finished.pop(id(call)), self._bracket_of(number, len(group)))

    def on_notice(self, text: str) -> None:
        self._line(text, "quiet")

    def on_error(self, text: str) -> None:
        self._line(f"Error: {text}", "bad")

    def on_finished(self, result: AgentResult) -> None:
        self.screen.end_text()
        self.screen.status(None)
        if result.stop_reason in STOPPED:
            self._line(STOPPED[result.stop_reason], "bad")
        self.showed_answer = self._same_screen and result.stop_reason == "answered"
        if self.verbose:
            self._line("Final response:")
            self.showed_answer = False
        self._summary(result)

    def _show(self, result: ToolResult, bracket: str) -> None:
        """One call in one line, then what of its result a person wants to see at once."""
        call = result.call
        verdict = self._verdict(result)
        detail = verdict.line if verdict else "" if result.ok else first_line(result.content)
        room = max(self.screen.width - len(call.name) - len(bracket) - 16, SHORTEST_ARGUMENT)
        arguments = one_line(short_arguments(call, self._tool(call), room))
        failing = shortened(verdict.failing) if verdict else []
        good = result.ok and not failing
        line: list[Part] = [f"  {bracket}", self._marks[good], f" {one_line(call.name)} ", (arguments, "strong")]
        self.screen.line(*line, (f"  {result.seconds:.2f}s", "quiet"))
        if detail:
            self.screen.line("      ", (one_line(detail), "good" if good else "bad"))
        for part in self._changes.pop(id(call), []) if result.ok else []:
            self.screen.line("      ", part)
        for failure in failing:
            self.screen.line("      ", (one_line(failure), ""))

    def _bracket_of(self, number: int, total: int) -> str:
        if total == 1:
            return ""
        top, middle, bottom = self._bracket
        return f"{top if number == 0 else bottom if number == total - 1 else middle} "

    def _change(self, call: ToolCall) -> list[Part]:
        assert self._run is not None
        lines = change_in(call, self._run)
        shown: list[Part] = [(printable(text), {"+": "added", "-": "removed"}.get(text[:1], "")) for text in lines]
        more = len(shown) - MOST_CHANGED_LINES
        return shown if more <= 0 else [*shown[:MOST_CHANGED_LINES], (f"and {more} more lines", "quiet")]

    def _count(self, reply: Reply) -> None:
        if reply.usage.input is not None:
            self._input = reply.usage.input
            self._tokens = f" · {reply.usage.input:,} tokens in, {reply.usage.output or 0:,} out"

    def _status(self) -> str:
        seconds = int(time.monotonic() - self._began)
        share = f" · {100 * self._input // self._window} % of context" if self._window and self._input else ""
        thought = f" · {self._thought}" if self._thought_lines >= MOST_THOUGHT else ""
        return f"turn {self._turn}{self._tokens}{share} · {seconds // 60}:{seconds % 60:02d}{thought}"

    def _summary(self, result: AgentResult) -> None:
        changes = self._keeper.kept.counts() if self._keeper else []
        for path, added, removed in changes[:MOST_FILES]:
            name = ("Changed ", "quiet"), (one_line(path), "strong")
            unsure = self._keeper is not None and path in self._keeper.kept.unsure
            by = ("  while code ran, by it or by somebody else", "quiet") if unsure else ""
            self.screen.line(*name, (f" +{added}", "added"), (f" {self._minus}{removed}", "removed"), by)
        if len(changes) > MOST_FILES:
            self._line(f"and {len(changes) - MOST_FILES} more files", "quiet")
        if self._verdicts and not self.verbose:
            first, last = short_verdict(self._verdicts[0]), short_verdict(self._verdicts[-1])
            tests = f"{first} {self._arrow} {last}" if len(self._verdicts) > 1 else first
            self._line(f"Tests: {tests}", "quiet")
        known = result.tokens.input is not None
        tokens = f", {result.tokens.input:,} tokens in, {result.tokens.output or 0:,} out" if known else ""
        calls = len(result.tool_calls)
        self._line(f"[{result.turns} turns, {calls} calls{tokens}, {result.seconds:.1f} s]", "quiet")
        if self._folder:
            self._line(f"See it again: python main.py --view   ({self._folder.name})", "quiet")
        if changes:
            self._line("Take it back: python main.py --undo", "quiet")

    def _line(self, text: str, style: str = "") -> None:
        self.screen.line((printable(text), style))


def first_line(text: str) -> str:
    return text.split("\n", 1)[0]


def short_verdict(verdict: str) -> str:
    return re.sub(r" \((unittest|pytest).*", "", verdict)


def shortened(failing: Sequence[str]) -> Sequence[str]:
    """The first of what fails, and how many more there are."""
    more = len(failing) - MOST_FAILURES
    return failing if more <= 0 else [*failing[:MOST_FAILURES], f"and {more} more"]
