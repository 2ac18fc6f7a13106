"""Lesson 9: the learner's contents through Google's own library, to a server that refuses what Google's refuses."""

from __future__ import annotations

import base64
import json
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


def check(lesson: Any) -> None:
    with lesson.case("the first request: the task, and no system message"):
        contents = lesson.call("to_gemini", conversation()[:2])
        lesson.expect(isinstance(contents, list), "a list")
        text = json.dumps(contents)
        lesson.expect(
            "You are a careful" not in text,
            "the system message left out: it is sent apart, as system_instruction",
            "in the list it would be something that the user said",
        )
        lesson.expect(contents == [{"role": "user", "parts": [{"text": "fix the bug"}]}], "one content with the task")
    with lesson.case("the model's message goes back as it came"):
        contents = lesson.call("to_gemini", conversation()[:3], shown="to_gemini([system, user, assistant])")
        lesson.expect(len(contents) == 2, "two contents: user, model", got=roles(contents))
        lesson.expect(
            contents[1] == RAW,
            "what stands under raw, unchanged, with its signature",
            "a part that is rebuilt loses its thoughtSignature, and the next request is answered with 400",
        )
    with lesson.case("both results in ONE content"):
        contents = lesson.call("to_gemini", conversation(), shown="to_gemini([system, user, assistant, tool, tool])")
        lesson.expect(
            len(contents) == 3,
            "three contents: user, model, user. The results of one message share ONE content",
            "the server counts: two calls, so two responses in the content after them",
            got=f"{len(contents)} contents: {roles(contents)}",
        )
        lesson.expect(contents[2]["role"] == "user", 'the role "user" for the responses', "Gemini knows user and model")
        parts = [part["functionResponse"] for part in contents[2]["parts"]]
        names = [part["name"] for part in parts]
        lesson.expect(
            names == ["read_file", "list_files"],
            "responses named read_file, list_files: as their calls",
            "the ids are ours; on this wire a response belongs to a call by its name and its place",
            got=str(names),
        )
        said = [message["content"] for message in conversation()[3:]]
        answered = [part["response"].get("result") for part in parts]
        lesson.expect(answered == said, 'the texts under {"response": {"result": ...}}', got=lesson.show(parts))
    with lesson.case("a later turn gets a content of its own"):
        more = json.loads(json.dumps(RAW))
        more["parts"] = more["parts"][1:2]
        again = {"role": "assistant", "content": "", "tool_calls": [call(1, "read_file", {})], "raw": more}
        messages = [*conversation(), again, {"role": "tool", "tool_call_id": "call_1", "content": "again"}]
        contents = lesson.call("to_gemini", messages, shown="to_gemini([..., assistant, tool])")
        lesson.expect(
            [content["role"] for content in contents] == ["user", "model", "user", "model", "user"],
            "user, model, user, model, user",
            got=roles(contents),
        )
    with lesson.case("Google's own library sends it, and the server takes it"):
        contents = lesson.call("to_gemini", conversation(), shown="to_gemini([system, user, assistant, tool, tool])")
        answer = lesson.ask_walk("gemini", contents=contents, replies=[{"text": "It is fixed."}])
        lesson.expect(not answer["problem"], "a request that the server takes", got=answer["problem"])
        sent = answer["requests"][0]["contents"]
        signatures = [plain(part["thoughtSignature"]) for part in sent[1]["parts"] if "thoughtSignature" in part]
        lesson.expect(signatures == [plain(SIGNATURE)], "the signature intact on the wire", got=lesson.show(sent))
    lesson.picture.append(
        "\n".join(["One conversation, as it stands in your list and on Gemini's wire:", *beside(sent)])
    )
    lines = [json.dumps(content) for content in sent]
    lesson.picture.append("\n".join(["What Google's library sent, word for word:", *lines]))


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


def plain(signature: str) -> bytes:
    return base64.b64decode(signature.replace("-", "+").replace("_", "/") + "==")


def without_raw(message: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in message.items() if key != "raw"}
