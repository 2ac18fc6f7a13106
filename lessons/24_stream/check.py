"""Lesson 24: replies cut into chunks in every way that servers cut them, and lines that go dead."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

Message = dict[str, Any]
READ = """
def chunks():
    while (chunk := take()) is not None:
        yield chunk
try:
    result = {"message": module.read_reply(chunks(), show)}
except ConnectionError as error:
    result = {"broke": str(error)}
"""
SAW = "a person waits for it"


class Line:
    """Chunks that come one by one, and what was shown between them."""

    def __init__(self, chunks: Sequence[Message]) -> None:
        self.left, self.happened = list(chunks), []
        self.pieces: list[str] = []

    def take(self) -> Message | None:
        self.happened.append("take")
        return self.left.pop(0) if self.left else None

    def show(self, piece: Any) -> None:
        self.happened.append(f"show {piece}")
        self.pieces.append(piece)


def chunk(finish_reason: str | None = None, **delta: Any) -> Message:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}]}


def part(index: int, text: str | None = None, id: str | None = None, name: str | None = None) -> Message:
    """A piece of a call as servers send it: what is None is not in it."""
    known = {"name": name, "arguments": text}
    function = {key: value for key, value in known.items() if value is not None}
    return {"index": index, **({"id": id, "type": "function"} if id else {}), "function": function}


def check(lesson: Any) -> None:
    fresh = lesson.fresh

    def read(chunks: Sequence[Message], what: str) -> tuple[Line, Any]:
        line = Line(chunks)
        shown = f"read_reply({len(chunks)} chunks: {what}, show)"
        said = lesson.run(READ, shown=shown, take=line.take, show=line.show)
        return line, said if isinstance(said, dict) else {}

    def whole(chunks: Sequence[Message], what: str, wanted: Message) -> Line:
        line, said = read(chunks, what)
        got = said.get("message")
        told = lesson.show(got) if "message" in said else f"ConnectionError: {said.get('broke')}"
        lesson.expect(got == wanted, lesson.show(wanted), got=told)
        return line

    def call(**arguments: Any) -> Message:
        raw = json.dumps(arguments or {"path": fresh.word(), "text": fresh.sentence()}, ensure_ascii=False)
        return {"id": fresh.word(), "type": "function", "function": {"name": fresh.word(), "arguments": raw}}

    with lesson.case("a text alone is a message without the key tool_calls", "servers refuse an empty list"):
        text = fresh.sentence()
        whole([chunk(content=text), chunk("stop", content=None, tool_calls=None)], "text", says(text))
        whole([chunk(content=text), chunk("stop", tool_calls=[])], "text, an empty list of calls", says(text))
        whole([chunk("stop", content=text)], "text, and the end with it", says(text))
        spaced = f"\n  {text}\n\n"
        whole([chunk(content=spaced), chunk("stop")], "text with lines around it", says(spaced))
    with lesson.case("text is shown as it comes", SAW):
        sentences = [fresh.sentence() for _ in range(fresh.randint(1, 3))]
        pieces = [piece for each in sentences for piece in (*cut(fresh, each, 5), " ", "\n", ".")]
        line = whole(
            [chunk(role="assistant"), *(chunk(content=each) for each in pieces), chunk("stop")],
            "text in pieces",
            {"role": "assistant", "content": "".join(pieces)},
        )
        lesson.expect(line.pieces == pieces, f"shown: {pieces}", SAW, got=f"shown: {line.pieces}")
        steps = ["take", *(step for each in pieces for step in ("take", f"show {each}"))]
        lesson.expect(
            line.happened[: len(steps)] == steps,
            "each piece shown before the next chunk is taken",
            SAW,
            got="shown later",
        )
    with lesson.case("what is not there is missing, None or empty", "servers differ"):
        text = fresh.sentence()
        usage = {"choices": [], "usage": {"prompt_tokens": fresh.randint(9, 99), "completion_tokens": 5}}
        empty = [chunk(), chunk(content=None), chunk(content=""), {"choices": [{"index": 0, "delta": {}}]}]
        line = whole(
            [*empty, usage, chunk(content=text), *empty, chunk("length"), *empty, usage],
            "empty ones between",
            says(text),
        )
        lesson.expect(line.pieces == [text], f"shown: [{text!r}]", "there was no other text", got=str(line.pieces))
    with lesson.case("two replies, one after the other", "each is put together alone, and holds nothing of the other"):
        first, second = call(), call()
        for each in (first, second):
            whole([*mixed(fresh, [each], "Hm."), chunk("stop")], "a call", says("Hm.", each))
    with lesson.case("one call, cut anywhere", "half a call is none"):
        for _ in range(2):
            one = call()
            function = one["function"]
            first = part(0, None if fresh.random() < 0.5 else "", one["id"], function["name"])
            parts = [first, *(part(0, each) for each in cut(fresh, function["arguments"], 4))]
            line = whole([*(chunk(tool_calls=[each]) for each in parts), chunk("tool_calls")], "a call", says("", one))
            lesson.expect(not line.pieces, "nothing is shown", "a call is for the program", got=str(line.pieces))
        first = part(0, "", one["id"], function["name"]) | {"function": {"name": function["name"], "arguments": None}}
        rest = {"index": 0, "id": None, "function": {"name": None, "arguments": function["arguments"]}}
        whole([chunk(tool_calls=[first]), chunk("tool_calls", tool_calls=[rest])], "a call, with None", says("", one))
    with lesson.case("arguments stay text, whatever they are", "lesson 5 reads them, and says what is wrong with them"):
        for raw in (
            ("{}", '{"path": "a.py"}')
            if lesson.shipped
            else ('{"path": ', "", "[1, 2]", ' {"path":"a.py",  "path":"b.py"}\n')
        ):
            one = call()
            one["function"]["arguments"] = raw
            first = part(0, raw, one["id"], one["function"]["name"])
            whole([chunk(tool_calls=[first]), chunk("tool_calls")], f"arguments {raw!r}", says("", one))
    with lesson.case("many calls, mixed, with text between", "the index says where a piece belongs, and nothing else"):
        for count in (2, fresh.randint(5, 8)):
            calls, text = [call() for _ in range(count)], fresh.sentence()
            one, more = calls[0], mixed(fresh, calls, text)
            line = whole([*more, chunk("tool_calls")], f"{count} calls and text", says(text, *calls))
            lesson.expect("".join(line.pieces) == text, f"shown: {text!r}", SAW, got=str(line.pieces))
        several = [part(index, each["function"]["arguments"], each["id"], each["function"]["name"])
                   for index, each in enumerate(calls)]  # fmt: skip
        whole([chunk("tool_calls", tool_calls=several)], "all calls in one", says("", *calls))
        rest = [part(0, each) for each in cut(fresh, one["function"]["arguments"], 4)]
        begin = part(0, "", one["id"], one["function"]["name"])
        whole([chunk("tool_calls", tool_calls=[begin, *rest])], "a call, all pieces in one", says("", one))
    with lesson.case("calls that do not begin in order", "the index is a call's place in the message"):
        for count in (2, fresh.randint(11, 13)):
            calls = [call() for _ in range(count)]
            chunks = [*mixed(fresh, calls, "Hm.", backwards=True), chunk("tool_calls")]
            whole(chunks, f"{count} calls, the last begins first", says("Hm.", *calls))
    with lesson.case("the line goes dead: ConnectionError", "a call of which the end is missing must not run"):
        one = call()
        for what, chunks in {
            "nothing": [],
            "text, and no end": [chunk(content=fresh.sentence())],
            "a call, and no end": mixed(fresh, [one], "Hm."),
            "calls and tokens, and no end": [*mixed(fresh, [call(), one], "Hm."), {"choices": [], "usage": {}}],
        }.items():
            _, said = read(chunks, what)
            got = f"returned {lesson.show(said.get('message'))}"
            lesson.expect("broke" in said, "ConnectionError is raised", "no chunk had a finish_reason", got=got)
    if lesson.holds:
        for_real(lesson, read)


def says(text: str, *calls: Message) -> Message:
    return {"role": "assistant", "content": text} | ({"tool_calls": list(calls)} if calls else {})


def cut(fresh: Any, text: str, most: int) -> list[str]:
    """A text in pieces of one to `most` letters."""
    pieces = []
    while text:
        size = fresh.randint(1, most)
        pieces.append(text[:size])
        text = text[size:]
    return pieces


def mixed(fresh: Any, calls: Sequence[Message], text: str, backwards: bool = False) -> list[Message]:
    """Chunks of several calls and a text: each begins in order, or `backwards`; then they come in any order."""
    begins = [part(number, "", each["id"], each["function"]["name"]) for number, each in enumerate(calls)]
    queues = [[part(number, piece) for piece in cut(fresh, each["function"]["arguments"], 9)]
              for number, each in enumerate(calls)]  # fmt: skip
    words: list[Message] = [chunk(content=piece) for piece in cut(fresh, text, 4)]
    made = [chunk(tool_calls=[each]) for each in (reversed(begins) if backwards else begins)]
    # the last call goes first: whoever adds a piece to the call that began last has it wrong each time
    made += [chunk(tool_calls=[queue.pop(0)]) for queue in reversed(queues)]
    while any(queues) or words:
        queue = fresh.choice([each for each in (*queues, words) if each])
        piece = queue.pop(0)
        made.append(piece if "choices" in piece else chunk(tool_calls=[piece]))
    return made


def for_real(lesson: Any, read: Any) -> None:
    with lesson.case(
        "for real: the built-in model's reply, over HTTP", "the chunks are as OpenAI's SDK hands them over"
    ):
        tool = {"name": "get_dir_info", "parameters": {"type": "object", "properties": {}}}
        messages = [{"role": "user", "content": "fix the bug"}]
        chunks = lesson.ask_walk("stream", messages=messages, tools=[{"type": "function", "function": tool}])
        line, said = read(chunks, "of the built-in model")
        message = said.get("message") or {}
        named = [each["function"]["name"] for each in message.get("tool_calls", ())]
        lesson.expect(named == ["get_dir_info"], "its call of get_dir_info", "that is what it asked for")
    story = [f"{name:6} {json.dumps(value)}"[:76] for each in chunks for name, value in seen(each)]
    lesson.picture.append("\n".join(["What came, chunk by chunk:", *story, "", "What you showed, and returned:",
                                     *line.pieces, json.dumps(message)[:76]]))  # fmt: skip


def seen(each: Message) -> list[tuple[str, Any]]:
    if not each["choices"]:
        return [("tokens", each.get("usage"))]
    choice = each["choices"][0]
    found = [(name[:4], choice["delta"].get(key)) for name, key in (("text", "content"), ("call", "tool_calls"))]
    return [(name, value) for name, value in [*found, ("end", choice.get("finish_reason"))] if value]
