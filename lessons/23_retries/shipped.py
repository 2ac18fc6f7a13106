"""The real agent in place of the learner's persist(): its policy, with the lesson's clock in the place of its own."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from agent.errors import Passing, ProviderError
from agent.retries import persist as again

PASSES = (408, 429, 500, 502, 503, 504)


def persist(attempt: Callable[[], dict[str, Any]], sleep: Callable[[float], None]) -> str:
    run = SimpleNamespace(go_on=lambda seconds=0.0: sleep(seconds) if seconds else None, notice=lambda text: None)

    def once() -> str:
        try:
            reply = attempt()
        except TimeoutError:
            raise Passing("It did not answer in time.") from None
        if reply["status"] == 200:
            return reply["text"]
        if reply["status"] in PASSES:
            raise Passing(reply["text"], wait=reply["wait"])
        raise ProviderError(reply["text"])

    try:
        try:
            return once()
        except Passing as failure:
            return again(once, failure, None, run)
    except ProviderError as error:
        return f"Error: {error}"
