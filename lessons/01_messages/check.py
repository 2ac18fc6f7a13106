"""Lesson 1: what goes over the wire, in the first request and in the second."""

from __future__ import annotations

import json
from typing import Any

NEEDS = ("openai",)


def check(lesson: Any) -> None:
    system, task, reply, more = (lesson.fresh.sentence() for _ in range(4))
    with lesson.case("a list that can grow", "the conversation gets longer with each turn, and all of it is sent"):
        messages = lesson.call("start", system, task)
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
    own = "a list of its own for each conversation, with nothing of the last one in it"
    with lesson.case("another task begins a conversation of its own", "a conversation knows nothing of another"):
        said = {"role": "assistant", "content": reply}
        talk = "talk = module.start(*given)\ntalk[0]['content'] = said['content']\ntalk.append(said)"
        lesson.run(talk, "start(system, task)", given=[system, task], said=said)
        other = lesson.call("start", system, more)
        shared = "a list made outside the function, or as a default value, is shared by all calls"
        lesson.expect(all(task not in str(message) for message in other), own, shared)
        again = lesson.call("start", system, task)
        kept = "who asks the same twice begins anew, too: a list that is kept from the last time holds its replies"
        lesson.expect(all(reply not in str(message) for message in again), own, kept)
    with lesson.case("two messages, the right roles, in order", "the roles tell the model who speaks"):
        roles = [message.get("role") for message in lesson.call("start", system, task)]
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
    with lesson.case("each content is the text as it was given", "the words must be those that came in"):
        odd = f"  {lesson.fresh.sentence()}\n\n    keep {{this}} as it is, 'quotes' too\n"
        lines = "\r\n".join(f"\t{lesson.fresh.sentence()} \\n" for _ in range(60))
        for said in ((system, task), (more, odd), (odd, f"\t{lines}\n ")):
            contents = [text_of(message) for message in lesson.call("start", *said)]
            wanted = f"the contents {said[0]!r} and {said[1]!r}"
            why = "the words must be those that came in as arguments, to the last space: a task may hold code"
            lesson.expect(contents == list(said), wanted, why)
    with lesson.case("the first request on the wire", "this is all that the model ever gets"):
        messages = lesson.call("start", system, task)
        first = lesson.ask_walk("openai", messages=messages, replies=[{"text": reply}])
        lesson.expect(not first["problem"], "a request that a server takes", got=first["problem"])
        sent = first["requests"][0]["messages"]
        said = [(message["role"], text_of(message)) for message in sent]
        lesson.expect(
            said == [("system", system), ("user", task)],
            "your two messages in the body of the request",
            got=lesson.show(sent),
        )
    with lesson.case(
        "the second request: nothing is lost", "the model remembers nothing: what is not in this list never happened"
    ):
        messages = lesson.call("start", system, task)
        messages.append({"role": "assistant", "content": reply})
        messages.append({"role": "user", "content": more})
        second = lesson.ask_walk("openai", messages=messages, replies=[{"text": "Yes."}])
        sent = second["requests"][0]["messages"]
        lesson.expect(
            [text_of(message) for message in sent] == [system, task, reply, more],
            "four messages: the first two, the reply, the question",
            "the model remembers nothing: what is not in this list never happened",
            got=lesson.show(sent),
        )
    if lesson.holds:
        lesson.picture.append(wire(lesson))


def text_of(message: dict[str, Any]) -> Any:
    """What a message says. A server takes a list of parts, too; other content is as it is."""
    content = message.get("content")
    parts = content if isinstance(content, list) else []
    if parts and all(isinstance(part, dict) and part.keys() == {"type", "text"} for part in parts):
        return "".join(str(part["text"]) for part in parts if part["type"] == "text")
    return content


def wire(lesson: Any) -> str:
    """A conversation that means something, through the learner's own list."""
    messages = lesson.call("start", "You are a careful coding agent.", "Where is the bug in calculator.py?")
    messages.append({"role": "assistant", "content": "I think it is in line 19."})
    messages.append({"role": "user", "content": "Are you sure?"})
    body = lesson.ask_walk("openai", messages=messages, replies=[{"text": "Yes."}])["requests"][0]
    lines = [f"  {json.dumps(message)}," for message in body["messages"]]
    return "\n".join(["Your list, as it went over the wire the second time:", '"messages": [', *lines, "]"])
