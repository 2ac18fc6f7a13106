"""The real agent in place of the learner's read_reply(): its reader, with chunks as OpenAI's SDK hands them over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from types import SimpleNamespace
from typing import Any

from agent.errors import Passing
from functions.tool import Catalogue
from providers.openai_wire import read_reply as read

LONGEST_THOUGHT = 10_000


class Stream:
    """What the SDK returns for stream=True, over a line on which nothing but a finish reason tells the end."""

    def __init__(self, chunks: Iterable[dict[str, Any]]) -> None:
        self.chunks = chunks
        self.response = SimpleNamespace(headers={})

    def __iter__(self) -> Iterator[Any]:
        return (SimpleNamespace(to_dict=lambda warnings, chunk=chunk: chunk) for chunk in self.chunks)


def read_reply(chunks: Iterable[dict[str, Any]], show: Callable[[str], None]) -> dict[str, Any]:
    nothing = lambda text: None  # noqa: E731
    run = SimpleNamespace(text=show, thought=nothing, notice=nothing, turns=1, catalogue=Catalogue([]))
    try:
        reply = read(Stream(chunks), run, LONGEST_THOUGHT)  # type: ignore[arg-type]
    except Passing as error:
        raise ConnectionError(str(error)) from None
    return dict(reply.message)
