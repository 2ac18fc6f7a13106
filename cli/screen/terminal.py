"""The run as a person watches it, on standard error: what is said of each event, and the screen of plain lines.

The same is said on every screen: cli/screen/rich.py adds colour and a status line. What few runs say stands in
cli/screen/seldom.py, and all there is to say, with --verbose, in cli/screen/verbose.py.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from agent import events
from agent.contracts import AgentResult, Reply, ToolCall, ToolResult
from agent.run import Run
from agent.setup import NO_TOOLS
from cli.screen.screen import Part, Screen
from config import COMMAND, environment_of, need

if TYPE_CHECKING:
    from functions.tool import Tool
    from records.undo.keep import Keeper

NO_TERMINAL = 100  # columns, where there is no terminal to ask
WIDEST_ARGUMENT = 40  # characters of an argument beside the main one
LARGEST_COMPARED = 200_000  # characters of a text whose change is shown line by line
MOST_CHANGED_LINES = 12  # of one edit
SHORTEST_ARGUMENT = 24  # characters, however narrow the screen: a path must stay one
MOST_FAILURES = 5  # of one test run
MOST_FILES = 10  # in the closing summary
MOST_THOUGHT = 5  # lines of thought in a turn; the rest is counted, and stands in the trace


class PlainScreen:
    """Writes lines, and streamed text as it comes: for pipes, for NO_COLOR, for terminals that can do no more."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.width = shutil.get_terminal_size((NO_TERMINAL, 24)).columns if stream.isatty() else NO_TERMINAL
        self.utf8 = (getattr(stream, "encoding", "") or "").lower().replace("-", "").startswith("utf8")
        self._within_line = False

    def line(self, *parts: Part) -> None:
        self.end_text()
        self.text("".join(part if isinstance(part, str) else part[0] for part in parts) + "\n")

    def text(self, delta: str, style: str = "") -> None:
        if delta:
            self.stream.write(delta)
            self.stream.flush()
            self._within_line = not delta.endswith("\n")

    def end_text(self) -> None:
        self.text("\n" * self._within_line)

    def status(self, status: Callable[[], str] | None) -> None:
        """Nothing: a line that changes in place needs a terminal that can."""

    def pause(self) -> None:
        """Nothing is moving."""


def screen_for(stream: TextIO, *, plain: bool, theme: str) -> Screen:
    """Return rich's screen where the stream is a terminal that can show it, else the plain one."""
    if plain or environment_of(("NO_COLOR",)).get("NO_COLOR") or not can_draw(stream):
        return PlainScreen(stream)
    need("rich")
    from cli.screen.rich import RichScreen

    return RichScreen(stream, theme=theme)


def can_draw(stream: TextIO) -> bool:
    """Whether the stream is a terminal on which a place can be written again."""
    return stream.isatty() and environment_of(("TERM",)).get("TERM", "dumb" if os.name != "nt" else "") != "dumb"


