"""--tries N: an order that ends unsolved is tried again from the start, with another seed and a higher temperature.

The tests judge, never the model. What a try changed is put back by undo's own record before the next one begins, and
the best is kept: all tests pass, or more than before and none fails that passed; else the files are as they were. Each
try is a run of its own for the loop (agent/one_try.py); for whoever listens all are one: one trace, one undo.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from agent import events
from agent.budgets import Seconds, Tokens
from agent.contracts import AgentResult, ToolCall
from agent.deadline import TimeUp
from agent.one_try import Judged, Try, judged
from agent.run import Run
from call_functions import run_calls
from config import Settings
from functions import run_tests
from functions.tool import Tool
from jobs.first_look import is_order
from records.undo.again import Entries, NotPutBack, as_at_the_start, as_left, become
from records.undo.keep import Keeper
from records.undo.tree import AVAILABLE
from sandbox.files.root import Refusal

Loop = Callable[[str, Settings, Run], AgentResult]
Begin = Callable[[Settings], Run]

WARMER, WARMEST = 0.3, 1.2  # so much higher is the temperature of each further try, and at most that high
GOOGLES = 1.0  # the temperature of Gemini's models where nobody names one
CUT_OFF = ("interrupted", "time_budget")

ONCE = "{why}, so this is tried once (--tries)."
AGAIN = "Try {number} of {most}, from the start: {chance}."
UNSOLVED = "Try {number} of {most} is not it ({why}); the files are as they were."
NOTHING_CHANGED = "nothing was changed"
STAYS = "The files are left as they are, and nothing more is tried: {why}."
SOLVED = "Try {number} of {most} is kept: {line}."
BETTER = "Try {number} of {most} is kept, since more tests pass than before, but not all: {line}."
NONE = "No try is kept ({line}): the files are as they were."


@dataclass(frozen=True)
class Attempt:
    """A try that is over. `judged` is None where there are no tests, or it was cut off before they were run; `files` is
    what it changed, as it left it."""

    number: int
    result: AgentResult
    judged: Judged | None
    files: Entries

    @property
    def solved(self) -> bool:
        unknown = self.judged is None and self.result.stop_reason in CUT_OFF
        return bool(self.files) and not unknown and (self.judged is None or self.judged.well)


def several(prompt: str, settings: Settings, run: Run, loop: Loop, keeper: Keeper | None, begin: Begin) -> AgentResult:
    """Run the loop until an order is solved, `settings.tries` times at most. `run` is the whole, with the setup of the
    first try; `begin` makes a further one's. A question is asked once, as is what could not be judged or put back."""
    if keeper is None or not AVAILABLE:
        run.notice(ONCE.format(why="What this run changes could not be put back"))
    elif run_tests.TOOL.name not in run.catalogue or run.provider == "cli":
        run.notice(ONCE.format(why="Nothing here runs tests that could judge"))
    elif is_order(prompt):
        return Tries(prompt, settings, run, loop, keeper, begin).made()
    return loop(prompt, settings, run)


