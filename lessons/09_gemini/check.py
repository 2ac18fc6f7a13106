"""Lesson 9: the learner's contents through Google's own library, to a server that refuses what Google's refuses."""

from __future__ import annotations

import base64
import json
import re
from typing import Any

NEEDS = ("google.genai",)
SIGNATURE = base64.b64encode(b"what the model thought at turn 1").decode()
RAW = {
    "role": "model",
    "parts": [
        {"text": "I look first."},
        {"functionCall": {"name": "read_file", "args": {"file_path": "main.py"}}, "thoughtSignature": SIGNATURE},
        {"functionCall": {"name": "list_files", "args": {"directory": "pkg"}}},
    ],
}


def call(number: int, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    return {"id": f"call_{number}", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}


def conversation() -> list[dict[str, Any]]:
    calls = [call(1, "read_file", {"file_path": "main.py"}), call(2, "list_files", {"directory": "pkg"})]
    return [
        {"role": "system", "content": "You are a careful coding agent."},
        {"role": "user", "content": "fix the bug"},
        {"role": "assistant", "content": "I look first.", "tool_calls": calls, "raw": json.loads(json.dumps(RAW))},
        {"role": "tool", "tool_call_id": "call_1", "content": "print(3 + 5)"},
        {"role": "tool", "tool_call_id": "call_2", "content": "- calculator.py: file_size=1917 bytes, is_dir=False"},
    ]


def new_turn(fresh: Any, calls: int, *, with_text: bool = False, with_ids: bool = False) -> list[dict[str, Any]]:
    """A message of the model with its calls, and their results: names, texts and a signature of its own. Calls of
    Gemini 3 bear ids; where a call bears none, a program numbers them anew in each message: call_1, call_2."""
    text, names = fresh.sentence(), fresh.words(calls)
    parts = [{"functionCall": {"name": name, "args": {"file_path": f"{fresh.word()}.py"}}} for name in names]
    parts[0]["thoughtSignature"] = base64.b64encode(fresh.sentence().encode()).decode()
    asked = [
        call(number, name, part["functionCall"]["args"]) for number, (name, part) in enumerate(zip(names, parts), 1)
    ]
    for each, part in zip(asked, parts, strict=True) if with_ids else ():
        each["id"] = part["functionCall"]["id"] = fresh.word()
    if with_ids:  # a thought, and a signature for which there is no text
        signature = base64.b64encode(fresh.sentence().encode()).decode()
        parts = [{"text": fresh.sentence(), "thought": True}, *parts, {"text": "", "thoughtSignature": signature}]
    raw = {"role": "model", "parts": [{"text": text}, *parts] if with_text else parts}
    results = [{"role": "tool", "tool_call_id": each["id"], "content": fresh.sentence()} for each in asked]
    results[-1]["content"] = f"Error: {results[-1]['content']}"
    return [{"role": "assistant", "content": text, "tool_calls": asked, "raw": raw}, *results]


def check(lesson: Any) -> None:
    fresh = lesson.fresh
    system, task = fresh.sentence(), fresh.sentence()
    head = [{"role": "system", "content": system}, {"role": "user", "content": task}]
    with lesson.case("the first request: the task, and no system message", "it is all that the model is told"):
        contents = convert(lesson, head, "to_gemini([system, user])")
        text = json.dumps(contents, ensure_ascii=False)
        lesson.expect(
            system not in text,
            "the system message left out: it is sent apart, as system_instruction",
            "in the list it would be something that the user said",
        )
        wanted = [{"role": "user", "parts": [{"text": task}]}]
        lesson.expect(contents == wanted, f"one content with the task: {json.dumps(wanted)}")
    calls = fresh.randint(4, 6)
    turn = new_turn(fresh, calls, with_ids=True)
    with lesson.case(
        "the model's message goes back as it came", "the server looks for its own words, signature included"
    ):
        contents = convert(lesson, [*head, turn[0]], "to_gemini([system, user, assistant])")
        lesson.expect(len(contents) == 2, "two contents: user, model", got=roles(contents))
        raw = on_the_wire(turn[0]["raw"])
        lost = [part for part in raw["parts"] if part not in contents[1]["parts"]]
        lesson.expect(
            contents[1] == raw,
            "what stands under raw, unchanged, with each signature, also those beside a thought or an empty text",
            "a part that is rebuilt loses its thoughtSignature, and the next request is answered with 400",
            f"without the part {lesson.show(lost[0])}" if lost else lesson.show(contents[1]),
        )
    shown = f"to_gemini([system, user, assistant{', tool' * calls}])"
    with lesson.case(
        "all results of a message in ONE content",
        "the server counts calls and responses, and answers 400 where they differ",
    ):
        contents = convert(lesson, [*head, *turn], shown)
        lesson.expect(
            len(contents) == 3,
            "three contents: user, model, user. The results of one message share ONE content",
            f"the server counts: {calls} calls, so {calls} responses in the content after them",
            got=f"{len(contents)} contents: {roles(contents)}",
        )
        responses(lesson, contents[2], turn)
    with lesson.case(
        "a later turn gets a content of its own",
        "the server reads the turns in order: model, then its results, then what the user says",
    ):
        more, last = new_turn(fresh, 1), new_turn(fresh, fresh.randint(2, 3), with_text=True)
        said = {"role": "assistant", "content": "Done.", "raw": {"role": "model", "parts": [{"text": "Done."}]}}
        asked = {"role": "user", "content": fresh.sentence()}
        then = {"role": "user", "content": fresh.sentence()}
        messages = [*head, *turn, *more, said, asked, *last, then]
        contents = convert(lesson, messages, "to_gemini([a conversation of four turns, and what the user says then])")
        wanted = ["user", "model", "user", "model", "user", "model", "user", "model", "user", "user"]
        lesson.expect([content["role"] for content in contents] == wanted, ", ".join(wanted), got=roles(contents))
        for place, each in ((2, turn), (4, more), (8, last)):
            responses(lesson, contents[place], each)
        lesson.expect(
            contents[5] == on_the_wire(said["raw"]),
            "a message without calls goes back as it came, too",
            got=str(contents[5]),
        )
        lesson.expect(contents[6] == {"role": "user", "parts": [{"text": asked["content"]}]}, "what the user said then")
        theirs = {"role": "user", "parts": [{"text": then["content"]}]}
        lesson.expect(contents[9] == theirs, "what the user says after results in a content of its own")
    with lesson.case("your own list is as it was", "it is sent again at the next turn"):
        given = copy(messages)
        lesson.call("to_gemini", given, shown="to_gemini([a conversation of four turns])")
        lesson.expect(
            given == messages,
            "the messages that came in, unchanged: raw is appended, nothing is added to it",
            "the list is your record of the run, and is sent again at the next turn",
            got="the list has changed",
        )
    with lesson.case("Google's own library sends it, and the server takes it", "what counts is what the server takes"):
        contents = convert(lesson, conversation(), "to_gemini([system, user, assistant, tool, tool])")
        answer = lesson.ask_walk("gemini", contents=contents, replies=[{"text": "It is fixed."}])
        lesson.expect(not answer["problem"], "a request that the server takes", got=answer["problem"])
        sent = answer["requests"][0]["contents"]
        signatures = [plain(part["thoughtSignature"]) for part in sent[1]["parts"] if "thoughtSignature" in part]
        lesson.expect(signatures == [plain(SIGNATURE)], "the signature intact on the wire", got=lesson.show(sent))
    if not lesson.holds:
        return
    lesson.picture.append(
        "\n".join(["One conversation, as it stands in your list and on Gemini's wire:", *beside(sent)])
    )
    lines = [json.dumps(content) for content in sent]
    lesson.picture.append("\n".join(["What Google's library sent, word for word:", *lines]))


def convert(lesson: Any, messages: list[dict[str, Any]], shown: str) -> list[dict[str, Any]]:
    """The learner's contents, in the wire's own spelling: their library takes names in snake case and its types, too."""
    contents = lesson.call("to_gemini", copy(messages), shown=shown)
    lesson.expect(isinstance(contents, list), "a list")
    return [on_the_wire(content) for content in contents]


def on_the_wire(content: dict[str, Any]) -> dict[str, Any]:
    parts = [
        {re.sub("_(.)", lambda found: found[1].upper(), key): part[key] for key in part} for part in content["parts"]
    ]
    for part in parts:
        if "thoughtSignature" in part:
            part["thoughtSignature"] = base64.b64encode(plain(part["thoughtSignature"])).decode()
    return {**content, "parts": parts}


def responses(lesson: Any, content: dict[str, Any], turn: list[dict[str, Any]]) -> None:
    """The content that answers a turn: its role, and a response for each call, in order."""
    lesson.expect(content["role"] == "user", 'the role "user" for the responses', "Gemini knows user and model")
    parts = [part["functionResponse"] for part in content["parts"]]
    names, wanted = [part["name"] for part in parts], [each["function"]["name"] for each in turn[0]["tool_calls"]]
    lesson.expect(
        names == wanted,
        f"responses named as their calls: {', '.join(wanted)}",
        "a response belongs to a call by name and place; ids of ours (call_1) begin anew with each message",
        got=str(names),
    )
    sent = [part["functionCall"].get("id") for part in turn[0]["raw"]["parts"] if "functionCall" in part]
    for part, wanted in zip(parts, sent, strict=True):
        told = (
            f"the id of its call in the response: {wanted!r}" if wanted else "no id in the response: its call has none"
        )
        lesson.expect(
            part.get("id") == wanted, told, "what Gemini gave is said again, and nothing else", lesson.show(part)
        )
    for part, message in zip(parts, turn[1:], strict=True):
        told = f'under {{"response": {{"result": ...}}}} the text, also that of an error: {message["content"]!r}'
        answered = part["response"].get("result") == message["content"]
        lesson.expect(answered, told, "a text is what every tool of yours returns", got=lesson.show(part))


def copy(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return json.loads(json.dumps(messages))


def beside(contents: list[dict[str, Any]]) -> list[str]:
    """Both wires in two columns; a content stands beside the messages that went into it."""
    right: list[str] = ["(sent apart)"]
    for content in contents:
        for number, part in enumerate(content["parts"]):
            [kind] = [name for name in part if name != "thoughtSignature"]
            signed = " + signature" if "thoughtSignature" in part else ""
            right.append(f"{'' if number else content['role']:6} {kind}{signed}")
    left = []
    for message in conversation():
        left.append(f"{message['role']:10} {message['content'][:16]}")
        left += [f"{'':10} + {call['function']['name']}" for call in message.get("tool_calls", ())]
    return [f"{mine:34} {theirs}" for mine, theirs in zip(left, right, strict=True)]


def roles(contents: list[dict[str, Any]]) -> str:
    return ", ".join(str(content.get("role")) for content in contents)


def plain(signature: str | bytes) -> bytes:
    return (
        signature
        if isinstance(signature, bytes)
        else base64.b64decode(signature.replace("-", "+").replace("_", "/") + "==")
    )