class Terminal:
    """A listener of a run. `showed_answer` tells that the final answer already stands on the screen."""

    most_thought = MOST_THOUGHT

    def __init__(
        self, stream: TextIO, *, stdout_is_seen: bool = False, plain: bool = True, theme: str = "terminal"
    ) -> None:
        self._same_screen = stdout_is_seen and stream.isatty()
        self.use(screen_for(stream, plain=plain, theme=theme))
        self.follow(None)

    def use(self, screen: Screen) -> None:
        """Draw on this screen from now on."""
        self.screen = screen
        marks = ("✓", "✗", "┌", "│", "└", "−", "→") if self.screen.utf8 else ("ok", "failed", "/", "|", "\\", "-", "->")
        good, bad, *self._bracket, self._minus, self._arrow = marks
        self._marks = {True: (good, "good"), False: (bad, "bad")}

    def follow(self, run: Run | None, folder: Path | None = None, keeper: Keeper | None = None) -> None:
        """A run begins whose trace is in `folder`, if anywhere; its summary tells what `keeper` saw change."""
        self._run, self._folder, self._keeper = run, folder, keeper
        self._tools = run.catalogue if run else NO_TOOLS
        self.showed_answer = False
        self._began, self._turn = time.monotonic(), 0
        self._window: int | None = None
        self._input: int | None = None
        self._tokens = ""
        self._said: list[str] = []  # of this turn's text
        self._thought, self._thought_lines = "", 0
        self._groups: dict[int, list[ToolCall]] = {}  # by id() of each call, the calls that run together with it
        self._finished: dict[int, ToolResult] = {}
        self._changes: dict[int, list[Part]] = {}
        self._verdicts: list[str] = []

    def __call__(self, event: events.Event) -> None:
        match event:
            case events.Started():
                self.started(event)
            case events.Confined():
                self.notice(event.line)
                if event.warning:
                    self.say(event.warning, "bad")
            case events.Asking():
                self._turn, self._window, self._said = event.turn, event.window, []
                self.screen.status(self._status)
            case events.Text():
                self._end_thought()
                if self._run is None or not (self._run.told and self._run.answer_due):  # else the answer shows it
                    self._said.append(event.text)
                    self.screen.text(printable(event.text), "")
            case events.Thought():
                self._think(event.text)
            case events.Replied():
                self.replied(event.reply)
            case events.CallStarted():
                self.call_started(event.call)
            case events.CallFinished():
                self.call_finished(event.result)
            case events.Notice():
                self.notice(event.text)
            case events.Error():
                self.say(f"Error: {event.text}", "bad")
            case events.Kept():
                self._verdicts.append(event.verdict)
            case events.Finished():
                self.finished(event.result)

    def close(self) -> None:
        self.screen.end_text()
        self.screen.status(None)

    def say(self, text: str, style: str = "") -> None:
        self.screen.line((printable(text), style))

    def notice(self, text: str) -> None:
        self.say(text, "quiet")

    def started(self, event: events.Started) -> None:
        self._began = time.monotonic()
        self.notice(f"{event.provider}: {event.model}")

    def _think(self, text: str) -> None:
        """The first lines of a turn are shown, of the others the latest passes by in the status."""
        for piece in printable(text).splitlines(keepends=True):
            if self._thought_lines < self.most_thought:
                self.screen.text(piece, "thought")
            self._thought = piece.strip() or self._thought
            self._thought_lines += piece.endswith("\n")

    def _end_thought(self) -> None:
        more, self._thought_lines, self._thought = self._thought_lines - self.most_thought, 0, ""
        if more > 0:
            self.screen.line((f"and {more} more lines of thought", "thought"))

    def replied(self, reply: Reply) -> None:
        from call_functions import batches

        self.screen.end_text()
        self._end_thought()
        self._groups = {id(call): batch for batch in batches(reply.calls, self._tools) for call in batch}
        if reply.usage.input is not None:
            self._input = reply.usage.input
            self._tokens = f" · {reply.usage.input:,} tokens in, {reply.usage.output or 0:,} out"

    def call_started(self, call: ToolCall) -> None:
        if self._run:  # the tool has not begun yet, so the old text can still be read
            shown: list[Part] = [coloured(line) for line in change_in(call, self._run)]
            more = len(shown) - MOST_CHANGED_LINES
            shown = [*shown[:MOST_CHANGED_LINES], (f"and {more} more lines", "quiet")] if more > 0 else shown
            self._changes[id(call)] = shown

    def call_finished(self, result: ToolResult) -> None:
        """Calls that run together are shown together, in the order in which they were asked for."""
        self._finished[id(result.call)] = result
        group = self._groups.get(id(result.call), [result.call])
        if all(id(call) in self._finished for call in group):
            top, middle, bottom = self._bracket
            brackets = [f"{each} " for each in (top, *[middle] * (len(group) - 2), bottom)] if len(group) > 1 else [""]
            for call, bracket in zip(group, brackets, strict=True):
                self._show(self._finished.pop(id(call)), bracket)

    def _show(self, result: ToolResult, bracket: str) -> None:
        """One call in one line, then what of its result a person wants to see at once."""
        call, tool = result.call, self._tools.get(result.call.name)
        verdict = result.verdict
        if verdict:
            self._verdicts.append(verdict.line)
        detail = verdict.line if verdict else "" if result.ok else result.content.split("\n", 1)[0]
        room = max(self.screen.width - len(call.name) - len(bracket) - 16, SHORTEST_ARGUMENT)
        arguments = one_line(short_arguments(call, tool, room))
        failing = shortened(verdict.failing) if verdict else []
        good = result.ok and not failing
        line: list[Part] = [f"  {bracket}", self._marks[good], f" {one_line(call.name)} ", (arguments, "strong")]
        self.screen.line(*line, (f"  {result.seconds:.2f}s", "quiet"))
        details: list[Part] = [(one_line(detail), "good" if good else "bad")] if detail else []
        details += self._changes.pop(id(call), []) if result.ok else []
        for part in [*details, *map(one_line, failing)]:
            self.screen.line("      ", part)

    def _status(self) -> str:
        seconds = int(time.monotonic() - self._began)
        share = f" · {100 * self._input // self._window} % of context" if self._window and self._input else ""
        thought = f" · {self._thought}" if self._thought_lines >= self.most_thought else ""
        return f"turn {self._turn}{self._tokens}{share} · {seconds // 60}:{seconds % 60:02d}{thought}"

    def finished(self, result: AgentResult, also: str = "") -> None:
        self.close()
        if result.stop_reason != "answered":
            from cli.screen.seldom import STOPPED

            if result.stop_reason in STOPPED:
                self.say(STOPPED[result.stop_reason], "bad")
        self.showed_answer = self._same_screen and result.stop_reason == "answered"
        if self.showed_answer:  # but for what is not the model's last text
            for line in result.answer.strip().removeprefix("".join(self._said).strip()).strip().splitlines():
                self.say(line)
        if also:
            self.say(also)
        changes = self._keeper.kept.counts() if self._keeper else []
        for path, added, removed in changes[:MOST_FILES]:
            name = ("Changed ", "quiet"), (one_line(path), "strong")
            unsure = self._keeper is not None and path in self._keeper.kept.unsure
            by = ("  while code ran, by it or by somebody else", "quiet") if unsure else ""
            self.screen.line(*name, (f" +{added}", "added"), (f" {self._minus}{removed}", "removed"), by)
        if len(changes) > MOST_FILES:
            self.notice(f"and {len(changes) - MOST_FILES} more files")
        verdicts = [verdict.split(" (unittest")[0].split(" (pytest")[0] for verdict in self._verdicts]
        if verdicts:
            self.notice("Tests: " + f" {self._arrow} ".join([verdicts[0], *verdicts[1:][-1:]]))
        tokens = ""
        if result.tokens.input is not None:
            tokens = f", {result.tokens.input:,} tokens in, {result.tokens.output or 0:,} out"
        self.notice(f"[{result.turns} turns, {len(result.tool_calls)} calls{tokens}, {result.seconds:.1f} s]")
        if self._folder:
            self.notice(f"See it again: {COMMAND} --view   ({self._folder.name})")
        if changes:
            self.notice(f"Take it back: {COMMAND} --undo")


