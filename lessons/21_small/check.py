"""Lesson 21: what is looked at first, calls that stand in a text, and a small model with that help and without."""

from __future__ import annotations

import copy
import json
from typing import Any

TASK = "fix the bug"
TOOLS = ("get_dir_info", "run_tests", "edit_file")
LOOKS = [["get_dir_info", {"directory": "."}], ["run_tests", {}]]
EDIT = {"file_path": "pkg/calculator.py", "old_text": '"+": 3', "new_text": '"+": 1'}
AS_IT_WAS = "the message as it came"


def check(lesson: Any) -> None:
    looks_first(lesson)
    read_from_text(lesson)
    left_alone(lesson)
    whole_or_not_at_all(lesson)
    if lesson.holds:
        small_model(lesson)


def looks_first(lesson: Any) -> None:
    fresh = lesson.fresh
    with lesson.case("what is looked at first stands in the list", "a call in the history teaches more than a rule"):
        for count in (1, 5):
            looks = [[fresh.word(), {fresh.word(): fresh.sentence(), "n": fresh.randint(2, 9)}] for _ in range(count)]
            said, ran = {name: fresh.sentence() for name, _ in looks}, []

            def call_tool(name: str, raw_arguments: str) -> str:
                ran.append([name, raw_arguments])
                return said.get(name, "Error: there is no such tool")  # noqa: B023 - it is called within this round

            messages = [{"role": "system", "content": fresh.sentence()}, {"role": "user", "content": fresh.sentence()}]
            before = copy.deepcopy(messages)
            longer = lesson.call("opening", messages, looks, call_tool)
            flat = isinstance(longer, list) and all(isinstance(each, dict) for each in longer)
            lesson.expect(flat, "a list of messages", "it is what the model is sent")
            why = "the list that came in is your record of the run; what is added stands in another"
            lesson.expect(messages == before, "the list that came in as it was", why, got=lesson.show(messages))
            roles = [each["role"] for each in longer]
            wanted = ["system", "user", "assistant", *["tool"] * count]
            lesson.expect(roles == wanted, ", ".join(wanted), "a server refuses results without a call", str(roles))
            lesson.expect(longer[:2] == before, "the messages as they were, first", "the task comes before the looks")
            calls = longer[2]["tool_calls"]
            asked = [[each["function"]["name"], json.loads(each["function"]["arguments"])] for each in calls]
            lesson.expect(asked == looks, f"a call for each look, in order: {looks}", got=lesson.show(asked))
            good = [[name, json.loads(raw) if isinstance(raw, str) else raw] for name, raw in ran]
            texts = all(isinstance(raw, str) for _, raw in ran)
            lesson.expect(
                good == looks and texts, "each tool called once, with its arguments as JSON text", got=lesson.show(ran)
            )
            answered = [[each["tool_call_id"], each["content"]] for each in longer[3:]]
            pairs = [[each["id"], said[name]] for each, (name, _) in zip(calls, looks, strict=True)]
            why = "each result belongs to its own call, by the id"
            lesson.expect(answered == pairs, f"the results {pairs}", why, got=lesson.show(answered))


def read_from_text(lesson: Any) -> None:
    fresh = lesson.fresh
    with lesson.case("a call that was written as text becomes one", "to a bare loop it is an answer, and the end"):
        for count in (1, 5):
            names = fresh.words(count + 2)
            asked = [[name, {fresh.word(): fresh.sentence(), "deep": [1, {"a": None}]}] for name in names[:count]]
            before, after = fresh.sentence(), fresh.sentence()
            text = "\n".join([before, *(written(*each) for each in asked), after])
            message = {"role": "assistant", "content": text}
            got = lesson.call("mended", message, names)
            lesson.expect(isinstance(got, dict) and got.get("role") == "assistant", "a message of the model")
            expect_calls(lesson, got, asked)
            content = str(got.get("content")).split()
            lesson.expect(
                content == f"{before} {after}".split(), f"the content {before!r}, and {after!r}", "it was said"
            )
            lesson.expect(message["content"] == text, "the message that came in as it was", "it is your record")
    with lesson.case("a thought is no call, and a call beside it is one", "it only thinks aloud of what it could do"):
        name, other = fresh.words(2)
        thought = f"<think>\nI could say {written(other, {})}, or not.\n</think>\n"
        expect_same(lesson, {"role": "assistant", "content": f"{thought}{fresh.sentence()}"}, [name, other])
        got = lesson.call("mended", {"role": "assistant", "content": thought + written(name, {"a": 1})}, [name, other])
        expect_calls(lesson, got, [[name, {"a": 1}]])
        lesson.expect("think" not in str(got["content"]), "a content without the thought", "it is not sent back")


