"""Answer a question about a project: what kind it is, what to look at, what to quote.

A plan is a generator: it yields the calls it needs and is given their results. Each request replays it over the results
that the conversation holds, up to the first call that was not made yet: so nothing is kept between requests.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from typing import Any

from offline.librarian.bugs import explain_failure
from offline.librarian.data import count_or_value
from offline.librarian.facts import static_fact
from offline.librarian.question import read_question
from offline.librarian.steps import Plan
from offline.librarian.together import compare, quote_places, request_path
from offline.wire.conversation import Conversation, Decision, Think

MOST_CALLS = 9  # with the tenth no tool may be called any more
NOT_MADE = "Error: this call was not made"
ABOUT = {
    "wiki": "the documents",
    "source": "the source",
    "data": "data behind the API",
    "bug": "a failure",
    "compare": "two things to compare",
    "path": "the path of a request",
}
PLANS = {
    "wiki": quote_places,
    "source": static_fact,
    "data": count_or_value,
    "bug": explain_failure,
    "compare": compare,
    "path": request_path,
}


def decide(conversation: Conversation, think: Think, cancelled: threading.Event) -> Decision:
    """Return the next calls, or the answer."""
    description = conversation.schemas.get("query_api", {}).get("description", "")
    question = read_question(conversation.prompt, str(description))
    if not conversation.steps:
        think(f"A question about {ABOUT[question.kind]}.")
    return _replayed(PLANS[question.kind](question), conversation)


def _replayed(plan: Plan, conversation: Conversation) -> Decision:
    known = {_key(step.name, step.arguments): step.result for step in conversation.steps}
    made = len(conversation.steps)
    try:
        wanted = next(plan)
        while True:
            missing = [call for call in wanted if _key(call.name, call.arguments) not in known]
            possible = [call for call in missing if call.name in conversation.tools][: max(0, MOST_CALLS - made)]
            if possible:
                return Decision("", tuple(possible))
            wanted = plan.send([known.get(_key(call.name, call.arguments), NOT_MADE) for call in wanted])
    except StopIteration as done:
        return Decision(str(done.value))


def _key(name: str, arguments: Mapping[str, Any]) -> str:
    return json.dumps([name, dict(arguments)], sort_keys=True, default=str)
