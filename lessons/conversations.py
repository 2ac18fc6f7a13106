"""What the checks of several lessons ask of a conversation: would a server take it, could it keep what it has read?"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

Message = dict[str, Any]


def orphans(messages: Sequence[Message]) -> str:
    """A call without its result, or a result without its call, which a server would refuse; "" where there is none."""
    waiting: list[str] = []
    for message in messages:
        if message["role"] == "tool":
            if message["tool_call_id"] not in waiting:
                return f"the result of {message['tool_call_id']} is an orphan: its call is gone"
            waiting.remove(message["tool_call_id"])
        elif waiting:
            break
        else:
            waiting = [call["id"] for call in message.get("tool_calls", ())]
    return f"{', '.join(waiting)} has no result" if waiting else ""


def begun_anew(requests: Sequence[list[Message]]) -> int:
    """How many requests do not begin as the one before did."""
    return sum(now[: len(last)] != last for last, now in pairwise(requests))