def left_alone(lesson: Any) -> None:
    fresh = lesson.fresh
    with lesson.case("what needs no mending stays as it is", "help must not harm a model that needs none"):
        name = fresh.word()
        real = {"id": "call_7", "type": "function", "function": {"name": name, "arguments": "{}"}}
        expect_same(lesson, {"role": "assistant", "content": fresh.sentence()}, [name])
        expect_same(lesson, {"role": "assistant", "content": None, "tool_calls": [real]}, [name])
        text = f"I do it: {written(name, {'a': 1})}"
        expect_same(lesson, {"role": "assistant", "content": text, "tool_calls": [real]}, [name])


def whole_or_not_at_all(lesson: Any) -> None:
    fresh = lesson.fresh
    name, unknown = fresh.words(2)
    good, why = written(name, {"a": 1}), "from half of what was meant nobody knows the whole: better to ask again"
    halves = {
        "JSON that breaks off": f'<tool_call>{{"name": "{name}", "arguments": {{"a": </tool_call>',
        "no name": '<tool_call>{"arguments": {}}</tool_call>',
        "no arguments": f'<tool_call>{{"name": "{name}"}}</tool_call>',
        "arguments that are no object": f'<tool_call>{{"name": "{name}", "arguments": [1]}}</tool_call>',
        "a list": "<tool_call>[1, 2]</tool_call>",
        "a tool that is not there": written(unknown, {}),
    }
    for title, half in halves.items():
        if title in lesson.real("READS_OTHERWISE", ()):
            lesson.skip(title, "the real agent reads it otherwise, and its dispatch answers")
            continue
        with lesson.case(f"{title}: no call at all", why):
            for text in (half, f"{good} {half}", f"{half} {good}"):
                expect_same(lesson, {"role": "assistant", "content": text}, [fresh.word(), name])


def written(name: str, arguments: dict[str, Any]) -> str:
    asked = json.dumps({"name": name, "arguments": arguments}, ensure_ascii=False)
    return f"<tool_call>\n{asked}\n</tool_call>"


def expect_same(lesson: Any, message: dict[str, Any], names: list[str]) -> None:
    got = lesson.call("mended", copy.deepcopy(message), names)
    lesson.expect(got == message, f"{AS_IT_WAS}: {lesson.show(message)}")


def expect_calls(lesson: Any, got: dict[str, Any], asked: list[list[Any]]) -> None:
    calls = got.get("tool_calls") or []
    found = [[each["function"]["name"], json.loads(each["function"]["arguments"])] for each in calls]
    lesson.expect(found == asked, f"the calls {lesson.show(asked)}, in order", "each is one thing that it wants done")
    ids = {each["id"] for each in calls}
    lesson.expect(len(ids) == len(calls), "an id of its own for each call", "by it a result is told from another")


def small_model(lesson: Any) -> None:
    with lesson.case("for real: a small model, with your two helps", "this is what they are for"):
        stories = []
        for title, opened, mends in (
            ("alone", False, False),
            ("with opening", True, False),
            ("with both", True, True),
        ):
            story, edited = play(lesson, opened, mends)
            stories.append("\n".join([f"A small model {title}:", *story]))
        lesson.expect(edited, "an edit, made by its own call", "it knew what to do, and nobody heard it", story[-1])
    lesson.picture.extend(stories)


def play(lesson: Any, opened: bool, mends: bool) -> tuple[list[str], bool]:
    """A model that does as the 1.5B model did: asks back where nothing was looked at, and writes its calls as text."""
    edited = False

    def call_tool(name: str, raw_arguments: str) -> str:
        nonlocal edited
        edited = edited or (name == "edit_file" and json.loads(raw_arguments) == EDIT)
        return {"run_tests": "2 of 9 tests failed", "edit_file": "Successfully edited"}.get(name, "- pkg: is_dir=True")

    messages = [{"role": "system", "content": "You are a coding agent."}, {"role": "user", "content": TASK}]
    if opened:
        messages = lesson.call("opening", messages, LOOKS, call_tool)
    for _ in range(4):
        results = [each["content"] for each in messages if each["role"] == "tool"]
        text = "It is fixed." if "Successfully edited" in results else f"I edit it. {written('edit_file', EDIT)}"
        reply = {"role": "assistant", "content": text if results else "What is the bug that you want to fix?"}
        if mends:
            reply = lesson.call("mended", reply, list(TOOLS))
        messages.append(reply)
        if not reply.get("tool_calls"):
            break
        for call in reply["tool_calls"]:
            text = call_tool(call["function"]["name"], call["function"]["arguments"])
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": text})
    return [line for message in messages[1:] for line in told(message)], edited


def told(message: dict[str, Any]) -> list[str]:
    calls = [f"           + {call['function']['name']}" for call in message.get("tool_calls") or ()]
    return [f"{message['role']:10} {' '.join(str(message['content']).split())[:60]}", *calls]
