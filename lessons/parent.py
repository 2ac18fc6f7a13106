"""The walk's end of the talk with child.py, in which the learner's code runs. Whatever comes from there is only a
value: it is judged here, out of its reach.
"""

from __future__ import annotations

import contextlib
import inspect
import json
import os
import select
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lessons.child import TAG, odd, pack, unpack
from lessons.course import LESSONS, PROJECT

SECONDS = 4.5  # of the learner's own time; what a model, a check, an import or the machine takes is not counted
MODEL_SECONDS = 60.0  # for all of that
LARGEST_ANSWER = 16 * 2**20
LOOK_SECONDS = 0.02
LATE_SECONDS = 0.1  # a look that comes back later than that tells of a machine that stood still
MOST_CROWDED = 3.0  # times: a loop without an end is told in 14 seconds, however much else runs
MOST_UNDER_WAY, MOST_CALLS = 100, 5000  # of a check's functions: at the same time, and in all


class Gone(Exception):
    """The child answers no more: `why` is "time", a reason of the sandbox's, a signal, or "" when it ended itself."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Raised(Exception):
    """The learner's code raised: `told` is what child.py says of it."""

    def __init__(self, said: dict[str, Any]) -> None:
        known = {"type": "Exception", "text": "", "line": 0, "not_written": False}
        told = known | {name: said[name] for name in known if isinstance(said.get(name), type(known[name]))}
        told |= {name: str(said[name]) for name in ("code", "place") if name in said}
        super().__init__(f"{told['type']}: {told['text']}" + (f" (line {told['line']})" if told["line"] else ""))
        self.told = told


class Odd:
    """A value that JSON has no word for, such as a generator. It is equal to nothing but itself."""

    def __init__(self, shown: str) -> None:
        self.shown = shown

    def __repr__(self) -> str:
        return self.shown


@dataclass(frozen=True)
class Shape:
    """A function for the learner's code to look at: its name, parameters and docstring, and nothing in it."""

    function: Callable[..., Any]


