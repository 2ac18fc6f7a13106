"""The real agent in place of the learner's plan(): the notekeeper's tool, called as the loop calls it. It recites
nothing, since its result stands in the conversation: that function is the lesson's."""

from __future__ import annotations

import json
from typing import Any

from agent.contracts import ToolCall
from call_functions import dispatch
from functions.tool import Catalogue
from jobs.notekeeper.tools.plan import TOOL

Message = dict[str, Any]


def plan(steps: list[dict[str, str]], before: list[dict[str, str]], results: list[str]) -> str:
    return str(dispatch(ToolCall("c1", "plan", json.dumps({"steps": steps})), Catalogue([TOOL]), {}))


def recite(messages: list[Message], shown: str) -> list[Message]:
    return [*messages, {"role": "user", "content": shown}] if shown else messages
