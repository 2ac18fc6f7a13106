"""The child process: answers calls of the learner's functions, and does nothing else. It holds no case, no expected
value and no verdict: those stay with parent.py, which starts it behind the sandbox.

It runs from a copy, in a scratch folder that holds `parts/` (the learner's file and those that it imports), `work/`,
and two pipes: a JSON message a line comes through `asked`, and goes through `answered`. The arguments: the name of the
part, and for the real agent in the learner's place the file that stands in, and the project that it imports.
"""

from __future__ import annotations

import base64
import builtins
import functools
import importlib
import importlib.util
import json
import os
import queue
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

TAG = "$"  # the key of an object that stands for what JSON has no word for
LONGEST_REPR = 500


def pack(value: Any, named: Callable[[Any], dict[str, Any]], depth: int = 0) -> Any:
    """A value as JSON holds it; `named` says what stands for a function, and for anything else."""
    if value is None or isinstance(value, bool | str | int | float):
        return value
    if depth > 100:
        return odd(value)
    inner = functools.partial(pack, named=named, depth=depth + 1)
    if isinstance(value, list):
        return [inner(each) for each in value]
    if isinstance(value, dict):
        if TAG not in value and all(isinstance(key, str) for key in value):
            return {key: inner(each) for key, each in value.items()}
        return {TAG: "dict", "items": [[inner(key), inner(each)] for key, each in value.items()]}
    if isinstance(value, tuple | set | frozenset):
        return {TAG: "tuple" if isinstance(value, tuple) else "set", "items": [inner(each) for each in value]}
    if isinstance(value, bytes):
        return {TAG: "bytes", "text": base64.b64encode(value).decode()}
    if hasattr(value, "model_dump"):  # a provider's own type, such as types.Content: what it sends
        return inner(value.model_dump(mode="json", by_alias=True, exclude_none=True))
    return named(value)


def odd(value: Any) -> dict[str, Any]:
    try:
        shown = repr(value)[:LONGEST_REPR]
    except Exception as error:
        shown = f"a {type(value).__name__} whose repr fails ({type(error).__name__})"
    return {TAG: "odd", "repr": shown}


def unpack(value: Any, special: Callable[[dict[str, Any]], Any]) -> Any:
    """The value again; `special` makes what stands for a function, and what has no other word."""
    if isinstance(value, list):
        return [unpack(each, special) for each in value]
    if not isinstance(value, dict):
        return value
    if TAG not in value:
        return {key: unpack(each, special) for key, each in value.items()}
    kind = value[TAG]
    if kind in ("tuple", "set", "dict"):
        items = [unpack(each, special) for each in value["items"]]
        return {"tuple": tuple, "set": set, "dict": dict}[kind](items)
    return base64.b64decode(value["text"]) if kind == "bytes" else special(value)


def compiled(source: str) -> Any:
    return compile(source, "<check>", "exec", dont_inherit=True)


