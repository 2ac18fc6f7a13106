"""A scripted model as the tests of the command line need it: texts and calls, on either wire."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from offline.script import Call, Step, call
from offline.scripted import ScriptedServer, serving

Reply = tuple[str, Sequence[tuple[str, dict[str, Any]]]]  # a text, and calls as name and arguments


class Scripted:
    """`address` is where it listens; `requests` are the bodies it got, in order, as they were when they came."""

    def __init__(self, replies: Sequence[Reply], before_reply: Callable[[int], None]) -> None:
        self.replies, self.before_reply = list(replies), before_reply
        self.requests: list[dict[str, Any]] = []
        self.server: ScriptedServer

    @property
    def address(self) -> str:
        return self.server.address

    def environment(self, provider: str) -> dict[str, str]:
        if provider == "gemini":
            return {
                "LLM_PROVIDER": "gemini",
                "GEMINI_API_KEY": "a-secret-key-of-google",
                "GEMINI_BASE_URL": self.address,
            }
        key = {"LMSTUDIO_API_KEY": "a-secret-key-of-mine"}
        return {"LLM_PROVIDER": "lmstudio", "LMSTUDIO_BASE_URL": f"{self.address}/v1", **key}

    def step(self, wire: str, body: dict[str, Any]) -> Step:
        number = len(self.requests)
        self.requests.append(json.loads(json.dumps(body)))
        self.before_reply(number)
        text, asked = self.replies[min(number, len(self.replies) - 1)]
        given = {"openai": "id-{}-{}".format, "gemini": lambda number, index: "missing"}[wire]
        calls = [
            Call(name, arguments, given(number, index), f"signature {number}.{index}")
            for index, (name, arguments) in enumerate(asked)
        ]
        return call(*calls, text=text, usage=(10, 2))


@contextlib.contextmanager
def scripted(*replies: Reply, before_reply: Callable[[int], None] = lambda number: None) -> Iterator[Scripted]:
    """Serve until the block ends; after the last reply it is repeated."""
    script = Scripted(replies, before_reply)
    with serving(script=script.step) as script.server:
        yield script
