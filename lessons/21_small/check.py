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
            if count > 1:
                looks += [[looks[0][0], {}], looks[1]]  # a tool with other arguments, and a look that was there
            said, ran = {alike(*look): long_text(fresh) for look in looks}, []

            def call_tool(name: str, raw_arguments: str) -> str:
                ran.append([name, raw_arguments])
                read = json.loads(raw_arguments) if isinstance(raw_arguments, str) else raw_arguments
                return said.get(alike(name, read), "Error: no such tool")  # noqa: B023 - it is called within this round

            messages = conversation(fresh)[: count + 1]
            before = copy.deepcopy(messages)
            longer = lesson.call("opening", messages, looks, call_tool)
            flat = isinstance(longer, list) and all(isinstance(each, dict) for each in longer)
            lesson.expect(flat, "a list of messages", "it is what the model is sent")
            why = "the list that came in is your record of the run; what is added stands in another"
            lesson.expect(messages == before, "the list that came in as it was", why, got=lesson.show(messages))
            roles = [each["role"] for each in longer]
            wanted = [*(each["role"] for each in before), "assistant", *["tool"] * len(looks)]
            lesson.expect(roles == wanted, ", ".join(wanted), "a server refuses results without a call", str(roles))
            begun = longer[: len(before)]
            why = "the task comes before the looks"
            lesson.expect(begun == before, "the messages as they were, first", why, lesson.show(begun))
            calls = longer[len(before)]["tool_calls"]
            asked = [[each["function"]["name"], json.loads(each["function"]["arguments"])] for each in calls]
            lesson.expect(asked == looks, f"a call for each look, in order: {looks}", got=lesson.show(asked))
            good = [[name, json.loads(raw) if isinstance(raw, str) else raw] for name, raw in ran]
            texts = all(isinstance(raw, str) for _, raw in ran)
            wanted = "the tool called once for each look, with its arguments as JSON text"
            lesson.expect(good == looks and texts, wanted, got=lesson.show(ran))
            results = longer[len(before) + 1 :]
            ids = [[each["tool_call_id"] for each in results], [each["id"] for each in calls]]
            why = "each result belongs to its own call, by the id"
            lesson.expect(ids[0] == ids[1], f"results for {', '.join(ids[1])}", why, ", ".join(ids[0]))
            for result, look in zip(results, looks, strict=True):
                text, wanted = result["content"], said[alike(*look)]
                whole = f"the result of {look[0]}, whole: {ends(wanted)}"
                lesson.expect(text == wanted, whole, "what is missing the model will never know", ends(text))


def ends(text: str) -> str:
    return f"{len(text)} characters, from {text[:20]!r} to {text[-20:]!r}"


def alike(name: str, arguments: Any) -> str:
    return json.dumps([name, arguments], sort_keys=True)


def long_text(fresh: Any) -> str:
    """Lines, with room around them."""
    return "\n".join(["  ", *(fresh.sentence() for _ in range(fresh.randint(9, 20))), " ", ""])


def conversation(fresh: Any) -> list[dict[str, Any]]:
    """Messages of all kinds; the first two are a system prompt and a task."""
    call = {"id": fresh.word(), "type": "function", "function": {"name": fresh.word(), "arguments": "{}"}}
    return [
        {"role": "system", "content": fresh.sentence()},
        {"role": "user", "content": fresh.sentence(), "name": fresh.word()},
        {"role": "assistant", "content": None, "tool_calls": [call], fresh.word(): fresh.sentence()},
        {"role": "tool", "tool_call_id": call["id"], "content": long_text(fresh)},
        {"role": "assistant", "content": fresh.sentence()},
        {"role": "user", "content": fresh.sentence()},
    ]