class Parent:
    """A child for one check or one run, as a context manager. Its code is held by the sandbox of this system; the real
    agent, which `stands_in` for a learner, is not. Whoever sets `stopped` ends it."""

    def __init__(
        self,
        scratch: Path,
        part: str,
        seconds: float = SECONDS,
        readable: Sequence[Path] = (),
        stands_in: Path | None = None,
        seconds_of_models: float = MODEL_SECONDS,
        stopped: threading.Event | None = None,
    ) -> None:
        self.scratch, self.part, self.left, self.readable = scratch, part, seconds, readable
        self.in_all = seconds + seconds_of_models
        self.stands_in = stands_in
        self.printed, self.problem = "", None
        self._stopped, self._why, self._number, self._served = stopped or threading.Event(), "", 0, 0
        self._ended = threading.Event()
        self._functions: list[Callable[..., Any]] = []
        # Told of each call of one of them; what it returns is told what came of that.
        self.hear: Callable[..., Callable[[Any], object]] = lambda *_: lambda _: None
        self._talking, self._writing, self._counting = threading.Lock(), threading.Lock(), threading.Lock()
        self._rest = b""
        self._under_way, self._since, self._excused = 0, 0.0, 0.0

    def __enter__(self) -> Parent:
        shutil.copy(LESSONS / "child.py", self.scratch)
        for name in ("asked", "answered"):
            path = self.scratch / name
            path.unlink(missing_ok=True)
            os.mkfifo(path, 0o600) if hasattr(os, "mkfifo") else path.touch()
        flags = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        self._out = os.open(self.scratch / "asked", os.O_RDWR | os.O_APPEND | flags)
        self._in = os.open(self.scratch / "answered", os.O_RDWR | flags)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(Gone):
            self._write({"do": "end"})
        if not self._ended.wait(0.3):
            self._stopped.set()
        self._thread.join()
        os.close(self._out)
        os.close(self._in)
        for name in ("asked", "answered", "child.py"):
            with contextlib.suppress(OSError):
                (self.scratch / name).unlink()

    def _run(self) -> None:
        try:
            if self.stands_in:
                self._run_the_real_agent(["child.py", self.part, str(self.stands_in), str(PROJECT)])
            else:
                self._run_confined(["child.py", self.part])
        except Exception as error:
            self.problem = error
        finally:
            self._ended.set()

    def _run_confined(self, arguments: list[str]) -> None:
        from sandbox.files.root import Root
        from sandbox.running.process import Limits, run_python

        limits = Limits(seconds=self.in_all, output_bytes=20_000)
        with Root(self.scratch) as root:
            outcome = run_python(root, arguments, limits=limits, cancelled=self._stopped, readable=self.readable)
        self._why = outcome.stopped_for or (f"signal {outcome.signal}" if outcome.signal else "")
        self.printed = "\n".join(filter(None, [outcome.stdout.rstrip(), outcome.stderr.rstrip()]))

    def _run_the_real_agent(self, arguments: list[str]) -> None:
        command = [sys.executable, "-s", *arguments]
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        with subprocess.Popen(command, cwd=self.scratch, **streams) as process:  # type: ignore[call-overload]

            def end() -> None:
                self._stopped.wait(120)
                process.kill()  # nothing where it has ended: Popen knows

            threading.Thread(target=end, daemon=True).start()
            self.printed = process.stdout.read().decode(errors="replace")
            process.wait()
            self._stopped.set()

    def ask(self, do: str, counted: bool = True, **message: Any) -> dict[str, Any]:
        """Let the child do one thing, and serve its calls meanwhile. Raises Gone and Raised."""
        with self._talking:
            self._number += 1
            self._write({"id": self._number, "do": do, **message})
            began, excused = time.monotonic(), self._excused
            slower = crowd()
            limit = (self.left if counted else MODEL_SECONDS) * slower
            try:
                while True:
                    said = self._read(lambda: time.monotonic() - began - self._not_counted(excused) > limit)
                    if said.get("id") == self._number:
                        break
                    if "call" in said:
                        self._served += 1
                        if self._under_way >= MOST_UNDER_WAY or self._served > MOST_CALLS:
                            self._stopped.set()
                            raise Gone("processes")
                        threading.Thread(target=self._serve, args=(said,), daemon=True).start()
            finally:
                if counted:
                    self.left -= (time.monotonic() - began - self._not_counted(excused)) / slower
        if isinstance(said.get("raised"), dict):
            raise Raised(said["raised"])
        return said

    def call(self, name: str, arguments: Sequence[Any]) -> Any:
        """Call one of the learner's functions; what it changes in a list or a dictionary is changed here. Raises
        LookupError where there is no such function."""
        said = self.ask("call", name=name, arguments=self.pack(list(arguments)))
        if said.get("missing"):
            raise LookupError(name)
        for number, now in said.get("changed", {}).items():
            given, after = arguments[int(number)], self.unpack(now)
            given.clear()
            given.extend(after) if isinstance(given, list) else given.update(after)
        return self.unpack(said.get("value"))

    def run(self, source: str, **values: Any) -> Any:
        """Run a few lines of the check's where the learner's code runs: they see `module` and the values, and leave
        `result`. What comes back is as little to be believed as what a function returns."""
        return self.unpack(self.ask("run", source=source, values=self.pack(values)).get("value"))

    def pack(self, value: Any) -> Any:
        return pack(value, self._named)

    def unpack(self, value: Any) -> Any:
        return unpack(value, self._special)

    def _named(self, value: Any) -> dict[str, Any]:
        if isinstance(value, Shape) and self.stands_in:
            return {TAG: "import", "module": value.function.__module__, "name": value.function.__name__}
        function = value.function if isinstance(value, Shape) else value
        if not callable(function):
            return odd(value)
        try:
            signature = str(inspect.signature(function))
        except (TypeError, ValueError):
            signature = "(*given, **named)"
        name = getattr(function, "__name__", "function")
        told = {"name": name if name.isidentifier() else "function", "doc": inspect.getdoc(function) or ""}
        if isinstance(value, Shape):
            return {TAG: "shape", "signature": signature, **told}
        self._functions.append(value)
        return {TAG: "function", "number": len(self._functions) - 1, "signature": signature, **told}

    def _special(self, told: dict[str, Any]) -> Any:
        number = told.get("number")
        if told.get(TAG) == "function" and isinstance(number, int) and 0 <= number < len(self._functions):
            return self._functions[number]
        return Odd(str(told.get("repr", told))[:500])

    def _serve(self, said: dict[str, Any]) -> None:
        """Answer a call of one of the check's functions."""
        answer: dict[str, Any] = {"to": said.get("from")}
        heard: Callable[[Any], object] = lambda _: None  # noqa: E731 - until it is known what was called
        try:
            with self._not_their_time():
                function = self._functions[said["call"]]
                given, named = self.unpack(said["given"]), self.unpack(said["named"])
                heard = self.hear(function, given, named)
                value = function(*given, **named)
                heard(value)
                answer["value"] = self.pack(value)
        except Exception as error:
            heard(error)
            plain = [each for each in error.args if isinstance(each, str | int)]
            answer |= {"raised": type(error).__name__, "arguments": plain}
        with contextlib.suppress(Gone, OSError):
            self._write(answer)

    @contextlib.contextmanager
    def _not_their_time(self) -> Iterator[None]:
        with self._counting:
            if not self._under_way:
                self._since = time.monotonic()
            self._under_way += 1
        try:
            yield
        finally:
            with self._counting:
                self._under_way -= 1
                if not self._under_way:
                    self._excused += time.monotonic() - self._since

    def _not_counted(self, before: float) -> float:
        """Seconds since then in which one of the check's functions was under way."""
        with self._counting:
            return self._excused - before + (time.monotonic() - self._since if self._under_way else 0.0)

    def _write(self, message: dict[str, Any]) -> None:
        line = json.dumps(message).encode() + b"\n"
        with self._writing:
            while line:
                try:
                    line = line[os.write(self._out, line) :]
                except BlockingIOError:  # the pipe is full, and the child does not read
                    select.select([], [self._out], [], LOOK_SECONDS)
                    if self._ended.is_set() or self._stopped.is_set():
                        raise self._gone() from None

    def _read(self, too_late: Callable[[], bool]) -> dict[str, Any]:
        """The next message; what is none is passed over."""
        while True:
            while b"\n" not in self._rest:
                ended = self._ended.is_set()
                part = self._receive()
                self._rest += part
                if len(self._rest) > LARGEST_ANSWER:
                    self._stopped.set()
                    raise Gone("output")
                if part:
                    continue
                if ended:
                    raise self._gone()
                if too_late():
                    self._stopped.set()
                    raise Gone("time")
            line, _, self._rest = self._rest.partition(b"\n")
            with contextlib.suppress(ValueError, RecursionError):
                if isinstance(message := json.loads(line), dict):
                    return message

    def _receive(self) -> bytes:
        began = time.monotonic()
        if hasattr(os, "mkfifo"):
            select.select([self._in], [], [], LOOK_SECONDS)
        else:
            time.sleep(0.001)
        if (took := time.monotonic() - began) > LATE_SECONDS:
            with self._counting:
                self._excused += 0.0 if self._under_way else took
        try:
            return os.read(self._in, 2**20)
        except BlockingIOError:
            return b""

    def _gone(self) -> Gone:
        return Gone(self._why)


def crowd() -> float:
    """How many times as long as alone a program takes on this machine now, between 1 and MOST_CROWDED: what is ready to
    run, for each processor. 1 where the system does not tell."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    return min(max(1.0, load / (os.cpu_count() or 1)), MOST_CROWDED)
