"""What a check works with: it calls the learner's code, which runs elsewhere (child.py), compares, and talks.

A check never asserts: it says what was called, what came back, what was expected and why that matters.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from lessons.fresh import Fresh
from lessons.parent import Gone, Odd, Parent, Raised, Shape

IMPORTING = "importing "  # how what is under way begins, before the learner's file is loaded
LONGEST_SHOWN, MOST_LINES = 500, 12  # characters and lines of a value in a talk
MOST_STEPS = 60  # of a case that are kept: its first, and the last ones
MODELS = ("model", "ask", "script")  # what a function is called that stands in for a model
CHECK = "check"  # who calls the learner's code, and whom it calls where nothing stands in for another part


class Failed(Exception):
    """A case that does not hold, in four parts. They quote what no terminal is to obey, so it is spelled out."""

    def __init__(self, called: str, got: str, expected: str, why: str) -> None:
        super().__init__(called, got, expected, why)
        parts = {"called": called, "got": got, "expected": expected, "why": why}
        self.parts = {name: printable(text) for name, text in parts.items()}


class Unusable(Failed):
    """The learner's file cannot be loaded: that is no case's fault, and there is nothing else to say."""


class Enough(Exception):
    """One case does not hold, and nobody asks for the others."""


class Check:
    """One run of a check: the learner's code at the other end, a folder to work in, the cases so far, what to show
    after a pass. `shipped` is the real agent's module where that stands in for a learner, and else None."""

    def __init__(
        self, parent: Parent, file: str, imports: list[str], shipped: ModuleType | None = None, hurry: bool = False
    ) -> None:
        self.file = file  # as the learner knows it: my_agent/confine.py
        self.work = parent.scratch / "work"  # a folder that the check may use; prepare() has filled it
        self.path = parent.scratch / "parts" / f"{parent.part}.py"  # the learner's file
        self.fresh = Fresh()
        self.shipped = shipped
        self.hurry = hurry
        self.cases: list[dict[str, Any]] = []
        self.picture: list[str] = []
        self.recording: dict[str, Any] | None = None  # a run for the trace player
        self.stubbed: set[str] = set()
        self.doing = ""  # what is under way, for the case that it never ends
        # What was called and what it gave, in the first case that does not hold or else in the last: the arrows of the
        # drawing (lessons/diagram.py), each with `from`, `to`, `called`, `got`.
        self.trail: list[dict[str, str]] = []
        self._steps: list[dict[str, str]] = []
        self._stubs: dict[int, tuple[str, str]] = {}
        self._parent, self._imports, self._loaded = parent, imports, False
        parent.hear = self._hear
        self._called = self._got = self._why = ""
        self._expected = "no exception"

    def load(self) -> None:
        """Load the learner's file, as any call does that comes first."""
        if self._loaded:
            return
        if self._imports:
            self.doing = f"{IMPORTING}{', '.join(self._imports)}"
            self._parent.ask("warm", counted=False, names=self._imports)
        self.doing = f"loading {self.file}"
        try:
            self._parent.ask("load")
        except Raised as raised:
            told = raised.told
            if "place" in told:
                got, wanted = f"{told['text']} at {told['place']}", f"a file that Python can read: {self.file}"
                raise Unusable("", got, wanted, "") from None
            raise Unusable(*self.crashed(self.doing, told, "").args) from None
        self._loaded = True

    @contextlib.contextmanager
    def case(self, title: str, why: str = "", expected: str = "no exception") -> Iterator[None]:
        """One thing that must hold. `expected` and `why` are said when the learner's code raises inside."""
        self._called = self._got = ""
        self._expected, self._why = expected, why
        case: dict[str, Any] = {"title": title, "state": "ok"}
        frozen = not self.holds
        self._steps = []
        self.cases.append(case)
        try:
            yield
        except Unusable:
            self.cases.remove(case)
            raise
        except Failed as failed:
            case.update(state="failed", **failed.parts)
        except (Gone, Enough):
            raise
        except Exception as error:  # of the check, at an odd value that came back
            expected = f"something of another kind ({type(error).__name__}: {error})"
            case.update(state="failed", **Failed(self._called, self._got, expected, why).parts)
        finally:
            if self._steps and not frozen:
                self.trail = self._steps
        if self.hurry and case["state"] == "failed":
            raise Enough

    @property
    def holds(self) -> bool:
        return all(case["state"] != "failed" for case in self.cases)

    def skip(self, title: str, reason: str) -> None:
        """A case that cannot be checked on this system. It counts neither way."""
        self.cases.append({"title": f"{title}: not checked here ({reason})", "state": "skipped"})

    def call(self, function: str, *arguments: Any, shown: str = "") -> Any:
        """Call the learner's function. Whatever it raises becomes the case's talk."""
        self._called = shown or f"{function}({', '.join(self.show(argument) for argument in arguments)})"
        self._got = ""
        self.load()
        self.doing = shorten(self._called)
        step = self._step(CHECK, self._parent.part, self._called)
        try:
            value = self._parent.call(function, arguments)
        except LookupError:
            raise Failed("", f"no function {function}", f"a function {function}(...) in {self.file}", "") from None
        except Raised as raised:
            crashed = self.crashed(self._called, raised.told, self._why)
            step["got"] = crashed.parts["got"]
            raise crashed from None
        self._got = self.show(value) if value is not None else "None: is a return missing?"
        step["got"] = self._got
        return value

    def run(self, source: str, shown: str = "", **values: Any) -> Any:
        """Run a few lines where the learner's code is: they see `module` and the values, and leave `result`."""
        self._called = shown or self._called
        if "module" in source:
            self.load()
        self.doing = shorten(self._called)
        try:
            value = self._parent.run(source, **values)
        except Raised as raised:
            raise self.crashed(self._called, raised.told, self._why) from None
        if shown:  # else it is the check's own affair, and a verdict tells of the call before
            self._got = self.show(value)
        return value

    def put(self, **values: Any) -> None:
        """Set names of the learner's module, such as MAX_TURNS. They must be there, as they were at the start."""
        for name, value in values.items():
            source = "result = hasattr(module, name) and not setattr(module, name, value)"
            if self.run(source, name=name, value=value) is not True:
                wanted = f"{name}, as it was at the start (r puts the file back)"
                raise Failed("", f"no {name} in {self.file}", wanted, "")

    def stub(self, name: str, **members: Any) -> None:
        """Put a module of the check's in the way of an import, so that it does not depend on another lesson."""
        self.stubbed.add(name)
        self._stubs |= {id(member): (name, function) for function, member in members.items()}
        self._parent.ask("stub", name=name, members=self._parent.pack(members))

    def shape(self, function: Callable[..., Any]) -> Shape:
        """A function that the learner's code looks at and does not call."""
        return Shape(function)

    def real(self, name: str, default: Any = None) -> Any:
        """What the real agent's stand-in says of itself; `default` for every learner."""
        return getattr(self.shipped, name, default)

    def ask_walk(self, service: str, **question: Any) -> Any:
        """Ask for what needs a network. Raises RuntimeError with the reason when it could not be had."""
        from lessons.services import SERVICES

        try:
            return SERVICES[service](**question)
        except Exception as error:
            raise RuntimeError(f"{type(error).__name__}: {error}") from error

    def expect(self, holds: bool, expected: str, why: str = "", got: str | None = None, called: str = "") -> None:
        """End the case here unless `holds`."""
        if not holds:
            raise Failed(called or self._called, self._got if got is None else shorten(got), expected, why or self._why)

    def crashed(self, called: str, told: dict[str, Any], why: str) -> Failed:
        """Say what was raised and on which line of the learner's file."""
        if told["not_written"]:
            return Failed("", f"not written yet: {told['text']}", f"your own code in {self.file}", "")
        if "code" in told:
            return Failed(called, f"the code called sys.exit({told['code']})", "a value that comes back", why)
        text = f"{told['type']}: {shorten(told['text'])}" if told["text"] else told["type"]
        text = text.replace(str(self.work), "root")
        return Failed(
            called, f"it raised {text}" + (f" (line {told['line']})" if told["line"] else ""), self._expected, why
        )

    def _step(self, caller: str, called: str, shown: str) -> dict[str, str]:
        step = {"from": caller, "to": called, "called": printable(shorten(shown)), "got": ""}
        self._steps.append(step)
        if len(self._steps) > MOST_STEPS:
            del self._steps[1]
        return step

    def _hear(self, function: Any, given: list[Any], named: dict[str, Any]) -> Callable[[Any], object]:
        """The learner's code calls a function of the check's, which stands in for another part or was given to it."""
        name = getattr(function, "__name__", type(function).__name__.lower()).replace("<lambda>", "function")
        part, name = self._stubs.get(id(function), ("model" if name in MODELS else CHECK, name))
        shown = [*map(self.show, given), *(f"{key}={self.show(value)}" for key, value in named.items())]
        step = self._step(self._parent.part, part, f"{name}({', '.join(shown)})")

        def heard(value: Any) -> None:
            raised = isinstance(value, Exception)
            step["got"] = f"raised {type(value).__name__}: {shorten(str(value))}" if raised else self.show(value)

        return heard

    def show(self, value: Any) -> str:
        if isinstance(value, Shape):
            return value.function.__name__
        if isinstance(value, str | Path) and str(value) == str(self.work):
            return "root"
        if isinstance(value, dict | list):
            with contextlib.suppress(TypeError, ValueError, RecursionError):
                return shorten(json.dumps(value, ensure_ascii=False))
        if callable(value) and not isinstance(value, Odd):
            return getattr(value, "__name__", "a function")
        return shorten(repr(value), len(value) if isinstance(value, str) else None)


def shorten(text: str, count: int | None = None) -> str:
    """A text whole, or its beginning and how much there was of it: `count` characters, where the text is a repr that
    has more of them than what it stands for."""
    lines = text.split("\n")
    if len(lines) > MOST_LINES:
        text = "\n".join([*lines[:MOST_LINES], f"... ({len(lines) - MOST_LINES} more lines)"])
    if len(text) <= LONGEST_SHOWN:
        return text
    return f"{text[: LONGEST_SHOWN - 20]}... ({len(text) if count is None else count} characters)"


def printable(text: str) -> str:
    """A text in which what a terminal would obey, or not show, is spelled out; its lines and tabs stay."""
    return "".join(c if c in "\n\t" or c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def cut(text: str, width: int) -> str:
    """A text as one line of at most `width` characters, with dots where it went on."""
    line = printable(text).replace("\n", "\\n").replace("\t", "\\t")
    return line if len(line) <= width else f"{line[: width - 3]}..."
