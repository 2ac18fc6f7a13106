"""Lesson 1: what goes over the wire, in the first request and in the second."""

from __future__ import annotations

import json
from typing import Any

NEEDS = ("openai",)
SYSTEM = "You are a careful coding agent."
TASK = "Where is the bug in calculator.py?"
REPLY = "I think it is in line 19."
MORE = "Are you sure?"


def check(lesson: Any) -> None:
    with lesson.case("a list that can grow"):
        messages = lesson.call("start", SYSTEM, TASK)
        lesson.expect(
            isinstance(messages, list),
            "a list that can grow: [ ... ]",
            "the conversation gets longer with each turn; a list has append()",
        )
        lesson.expect(
            all(isinstance(message, dict) and {"role", "content"} <= set(message) for message in messages),
            'a list of dictionaries, each of the form {"role": ..., "content": ...}',
            "the server looks for these two names: who speaks, and what is said",
        )
    with lesson.case("another task begins a conversation of its own"):
        lesson.call("start", SYSTEM, TASK).append({"role": "assistant", "content": REPLY})
        other = lesson.call("start", SYSTEM, "Write a test.")
        lesson.expect(
            all(TASK not in str(message) for message in other),
            "a list of its own for each conversation, with nothing of the last task in it",
            "a list made outside the function is shared by all calls",
        )
    with lesson.case("two messages, the right roles, in order"):
        roles = [message.get("role") for message in lesson.call("start", SYSTEM, TASK)]
        lesson.expect(
            len(roles) == 2,
            "two messages: the system text is a message of its own, and so is the task",
            "models are trained to obey the system message over the user's; glued together, that is lost",
        )
        lesson.expect(
            roles != ["user", "system"],
            "the system message comes first, then the task",
            "a model reads from top to bottom, and many servers refuse a system message further down",
        )
        lesson.expect(
            roles == ["system", "user"],
            'the first said by the role "system"; the task is said by the role "user"',
            'the server knows three speakers: "system", "user" and "assistant", which is the model itself',
        )
    with lesson.case("each content is the text as it was given"):
        contents = [message.get("content") for message in lesson.call("start", SYSTEM, TASK)]
        wanted = f"the contents {SYSTEM!r} and {TASK!r}"
        lesson.expect(contents == [SYSTEM, TASK], wanted, "the words must be those that came in as arguments")
    with lesson.case("the first request on the wire"):
        messages = lesson.call("start", SYSTEM, TASK)
        first = lesson.ask_walk("openai", messages=messages, replies=[{"text": REPLY}])
        lesson.expect(not first["problem"], "a request that a server takes", got=first["problem"])
        sent = first["requests"][0]["messages"]
        wanted = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": TASK}]
        lesson.expect(sent == wanted, "your two messages in the body of the request", got=lesson.show(sent))
    with lesson.case("the second request: nothing is lost"):
        messages = lesson.call("start", SYSTEM, TASK)
        messages.append({"role": "assistant", "content": REPLY})
        messages.append({"role": "user", "content": MORE})
        second = lesson.ask_walk("openai", messages=messages, replies=[{"text": "Yes."}])
        sent = second["requests"][0]["messages"]
        lesson.expect(
            [message["content"] for message in sent] == [SYSTEM, TASK, REPLY, MORE],
            "four messages: the first two, the reply, the question",
            "the model remembers nothing: what is not in this list never happened",
            got=lesson.show(sent),
        )
        lesson.picture.append(wire(second["requests"][0]))


def wire(body: dict[str, Any]) -> str:
    lines = [f"  {json.dumps(message)}," for message in body["messages"]]
    return "\n".join(["Your list, as it went over the wire the second time:", '"messages": [', *lines, "]"])
