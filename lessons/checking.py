"""What a check works with: it calls the learner's code, compares, and talks. Runs in the child process.

A check never asserts: it says what was called, what came back, what was expected and why that matters.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any

LONGEST_SHOWN = 500  # characters of a value in a talk


class Failed(Exception):
    """A case that does not hold, in four parts."""

    def __init__(self, called: str, got: str, expected: str, why: str) -> None:
        super().__init__(called, got, expected, why)
        self.parts = {"called": called, "got": got, "expected": expected, "why": why}


class Check:
    """One run of a check: the learner's module, a folder to work in, the cases so far, what to show after a pass."""

    def __init__(self, load: Callable[[], ModuleType], file: str, scratch: Path, ask_walk: Callable[..., Any]) -> None:
        self.file = file  # as the learner knows it: my_agent/confine.py
        self.work = scratch / "work"  # a folder that the check may use; prepare() has filled it
        self.ask_walk = ask_walk  # ask the walk, outside the sandbox, for what needs a network
        self.cases: list[dict[str, Any]] = []
        self.picture: list[str] = []
        self.recording: dict[str, Any] | None = None  # a run for the trace player
        self._load, self._stage = load, scratch / "stage"
        self._module: ModuleType | None = None
        self._called = self._got = self._why = ""
        self._expected = "no exception"

    @property
    def module(self) -> ModuleType:
        """The learner's module, loaded when it is first used."""
        if self._module is None:
            self.doing(f"loading {self.file}")
            try:
                self._module = self._load()
            except SyntaxError as error:
                place = f"line {error.lineno}: {(error.text or '').strip()}"
                raise Failed("", f"{error.msg} at {place}", f"a file that Python can read: {self.file}", "") from None
            except BaseException as error:
                raise self.crashed(f"loading {self.file}", error, "") from None
        return self._module

    @contextlib.contextmanager
    def case(self, title: str, why: str = "", expected: str = "no exception") -> Iterator[None]:
        """One thing that must hold. `expected` and `why` are said when the learner's code raises inside."""
        self._called = self._got = ""
        self._expected, self._why = expected, why
        case: dict[str, Any] = {"title": title, "state": "ok"}
        self.cases.append(case)
        try:
            yield
        except Failed as failed:
            case.update(state="failed", **failed.parts)
        except Exception as error:  # of the check, at an odd value that came back
            expected = f"something of another kind ({type(error).__name__}: {error})"
            case.update(state="failed", **Failed(self._called, self._got, expected, why).parts)

    def skip(self, title: str, reason: str) -> None:
        """A case that cannot be checked on this system. It counts neither way."""
        self.cases.append({"title": f"{title}: not checked here ({reason})", "state": "skipped"})

    def call(self, function: str, *arguments: Any, shown: str = "") -> Any:
        """Call the learner's function. Whatever it raises becomes the case's talk."""
        self._called = shown or f"{function}({', '.join(self.show(argument) for argument in arguments)})"
        self._got = ""
        module = self.module
        if not callable(getattr(module, function, None)):
            raise Failed("", f"no function {function}", f"a function {function}(...) in {self.file}", "")
        self.doing(self._called)
        try:
            value = getattr(module, function)(*arguments)
        except BaseException as error:
            raise self.crashed(self._called, error, self._why) from None
        self._got = self.show(value) if value is not None else "None: is a return missing?"
        return value

    def member(self, name: str, kind: type) -> Any:
        """What the learner's file must hold beside its functions, since start.py had it."""
        value = getattr(self.module, name, None)
        if not isinstance(value, kind):
            raise Failed("", f"no {name} in {self.file}", f"{name}, as it was at the start (r puts the file back)", "")
        return value

    def expect(self, holds: bool, expected: str, why: str = "", got: str | None = None, called: str = "") -> None:
        """End the case here unless `holds`."""
        if not holds:
            raise Failed(called or self._called, self._got if got is None else got, expected, why or self._why)

    def crashed(self, called: str, error: BaseException, why: str) -> Failed:
        """Say what was raised and on which line of the learner's file."""
        if isinstance(error, NotImplementedError):
            return Failed("", f"not written yet: {error}", f"your own code in {self.file}", "")
        if isinstance(error, SystemExit):
            return Failed(called, f"the code called sys.exit({error.code!r})", "a value that comes back", why)
        text = f"{type(error).__name__}: {shorten(str(error))}" if str(error) else type(error).__name__
        text = text.replace(str(self.work), "root")
        line = line_in(self.file, error.__traceback__)
        return Failed(called, f"it raised {text}" + (f" (line {line})" if line else ""), self._expected, why)

    def doing(self, what: str) -> None:
        """Leave a note of what is under way, for the case that it never ends."""
        with contextlib.suppress(OSError):
            self._stage.write_text(shorten(what), encoding="utf-8", errors="backslashreplace")

    def show(self, value: Any) -> str:
        if isinstance(value, str | Path) and str(value) == str(self.work):
            return "root"
        if isinstance(value, dict | list):
            with contextlib.suppress(TypeError, ValueError, RecursionError):
                return shorten(json.dumps(value, ensure_ascii=False))
        if callable(value):
            return getattr(value, "__name__", "a function")
        try:
            return shorten(repr(value))
        except Exception as error:
            return f"a {type(value).__name__} whose repr fails ({type(error).__name__})"


def shorten(text: str) -> str:
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 20]}... ({len(text)} characters)"


def line_in(file: str, trace: TracebackType | None) -> int:
    """The last line of the learner's file that an exception passed through; 0 when there is none."""
    line, name = 0, os.path.basename(file)  # noqa: PTH119 - a plain comparison of names
    while trace:
        if os.path.basename(trace.tb_frame.f_code.co_filename) == name:  # noqa: PTH119
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


class Relay:
    """Asks the walk for what the sandbox has no network for: a file with the question, a file with the answer."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.number = folder, 0

    def __call__(self, service: str, **question: Any) -> Any:
        """Return the walk's answer. Raises RuntimeError with its reason when it could not give one."""
        self.number += 1
        asked, answered = (self.folder / f"{self.number}.{kind}" for kind in ("asked", "answered"))
        draft = asked.with_suffix(".draft")
        draft.write_text(json.dumps({"service": service, **question}), encoding="utf-8")
        draft.rename(asked)
        while not answered.exists():
            time.sleep(0.002)
        answer = json.loads(answered.read_text(encoding="utf-8"))
        if "problem" in answer:
            raise RuntimeError(answer["problem"])
        return answer["answer"]


def stub(name: str, **members: Any) -> ModuleType:
    """Put a module of that name in the way of an import, so that a check does not depend on another lesson."""
    module = ModuleType(name)
    vars(module).update(members)
    sys.modules[name] = module
    return module