def read_from_text(lesson: Any) -> None:
    fresh = lesson.fresh
    with lesson.case("a call that was written as text becomes one", "to a bare loop it is an answer, and the end"):
        for count in (1, 5):
            names = fresh.words(count + 2)
            asked = [[name, {fresh.word(): fresh.sentence(), "deep": [1, {"a": None}]}] for name in names[:count]]
            if count > 1:
                asked += [[names[0], {}], asked[1]]  # a tool with no arguments, and a call that was there
            before, after = fresh.sentence(), fresh.sentence()
            text = "\n".join([before, *(written(*each, room="\n" * (count > 1)) for each in asked), after])
            for more in ({}, {"tool_calls": []}, {"tool_calls": None}):
                message = {"role": "assistant", "content": text, **more}
                got = lesson.call("mended", message, names)
                lesson.expect(isinstance(got, dict) and got.get("role") == "assistant", "a message of the model")
                expect_calls(lesson, got, asked)
                expect_content(lesson, got, before, after)
                same = message == {"role": "assistant", "content": text, **more}
                lesson.expect(same, "the message that came in as it was", "it is your record", lesson.show(message))
    with lesson.case("a thought is no call, and a call beside it is one", "it only thinks aloud of what it could do"):
        name, other = fresh.words(2)
        thought = f"<think>\nI could say {written(other, {})}, or not.\n</think>\n"
        half = "<think>Or <tool_call>{ </tool_call>?</think>"
        expect_same(lesson, {"role": "assistant", "content": f"{thought}{fresh.sentence()}"}, [name, other])
        before, after = fresh.sentence(), fresh.sentence()
        for text in (f"{thought}{before} %s {half} {after}", f"{half}{before} {thought} {after} %s"):
            message = {"role": "assistant", "content": text % written(name, {"a": 1})}
            got = lesson.call("mended", message, [name, other])
            expect_calls(lesson, got, [[name, {"a": 1}]])
            lesson.expect("think" not in str(got["content"]), "a content without the thought", "it is not sent back")
            expect_content(lesson, got, before, after)


def left_alone(lesson: Any) -> None:
    fresh = lesson.fresh
    with lesson.case("what needs no mending stays as it is", "help must not harm a model that needs none"):
        name, more = fresh.word(), {fresh.word(): fresh.sentence()}
        real = {"id": "call_7", "type": "function", "function": {"name": name, "arguments": "{}"}}
        expect_same(lesson, {"role": "assistant", "content": fresh.sentence()}, [name])
        plain = {"role": "assistant", "content": f"  {fresh.sentence()}\n", "tool_calls": []}
        expect_same(lesson, {**plain, **more}, [name])
        expect_same(lesson, {"role": "assistant", "content": None, "tool_calls": [real], **more}, [name])
        text = f"I do it: {written(name, {'a': 1})}"
        expect_same(lesson, {"role": "assistant", "content": text, "tool_calls": [real]}, [name])


def whole_or_not_at_all(lesson: Any) -> None:
    fresh = lesson.fresh
    name, unknown = fresh.words(2)
    good, why = written(name, {"a": 1}), "from half of what was meant nobody knows the whole: better to ask again"
    halves = {
        "JSON that breaks off": [f'<tool_call>{{"name": "{name}", "arguments": {{"a": </tool_call>'],
        "no name": ['<tool_call>{"arguments": {}}</tool_call>'],
        "no arguments": [f'<tool_call>{{"name": "{name}"}}</tool_call>'],
        "arguments that are no object": [written(name, each) for each in ([1], [], None)],
        "arguments that are a text": [written(name, json.dumps({"a": 1}))],
        "a list": ["<tool_call>[1, 2]</tool_call>"],
        "a tool that is not there": [written(each, {}) for each in (unknown, name.upper(), name[:-2], f"{name}s")],
    }
    for title, texts in halves.items():
        if title in lesson.real("READS_OTHERWISE", ()):
            lesson.skip(title, "the real agent reads it otherwise, and its dispatch answers")
            continue
        with lesson.case(f"{title}: no call at all", why):
            for half in texts:
                for text in (half, f"{good} {half}", f"{half} {good}"):
                    message = {"role": "assistant", "content": text, fresh.word(): fresh.sentence()}
                    expect_same(lesson, message, [fresh.word(), name])


def written(name: str, arguments: Any, room: str = "\n") -> str:
    asked = json.dumps({"name": name, "arguments": arguments}, ensure_ascii=False)
    return f"<tool_call>{room}{asked}{room}</tool_call>"


def expect_same(lesson: Any, message: dict[str, Any], names: list[str]) -> None:
    got = lesson.call("mended", copy.deepcopy(message), names)
    lesson.expect(got == message, f"{AS_IT_WAS}: {lesson.show(message)}")


def expect_content(lesson: Any, got: dict[str, Any], before: str, after: str) -> None:
    said = str(got.get("content")).split()
    lesson.expect(said == f"{before} {after}".split(), f"the content {before!r}, and {after!r}", "it was said")


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