class Tries:
    """The tries of one order. Between two of them, and where they are stopped, the files are as they were at the start,
    or as the best try left them."""

    def __init__(self, prompt: str, settings: Settings, run: Run, loop: Loop, keeper: Keeper, begin: Begin) -> None:
        self._prompt, self._settings, self._loop, self._begin = prompt, settings, loop, begin
        self._run, self._keeper, self._kept = run, keeper, keeper.kept
        self._tools = list(run.catalogue.values())
        self._budgets = [limit for limit in run.limits if isinstance(limit, (Tokens, Seconds))]  # of all tries together
        self._start: Judged | None = None
        self._best: Attempt | None = None
        self._tried: list[Attempt] = []
        self._reason = ""  # why nothing more was tried, where it was stopped

    def made(self) -> AgentResult:
        """Try until one is solved, or no further one may begin; leave the best, or the start."""
        try:
            try:
                if self._until_solved():
                    return self._ended(self._tried[-1], SOLVED if len(self._tried) > 1 else "")
            except KeyboardInterrupt as stop:
                self._reason = "time_budget" if isinstance(stop, TimeUp) else "interrupted"
                self._keeper.over()
                self._put_back()
            if self._best:
                become(self._kept, self._run.root, self._best.files)
                return self._ended(self._best, BETTER)
        except NotPutBack as why:
            return self._ended(self._tried[-1] if self._tried else None, STAYS, str(why))
        return self._ended(None, NONE)

    def _until_solved(self) -> bool:
        for number in range(1, self._settings.tries + 1):
            one = self._once(number)
            self._tried.append(one)
            self._tell_end(one)
            if one.solved:
                return True
            self._put_back()
            self._compare(one)
            if one.result.stop_reason in CUT_OFF:
                self._reason = one.result.stop_reason
            if self._reason or not self._run.model or any(limit.reached(self._run) for limit in self._budgets):
                break
        return False

    def _once(self, number: int) -> Attempt:
        run, settings, setup = self._run, self._settings, self._run.setup
        self._offer(self._tools)
        if number > 1:
            settings, chance = with_other_chances(settings, run.provider, number)
            turns = settings.max_iters and run.turns + settings.max_iters
            setup = self._begin(replace(settings, max_iters=turns)).setup
            own = [limit for limit in setup.limits if not isinstance(limit, (Tokens, Seconds))]
            setup = replace(setup, catalogue=run.catalogue, limits=[*own, *self._budgets])
            run.notice(AGAIN.format(number=number, most=settings.tries, chance=chance))
        run.emit(events.Try(number, settings.tries, settings.llm_seed, temperature_of(settings, run.provider)))
        one = Try(setup, run)
        try:
            result = self._loop(self._prompt, settings, one)
        finally:
            run.turns, run.tokens = one.turns, one.tokens
            run.trajectory += one.trajectory
            run.drawn += one.drawn
        for limit in self._budgets:
            limit.after_turn(run)  # the loop asks them after a turn with calls
        if not self._keeper.over():
            raise NotPutBack("not all that this try changed could be kept")
        said = one.verdict if result.stop_reason in CUT_OFF else self._judge()
        return Attempt(number, result, said, as_left(self._kept))

    def _judge(self) -> Judged | None:
        """What the tests say of the files as they are; None where there are none."""
        run = self._run
        try:
            if not run_tests.test_files(run.root, "."):
                return None
        except Refusal:
            return None
        self._offer(run_tests.PLAIN if tool.name == run_tests.TOOL.name else tool for tool in self._tools)
        call = ToolCall(f"judge_{len(run.trajectory)}", run_tests.TOOL.name, {})
        run.called(call)
        result = run_calls([call], run)[0]
        return judged(result.verdict) if result.verdict else Judged(result.content.split("\n")[0], 0, frozenset())

    def _offer(self, tools: Iterable[Tool]) -> None:
        """In the catalogue of the whole, in which undo and the screen look calls up: a try may have changed it."""
        self._run.catalogue.replace(tools)

    def _put_back(self) -> None:
        become(self._kept, self._run.root, as_at_the_start(self._kept))

    def _compare(self, one: Attempt) -> None:
        """Whether this try, whose changes are put back, is the best so far. The start is judged when that is asked."""
        if not one.files:
            self._start = self._start or one.judged
        elif one.judged:
            self._start = self._start or self._judge()
            best = self._best.judged if self._best else None
            if self._start and one.judged.better_than(self._start) and (not best or one.judged.passed > best.passed):
                self._best = one

    def _tell_end(self, one: Attempt) -> None:
        why = one.judged.line if one.judged and one.files else one.result.stop_reason if one.files else NOTHING_CHANGED
        self._run.emit(events.Tried(one.number, one.result.stop_reason, why, sorted(one.files), one.solved))
        if not one.solved:
            self._run.notice(UNSOLVED.format(number=one.number, most=self._settings.tries, why=why))

    def _ended(self, kept: Attempt | None, words: str, why: str = "") -> AgentResult:
        """End the whole: with the try whose changes stay, else with one that changed nothing, whose answer is true."""
        run, untouched = self._run, [each for each in self._tried if not each.files]
        told = kept or (untouched[0] if untouched else self._tried[-1] if self._tried else None)
        stands = kept.judged if kept else self._start
        line = stands.line if stands else "no tests were run"
        words = words.format(number=kept.number if kept else 0, most=self._settings.tries, line=line, why=why)
        reason, answer = (told.result.stop_reason, told.result.answer) if told else ("interrupted", "")
        run.errors += told.result.errors if told else ()
        run.emit(events.Kept(kept.number if kept else 0, line))
        if kept and kept.solved and words:
            run.notice(words)
        elif words:
            run.warn(words)
        if told and not kept and told.files:
            answer = words
        if reason == "answered" and not kept and stands and not stands.well:
            reason = "gate"
        return run.finish(self._reason or reason, answer)


def with_other_chances(settings: Settings, provider: str, number: int) -> tuple[Settings, str]:
    """The settings of a further try, and how it differs, in words."""
    own = temperature_of(settings, provider)
    base = GOOGLES if own is None else own
    temperature = round(max(base, min(WARMEST, base + WARMER * (number - 1))), 2)
    seed = (settings.llm_seed or 0) + number - 1
    name = "gemini_temperature" if provider == "gemini" else "lmstudio_temperature"
    more: dict[str, Any] = {"llm_seed": seed, name: temperature}
    return replace(settings, **more), f"seed {seed}, temperature {temperature:g}"


def temperature_of(settings: Settings, provider: str) -> float | None:
    return settings.gemini_temperature if provider == "gemini" else settings.lmstudio_temperature