class Child:
    """Both ends of the talk as this process has them: calls to answer one after the other, and the parent's functions,
    which any thread may call."""

    def __init__(self) -> None:
        self.scratch, self.part, self.stands_in = Path.cwd(), sys.argv[1], sys.argv[2:]
        self.process = os.getpid()
        self.asked, self.said = open("asked", "rb", buffering=0), open("answered", "ab", buffering=0)  # noqa: PTH123, SIM115
        self.writing, self.calls = threading.Lock(), queue.SimpleQueue[dict[str, Any]]()
        self.waiting: dict[int, queue.SimpleQueue[dict[str, Any]]] = {}
        self.number = 0
        self.module: ModuleType | None = None

    def listen(self) -> None:
        """Hand each message on: a call to the main thread, the parent's answer to the thread that waits for it. An
        answer that nobody waits for any more is no call."""
        rest = b""
        while True:
            part = self.asked.read(65536)
            if not part:
                time.sleep(0.001)  # a system without named pipes: the file has not grown
                continue
            *lines, rest = (rest + part).split(b"\n")
            for line in lines:
                message = json.loads(line)
                if waiting := self.waiting.get(message["to"]) if "to" in message else self.calls:
                    waiting.put(message)

    def say(self, message: dict[str, Any]) -> None:
        if os.getpid() != self.process:  # the learner's code forked, and this is the copy
            os._exit(0)
        line = json.dumps(message).encode() + b"\n"
        with self.writing:
            while line:
                line = line[self.said.write(line) :]

    def answer_all(self) -> None:
        threading.Thread(target=self.listen, daemon=True).start()
        while (message := self.calls.get())["do"] != "end":
            try:
                said = getattr(self, f"do_{message['do']}")(message)
            except BaseException as error:
                said = {"raised": self.described(error)}
            try:
                self.say({"id": message["id"], **said})
            except (ValueError, TypeError, RecursionError) as error:
                self.say({"id": message["id"], "value": {TAG: "odd", "repr": f"what JSON cannot hold ({error})"}})
            sys.stdout.flush()
        os._exit(0)  # threads that the learner's code left behind have nothing to say

    def do_warm(self, message: dict[str, Any]) -> dict[str, Any]:
        """Import what the learner's file will import and is not theirs: it may take its time."""
        for name in message["names"]:
            try:
                importlib.import_module(name)
            except BaseException:  # noqa: S112 - the file itself will say so
                continue
        return {}

    def do_load(self, _: dict[str, Any]) -> dict[str, Any]:
        if self.stands_in:
            sys.path.insert(0, self.stands_in[1])
            spec = importlib.util.spec_from_file_location("shipped", self.stands_in[0])
            self.module = importlib.util.module_from_spec(spec)  # type: ignore[arg-type]
            sys.modules["shipped"] = self.module
            spec.loader.exec_module(self.module)  # type: ignore[union-attr]
        else:
            self.module = importlib.import_module(self.part)
        return {}

    def do_call(self, message: dict[str, Any]) -> dict[str, Any]:
        """Call a function of the learner's; beside its value goes what it has changed in its arguments."""
        function = getattr(self.module, message["name"], None)
        if not callable(function):
            return {"missing": True}
        given = self.unpack(message["arguments"])
        before = [json.dumps(self.pack(each)) if isinstance(each, list | dict) else None for each in given]
        value = self.pack(function(*given))
        after = [self.pack(each) if isinstance(each, list | dict) else None for each in given]
        pairs = enumerate(zip(before, after, strict=True))
        changed = {number: now for number, (old, now) in pairs if now is not None and json.dumps(now) != old}
        return {"value": value, "changed": changed}

    def do_run(self, message: dict[str, Any]) -> dict[str, Any]:
        """Run a few lines of a check; what they leave in `result` goes back."""
        names = {"module": self.module, **self.unpack(message["values"])}
        exec(compiled(message["source"]), names)
        return {"value": self.pack(names.get("result"))}

    def do_stub(self, message: dict[str, Any]) -> dict[str, Any]:
        """Put a module in the way of an import, so that a check does not depend on another lesson."""
        sys.modules[message["name"]] = made = ModuleType(message["name"])
        vars(made).update(self.unpack(message["members"]))
        return {}

    def pack(self, value: Any) -> Any:
        return pack(value, lambda function: getattr(function, "_stands_for", None) or odd(function))

    def unpack(self, value: Any) -> Any:
        return unpack(value, self.function)

    def function(self, told: dict[str, Any]) -> Any:
        """A function that looks as the parent's does. Calling it calls theirs; a shape alone is only looked at."""
        names: dict[str, Any] = {}
        if told[TAG] == "import":
            return getattr(importlib.import_module(told["module"]), told["name"])
        exec(compiled(f"def {told['name']}{told['signature']}:\n    {told['doc']!r}\n"), names)
        shape = names[told["name"]]
        if told[TAG] == "shape":
            return shape

        @functools.wraps(shape)
        def call(*given: Any, **named: Any) -> Any:
            shape(*given, **named)  # raises what Python raises for arguments that do not fit
            return self.ask(told["number"], given, named)

        call._stands_for = told  # type: ignore[attr-defined]
        return call

    def ask(self, number: int, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """Call a function of the parent's; what it raises is raised here."""
        reply: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        with self.writing:
            self.number += 1
            mine = self.number
        self.waiting[mine] = reply
        self.say({"call": number, "from": mine, "given": self.pack(list(given)), "named": self.pack(named)})
        message = reply.get()
        del self.waiting[mine]
        if "raised" in message:
            kind = getattr(builtins, message["raised"], RuntimeError)
            raise kind(*message["arguments"])
        return self.unpack(message["value"])

    def described(self, error: BaseException) -> dict[str, Any]:
        """What was raised, and on which line of the learner's file."""
        told: dict[str, Any] = {"type": type(error).__name__, "text": "", "line": 0}
        told["not_written"] = isinstance(error, NotImplementedError)
        try:
            told["text"] = str(error)[: 4 * LONGEST_REPR]
        except Exception as second:
            told["text"] = f"(its text fails: {type(second).__name__})"
        if isinstance(error, SystemExit):
            told["code"] = repr(error.code)[:LONGEST_REPR]
        if isinstance(error, SyntaxError):
            told["place"] = f"line {error.lineno}: {(error.text or '').strip()[:LONGEST_REPR]}"
            told["text"] = str(error.msg)
        trace = error.__traceback__
        while trace:
            if Path(trace.tb_frame.f_code.co_filename).name == f"{self.part}.py":
                told["line"] = trace.tb_lineno
            trace = trace.tb_next
        return told


if __name__ == "__main__":
    sys.path[0] = str(Path.cwd() / "parts")
    Child().answer_all()