def coloured(line: str) -> Part:
    """A line of a change, as a part of the screen's."""
    return printable(line), {"+": "added", "-": "removed"}.get(line[:1], "")


def shortened(failing: Sequence[str]) -> Sequence[str]:
    """The first of what fails, and how many more there are."""
    more = len(failing) - MOST_FAILURES
    return failing if more <= 0 else [*failing[:MOST_FAILURES], f"and {more} more"]


def printable(text: str) -> str:
    """Spell out every character that a terminal would obey: escapes, carriage returns, bidirectional controls."""
    return text if text.isprintable() else "".join(map(_printable, text))


def one_line(text: str) -> str:
    """As `printable`, on one line: a line break in the name of a file must not look like another line of ours."""
    return printable(text).replace("\n", "\\n").replace("\t", "\\t")


def _printable(character: str) -> str:
    if character in "\n\t" or character.isprintable():
        return character
    return character.encode("unicode_escape").decode()


def arguments_text(call: ToolCall) -> str:
    """Return all of a call's arguments on one line."""
    arguments = call.readable
    if not isinstance(arguments, dict):
        return str(arguments)
    return ", ".join(f"{name}={_json(value)}" for name, value in arguments.items())


def short_arguments(call: ToolCall, tool: Tool | None, width: int) -> str:
    """Return what a call is about in at most `width` characters: the tool's first parameter bare, then the others,
    unless they are shown as a change."""
    arguments = call.readable
    if not isinstance(arguments, dict):
        return cut(str(arguments), width)
    main = next(iter(tool.parameters.get("properties") or ()), "") if tool else ""
    parts = [str(arguments[main])] if main in arguments else []
    if not (tool and tool.change):
        parts += [f"{name}={cut(_json(value), WIDEST_ARGUMENT)}" for name, value in arguments.items() if name != main]
    return cut(" ".join(" ".join(parts).split()), width)


def cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 3]}..."


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def change_in(call: ToolCall, run: Run) -> list[str]:
    """Return what a call is about to change, as a diff's lines without its heads; none for calls that write nothing."""
    tool = run.catalogue.get(call.name)
    if tool is None or tool.change is None:
        return []
    try:
        old, new = tool.change(run.resources.get(tool.resource), call.readable)
    except Exception:  # a call that cannot work: its result will say why
        return []
    if max(len(old), len(new)) > LARGEST_COMPARED:
        return [f"+{len(new):,} characters in place of {len(old):,}"]
    return lines_changed(old.split("\n"), new.split("\n"))


def lines_changed(old: list[str], new: list[str]) -> list[str]:
    """The lines of a diff, with one of context, and "..." between its parts."""
    from records.undo.tree import changed_part

    start, old_end, new_end = changed_part(old, new)
    if set(old[start:old_end]).isdisjoint(new[start:new_end]):  # one part, replaced as a whole
        around = [f" {line}" for line in old[max(start - 1, 0) : start]], [f" {line}" for line in old[old_end:][:1]]
        changed = [f"-{line}" for line in old[start:old_end]] + [f"+{line}" for line in new[start:new_end]]
        return [*around[0], *changed, *around[1]] if changed else []
    from records.undo.compared import grouped

    found: list[str] = []
    for group in grouped(old, new, 1):
        found += ["..."] if found else []
        for tag, start, end, new_start, new_end in group:
            same = tag == "equal"
            found += [f" {line}" if same else f"-{line}" for line in old[start:end]]
            found += [] if same else [f"+{line}" for line in new[new_start:new_end]]
    return found
