"""The wire matrix as a table: what a server or model does, and what must come of it. Adding a row is adding an entry.

The rows and their numbers stand in docs/wire-matrix.md, which is generated from this table.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from wire_run import Seen

from agent.limits import LAST
from offline.script import GEMINI, OPENAI, Call, Step, call, candidate, chunk, document, ends, events, fail, say

BOTH = (OPENAI, GEMINI)
ONLY_OPENAI, ONLY_GEMINI = (OPENAI,), (GEMINI,)

ROWS = {
    1: "several calls in one turn",
    2: "call ids missing, empty or null",
    3: "the same call id twice in a turn, or again in a later one",
    4: "arguments cut at the token limit",
    5: "arguments that are not a JSON object",
    6: "unknown tools and parameters, wrong types, odd names",
    7: "calls written as text",
    8: "a reply without content",
    9: "the same call with the same result again and again",
    10: "the prompt is longer than the loaded context",
    11: "no model, no server, an unknown model",
    12: "a crashed model, rate limits, gateways, resets, stalls",
    13: "replies of another shape than documented",
    14: "text and calls in one message",
    15: "identical calls in one message",
    16: "write and run of the same file in one message",
    17: "streams that break off or come in odd pieces",
    18: "Ctrl-C and SIGTERM",
    19: "Gemini: thought signatures",
    20: "Gemini: several results of a turn",
    21: "Gemini: blocked, malformed and unknown endings",
    22: "Gemini: quota with a delay, overload",
}


@dataclass(frozen=True)
class Case:
    """One behaviour: the script, and what must be seen. `results` are parts of the calls' results, in order."""

    row: int
    behaviour: str
    script: list[Step]
    wires: tuple[str, ...] = BOTH
    stop: str = "answered"
    answer: str | None = "Done."
    results: list[str] | None = None
    requests: int | None = None
    told: list[str] = field(default_factory=list)
    settings: dict[str, Any] = field(default_factory=dict)
    native: dict[str, Any] | None = None
    check: Callable[[Seen], Any] = lambda seen: None  # raises, or returns False, alone or among others


DONE = say("Done.")
READ_A = Call("get_file_content", {"file_path": "a.txt"})
READ_B = Call("get_file_content", {"file_path": "b.txt"})
LIST = Call("get_dir_info", {})
WRITE = Call("write_file", {"file_path": "new.py", "content": "print(1)\n"})


def nothing_written(seen: Seen) -> None:
    assert not (seen.root / "new.py").exists()


def ids_are_consistent(seen: Seen) -> None:
    """Every call in the history has an id of its own in its turn, and its result stands directly behind it."""
    messages = seen.history()
    for index, message in enumerate(messages):
        ids = [each["id"] for each in message.get("tool_calls", ())]
        assert all(ids)
        assert len(set(ids)) == len(ids)
        following = messages[index + 1 : index + 1 + len(ids)]
        assert [each.get("tool_call_id") for each in following] == ids


def responses_match_calls(seen: Seen) -> None:
    contents = seen.history()
    for index, content in enumerate(contents):
        asked = [part["functionCall"]["name"] for part in content["parts"] if "functionCall" in part]
        if asked:
            answered = contents[index + 1]
            assert answered["role"] == "user"
            assert [part["functionResponse"]["name"] for part in answered["parts"]] == asked


def paired(seen: Seen) -> None:
    (ids_are_consistent if seen.wire == OPENAI else responses_match_calls)(seen)


def with_id(call: Call, id: Any) -> Call:
    return Call(call.name, call.arguments, id)


ROW_1_TO_3 = [
    Case(1, "all run and results come in call order", [call(READ_A, LIST, READ_B), DONE],
         results=["alpha", "- a.txt", "beta"],
         check=lambda seen: (paired(seen), [a[:5] for a in seen.answers()] == ["alpha", "- a.t", "beta\n"])),
    *[
        Case(2, f"{what} ids are minted and sent consistently",
             [call(with_id(READ_A, id), with_id(READ_B, id)), call(with_id(LIST, id)), DONE],
             wires=BOTH if what == "missing" else ONLY_OPENAI,
             results=["alpha", "beta", "- a.txt"], check=paired)
        for what, id in (("missing", "missing"), ("empty", ""), ("null", None))
    ],
    Case(3, "the same id twice in one turn loses no call",
         [call(with_id(READ_A, "x"), with_id(READ_B, "x")), DONE], results=["alpha", "beta"], check=paired),
    Case(3, "the same id in a later turn pairs within its turn",
         [call(with_id(READ_A, "x")), call(with_id(READ_B, "x")), DONE], results=["alpha", "beta"], check=paired),
]  # fmt: skip

CUT = '{"file_path": "new.py", "content": "print('


def skeleton_advised(seen: Seen) -> None:
    nothing_written(seen)
    assert "token limit" in seen.answers()[-1]
    assert "skeleton" in seen.answers()[-1]


ROW_4_TO_6 = [
    Case(4, "nothing of a cut call is executed and a skeleton is advised",
         [call(Call("write_file", CUT), finish="length"), DONE], ONLY_OPENAI, check=skeleton_advised),
    Case(4, "a call that a server closed itself at the limit is not executed either",
         [call(WRITE, finish="length"), DONE], check=skeleton_advised),
    Case(4, "a whole call before the cut one is executed",
         [call(READ_A, Call("write_file", CUT), finish="length"), DONE], ONLY_OPENAI,
         results=["alpha", "token limit"], check=nothing_written),
    Case(4, "an answer that hit the limit is marked as cut",
         [say("Half an", finish="length")], answer="Half an", told=["The answer is cut"]),
    *[
        Case(5, f"{what} is never executed, and the error says where and what is right",
             [call(Call("write_file", text)), DONE], ONLY_OPENAI, results=[hint],
             check=lambda seen: (nothing_written(seen), '"file_path": a string' in seen.answers()[-1]))
        for what, text, hint in (
            ("a trailing comma", '{"file_path": "new.py", "content": "x",}', "line 1 column"),
            ("single quotes", "{'file_path': 'new.py', 'content': 'x'}", "line 1 column 2"),
            ("a bare control character", '{"file_path": "new.py", "content": "a\nb"}', "line 1 column"),
            ("a hundred thousand brackets", "[" * 100_000, "nested too deeply"),
            ("not-a-number", '{"file_path": "new.py", "content": NaN}', "NaN"),
            ("a lone surrogate", r'{"file_path": "new.py", "content": "\ud800"}', "surrogate"),
            ("a list", "[]", "a list where a JSON object is needed"),
            ("a number", "1", "a number where"),
            ("null", "null", "null where"),
            ("a text", '"x"', "text where"),
        )
    ],
    Case(5, "an empty text counts as no arguments", [call(Call("get_dir_info", "")), DONE], ONLY_OPENAI,
         results=["- a.txt"]),
    Case(5, "no arguments at all count as none", [events(gemini=[candidate([{"functionCall": {"name": "get_dir_info"}}],
         "STOP")]), DONE], ONLY_GEMINI, results=["- a.txt"]),
    *[
        Case(5, f"arguments that are {what} are a reply that cannot be read, and asked for again",
             [events(gemini=[json.dumps(candidate([{"functionCall": {"name": "write_file", "args": "@"}}], "STOP"))
                             .replace('"@"', text)]), DONE], ONLY_GEMINI,
             requests=2, told=["could not be read", "Trying again"], check=nothing_written)
        for what, text in (("a list", "[1]"), ("a number", "1"), ("a text", '"x"'),
                           ("nested a hundred thousand deep", "[" * 100_000 + "]" * 100_000))
    ],
    Case(5, "arguments with not-a-number never run", [events(gemini=[json.dumps(candidate([{"functionCall":
         {"name": "write_file", "args": {"file_path": "new.py", "content": "@"}}}], "STOP")).replace('"@"', "NaN")]),
         DONE], ONLY_GEMINI, results=["where a string is needed"], check=nothing_written),
    Case(5, "what goes back into the history is valid JSON",
         [call(Call("write_file", CUT)), DONE], ONLY_OPENAI,
         check=lambda seen: [json.loads(each["function"]["arguments"]) for message in seen.history()
                             for each in message.get("tool_calls", ())]),
    Case(6, "an unknown tool is answered with the valid ones", [call(Call("delete_all")), DONE],
         results=["the tools are get_dir_info"]),
    Case(6, "a dotted and upper-case name is answered with the nearest one", [call(Call("Functions.Write_File")), DONE],
         results=["did you mean 'write_file'"]),
    Case(6, "an unknown parameter is answered with the valid ones",
         [call(Call("get_file_content", {"file_path": "a.txt", "lines": 3})), DONE],
         results=["no parameter 'lines'"], check=lambda seen: '"start_line"' in seen.outputs[0]),
    Case(6, "a missing parameter is named", [call(Call("get_file_content", {})), DONE], results=["needs 'file_path'"]),
    Case(6, "a wrongly typed parameter is named with the right type",
         [call(Call("get_file_content", {"file_path": ["a.txt"]})), DONE],
         results=["'file_path' is a list where a string is needed"]),
]  # fmt: skip

CONTENT = '{"name": "get_file_content", "arguments": {"file_path": "a.txt"}}'
AS_TEXT = {
    "in tool_call tags": f"<tool_call>\n{CONTENT}\n</tool_call>",
    "in a function tag with parameter tags": "<tool_call>\n<function=get_file_content>\n<parameter=file_path>\na.txt\n"
    "</parameter>\n</function>\n</tool_call>",
    "in a TOOL_REQUEST block": f"[TOOL_REQUEST]{CONTENT}[END_TOOL_REQUEST]",
    "in a json block": f"I will read it.\n\n```json\n{CONTENT}\n```",
    "as a python call": 'get_file_content(file_path="a.txt")',
    "as bare JSON": CONTENT,
}
WRITES_AS_TEXT = {
    name: text.replace("get_file_content", "write_file")
    .replace('"a.txt"}', '"new.py", "content": "x"}')
    .replace('"a.txt")', '"new.py", content="x")')
    .replace("a.txt\n</parameter>", "new.py\n</parameter>\n<parameter=content>\nx\n</parameter>")
    for name, text in AS_TEXT.items()
}


def never_the_answer(seen: Seen) -> None:
    assert (seen.root / "new.py").read_text() == "x"
    assert "write_file" not in seen.result.answer
    assert "new.py" not in seen.result.answer


def asked_to_enforce(seen: Seen, request: int) -> bool:
    """Whether a request asks its server to enforce a call that can be read."""
    body = seen.requests[request]
    if seen.wire == GEMINI:
        return body.get("toolConfig", {}).get("functionCallingConfig", {}).get("mode") == "ANY"
    return "write_file" in json.dumps(body.get("response_format", ""))


def asked_not_to_think(seen: Seen, request: int) -> bool:
    body = seen.requests[request]
    if seen.wire == GEMINI:
        return body.get("generationConfig", {}).get("thinkingConfig") == {"thinkingBudget": 0}
    return body.get("chat_template_kwargs") == {"enable_thinking": False}


HALF = say('<tool_call>{"name": "write_file", "arguments": {"file')
THINKS = say("", thought="Hm. " * 50)
RUN_NEW = call(Call("run_python_file", {"file_path": "new.py"}))


ROW_7_TO_9 = [
    *[
        Case(7, f"a reading call {shape} runs and is no answer", [say(text), DONE], results=["alpha"], requests=2,
             check=lambda seen: "alpha" in seen.last_said())
        for shape, text in AS_TEXT.items()
    ],
    *[
        Case(7, f"a writing call {shape} is a call like any other", [say(text), RUN_NEW, DONE],
             results=["Successfully wrote", "NameError"], requests=3, check=never_the_answer)
        for shape, text in WRITES_AS_TEXT.items()
    ],
    Case(7, "a call that cannot be read is asked for in a shape that the server enforces, in that request alone",
         [HALF, say(WRITES_AS_TEXT["as bare JSON"]), RUN_NEW, DONE], results=["Successfully wrote", "NameError"],
         check=lambda seen: ([asked_to_enforce(seen, number) for number in range(4)] == [False, True, False, False],
                             "cannot be read whole" in seen.last_said(1))),
    Case(7, "a server that does not know how to enforce a shape is asked without", [HALF, fail(400, "Unknown field."), DONE],
         requests=3, told=["Unknown field", "Trying again"],
         check=lambda seen: [asked_to_enforce(seen, number) for number in range(3)] == [False, True, False]),
    Case(7, "a call that cannot be read twice in a row is a clear failure", [HALF], stop="provider_error", answer=None,
         requests=2, told=["cannot read, twice in a row"],
         check=lambda seen: (nothing_written(seen), not seen.result.answer)),
    Case(7, "a call inside a thought is none", [say(f"<think>\nMaybe {AS_TEXT['in tool_call tags']}\n</think>\nDone.")],
         results=[], requests=1),
    Case(7, "an answer that shows other JSON is an answer",
         [say('The settings:\n\n```json\n{"name": "calculator", "version": 2}\n```')], answer=None, results=[],
         requests=1, check=lambda seen: '"version": 2' in seen.result.answer),
    Case(8, "an empty reply is nudged once", [say(""), DONE], requests=2,
         check=lambda seen: "empty" in seen.last_said()),
    Case(8, "a reply with nothing but reasoning is nudged once", [say("", thought="Let me think."), DONE], requests=2),
    Case(8, "a reply with nothing but a think block is nudged once", [say("<think>Let me think."), DONE], requests=2),
    Case(8, "a model that thinks for too long is asked once more without thinking", [THINKS, DONE],
         settings={"max_thoughts": 100}, requests=2, told=["has thought for 100 characters", "Trying again"],
         check=lambda seen: [asked_not_to_think(seen, number) for number in range(2)] == [False, True]),
    Case(8, "a model that thinks for too long in its text is asked once more without thinking",
         [say("<think>" + "Hm. " * 50), DONE], settings={"max_thoughts": 100}, requests=2, told=["has thought for"]),
    Case(8, "a model that thinks for too long twice is a clear failure", [THINKS], settings={"max_thoughts": 100},
         stop="provider_error", answer=None, requests=2, told=["GLASSBOX_MAX_THOUGHTS"]),
    Case(8, "a model that thinks the same again and again is asked once more without thinking",
         [say("", thought="Wait, is that so? " * 300), DONE], requests=2, told=["The model has thought for"],
         check=lambda seen: [asked_not_to_think(seen, number) for number in range(2)] == [False, True]),
    Case(8, "a reply that says the same again and again is stopped, and taken as said once",
         [say("Done:\n" + "It was made.\n" * 900)], answer="Done:\nIt was made.", requests=1,
         told=["says the same again and again"],
         check=lambda seen: len(seen.result.answer) < 30),
    Case(8, "a reply of nothing but lines is an empty one", [say("\n" * 5000), DONE], requests=2,
         told=["says the same again and again"], check=lambda seen: "empty" in seen.last_said()),
    Case(8, "a long answer that is alike in all its lines is whole",
         [say("".join(f"| {number} | nothing |\n" for number in range(500)))], answer=None, requests=1,
         check=lambda seen: "| 499 |" in seen.result.answer),
    Case(8, "two empty replies in a row are a clear failure", [say("")], stop="provider_error", answer=None, requests=2,
         told=["replies with nothing"]),
    Case(9, "a repeated call is nudged at the third and stopped at the fifth time", [*[call(READ_A)] * 5, DONE],
         stop="repeating", requests=6, told=["MAX_REPEATS"],
         check=lambda seen: (["3 times" in a for a in seen.answers()] == [False, False, True, False, False],
                             not seen.offers_tools())),
    Case(9, "before its last turn the model is told to answer in text", [*[call(READ_A)] * 5, DONE],
         stop="repeating", check=lambda seen: [LAST in a for a in seen.answers()] == [False] * 4 + [True]),
    Case(9, "two calls in turn forever are a loop too", [*[call(READ_A), call(READ_B)] * 5, DONE], stop="repeating",
         answer=None),
    Case(9, "the same call with a different result is no loop",
         [*[call(Call("run_python_file", {"file_path": "count.py"}))] * 8, DONE], requests=9),
    Case(9, "the same tests after different edits are no loop",
         [*[step for n in range(6) for step in
            (call(Call("write_file", {"file_path": "x.py", "content": f"# {n}"})), call(READ_A))], DONE],
         settings={"verify": False}, requests=13),
]  # fmt: skip

LM_STUDIO_OLD = ("Trying to keep the first 5103 tokens when context the overflows. However, the model is loaded with "
                 "context length of only 4096 tokens, which is not enough. Try to load the model with a larger context "
                 "length, or provide a shorter input")  # fmt: skip
LM_STUDIO_NEW = ("The number of tokens to keep from the initial prompt is greater than the context length (n_keep: "
                 "5103>= n_ctx: 4096). Try to load the model with a larger context length.")  # fmt: skip
LLAMA_CPP = "request (5103 tokens) exceeds the available context size (4096 tokens), try increasing it"
GOOGLE = "The input token count (5103) exceeds the maximum number of tokens allowed (4096)."
READ_LONG = Call("get_file_content", {"file_path": "long.txt"})
FILL = [call(READ_LONG), call(LIST), call(READ_A), call(READ_B)]


def loaded(model: str, window: int) -> dict[str, Any]:
    """An entry of LM Studio's own list of models."""
    instances = [{"id": model, "config": {"context_length": window}}]
    return {"type": "llm", "key": model, "max_context_length": 99999, "loaded_instances": instances}


def shortened_and_whole(seen: Seen) -> None:
    """The refused request was sent again once, shorter; system prompt, task, calls and last results are untouched."""
    paired(seen)
    refused, again = seen.history(-2), seen.history(-1)
    assert len(again) == len(refused)
    assert again[:2] == refused[:2]
    assert again[-1] == refused[-1]
    assert "left out" in seen.answers()[0]
    assert "make the same call again" in seen.answers()[0]
    assert seen.answers()[-2:] == ["alpha\n", "beta\n"]


ROW_10_TO_12 = [
    *[
        Case(10, f"old output is shortened and the request sent again once ({server})",
             [*FILL, refusal, DONE], wires, requests=6, told=["To fit the model's context window of 4,096 tokens"],
             check=shortened_and_whole)
        for server, refusal, wires in (
            ("LM Studio", fail(400, LM_STUDIO_OLD), ONLY_OPENAI),
            ("LM Studio 0.4", document({"error": LM_STUDIO_NEW}, status=400), ONLY_OPENAI),
            ("LM Studio, inside the stream", events(openai=[{"error": {"message": LM_STUDIO_OLD}}]), ONLY_OPENAI),
            ("llama.cpp", fail(400, LLAMA_CPP), ONLY_OPENAI),
            ("Google", fail(400, GOOGLE), ONLY_GEMINI),
        )
    ],
    Case(10, "what cannot fit is one line with the window, the size and what to do", [fail(400, LM_STUDIO_OLD)],
         stop="provider_error", answer=None, requests=1,
         told=["4,096 tokens", "5,103 tokens", "larger context length"]),
    Case(10, "the window that LM Studio tells is kept to without being refused",
         [*FILL, DONE], ONLY_OPENAI, requests=5,
         told=["To fit the model's context window of 3,000 tokens"],
         native={"/api/v1/models": {"models": [loaded("glassbox-scripted", 3000)]}}),
    Case(11, "no model loaded is one line with the next step",
         [fail(404, "No models loaded. Please load a model in the developer page or use the `lms load` command.")],
         stop="provider_error", answer=None, requests=1,
         told=["No models loaded", "Load a model in LM Studio"],
         check=lambda seen: seen.result.seconds < 2),
    Case(11, "an unknown model is one line with the next step", [fail(404, "models/nope is not found for API version "
         "v1beta, or is not supported for generateContent.")], stop="provider_error", answer=None, requests=1,
         told=["not found", "GEMINI_MODEL"], check=lambda seen: seen.result.seconds < 2),
    Case(11, "a wrong key is one line with the next step", [fail(400, "API key not valid. Please pass a valid API "
         "key.")], stop="provider_error", answer=None, requests=1, told=["API key not valid", "Check the key"]),
    *[
        Case(12, f"{what} is tried again and told", [step, DONE], requests=2, told=["Trying again", hint])
        for what, step, hint in (
            ("a crashed model", fail(500, "The model has crashed without additional information. (Exit code: 1)"),
             "has crashed"),
            ("a rate limit", fail(429, "Too many requests"), "429"),
            ("a request timeout", fail(408, "Request timeout"), "408"),
            ("a bad gateway", document(b"<html><body>502</body></html>", "text/html", 502), "502"),
            ("an unavailable server", fail(503, "The model is overloaded. Please try again later."), "overloaded"),
            ("a gateway timeout", fail(504, "Deadline expired"), "504"),
            ("a reset connection", Step({}, ending="drop"), "connection to the server broke"),
            ("a read that stalls", Step({}, ending="stall"), "not sent anything"),
        )
    ],
    Case(12, "Retry-After is honoured", [fail(429, "Slow down", Retry_After="0.3"), DONE], requests=2,
         check=lambda seen: seen.result.seconds >= 0.3),
    Case(12, "a delay that is too long is not waited for", [fail(429, "Slow down", Retry_After="3600")],
         stop="provider_error", answer=None, requests=1, told=["asks to wait 3600 s"]),
    Case(12, "what does not pass is one line after four attempts", [fail(503, "Overloaded")], stop="provider_error",
         answer=None, requests=4, told=["Tried 4 times", "Try again later"]),
    Case(12, "a failure in the middle of a run keeps what was done", [call(READ_A), fail(400, "Strange")],
         stop="provider_error", answer=None, results=["alpha"], told=["Strange"]),
]  # fmt: skip

NO_MEMORY = "The GPU ran out of memory"
PLAIN = [chunk({"content": "Done."}, "stop"), "[DONE]"]


def tool_delta(**call: Any) -> dict[str, Any]:
    return chunk({"tool_calls": [call]})


READ_FUNCTION = {"name": "get_file_content", "arguments": '{"file_path": "a.txt"}'}

ROW_13_TO_16 = [
    Case(13, "a 200 that is not JSON is tried once more", [document(b"<html>Hello</html>", "text/html"), DONE],
         requests=2, told=["Trying again"]),
    Case(13, "a 200 that is never JSON is a clear line", [document(b"<html>Hello</html>", "text/html")],
         stop="provider_error", answer=None, requests=2, told=["does not speak the protocol"]),
    *[
        Case(13, f"the words of an error behind a 200 are told ({shape})", [step], stop="provider_error", answer=None,
             requests=4, told=["The server answered with an error: The GPU ran out of memory."])
        for shape, step in (
            ("a document", document({"error": {"message": NO_MEMORY}})),
            ("a text alone", document({"error": NO_MEMORY})),
            ("a list", document([{"id": "c", "error": {"message": NO_MEMORY}}])),
            ("on several lines", document(json.dumps({"error": {"message": NO_MEMORY}}, indent=1).encode(), "text/plain")),
            ("called a stream", document(json.dumps({"error": {"message": NO_MEMORY}}).encode(), "text/event-stream")),
            ("an event", events(openai=[{"error": {"message": NO_MEMORY}}], gemini=[{"error": {"message": NO_MEMORY}}])),
            ("an event named so", document(b"event: error\ndata: " + json.dumps({"error": {"message": NO_MEMORY}}).encode()
                                           + b"\n\n", "text/event-stream")),
            ("after text", events(openai=[chunk({"content": "So"}), {"error": {"message": NO_MEMORY}}],
                                  gemini=[candidate([{"text": "So"}]), {"error": {"code": "oom",
                                                                                 "message": NO_MEMORY}}])),
        )
    ],
    Case(13, "an error behind a 200 that has a status of its own is one of that status",
         [document({"error": {"code": 400, "message": NO_MEMORY}})], stop="provider_error", answer=None, requests=1,
         told=["The server answered 400: The GPU ran out of memory."]),
    Case(13, "an answer that speaks of an \"error\" is no failure", [say('{"error": {"message": "Done."}}')],
         answer='{"error": {"message": "Done."}}'),
    Case(13, "a 200 without choices is tried once more", [events(openai=[{"id": "c"}, "[DONE]"], gemini=[{}]), DONE],
         requests=2),
    Case(13, "an event that is not JSON is tried once more", [events(openai=["{nonsense"], gemini=["{nonsense"]), DONE],
         requests=2, told=["could not be read"]),
    Case(13, "a whole reply instead of a stream is taken as what it means",
         [document({"choices": [{"message": {"role": "assistant", "content": None, "tool_calls": [
             {"id": "1", "type": "function", "function": READ_FUNCTION}]}, "finish_reason": "tool_calls"}],
             "usage": {"prompt_tokens": 5, "completion_tokens": 2}}),
          document({"choices": [{"message": {"content": "Done."}, "finish_reason": "stop"}]})], ONLY_OPENAI,
         results=["alpha"]),
    Case(13, "an empty finish reason beside calls runs the calls", [call(READ_A, finish=""), DONE], results=["alpha"]),
    Case(13, "a call without type or index is a call",
         [events(openai=[tool_delta(id="x", function=READ_FUNCTION), chunk({}, "stop"), "[DONE]"]), DONE], ONLY_OPENAI,
         results=["alpha"]),
    Case(13, "arguments that came as an object are arguments",
         [events(openai=[tool_delta(index=0, id="x", function={"name": "get_file_content",
                                                               "arguments": {"file_path": "a.txt"}}),
                         chunk({}, "stop"), "[DONE]"]), DONE], ONLY_OPENAI, results=["alpha"]),
    *[
        Case(13, f"content that is {what} beside a call is no obstacle",
             [events(openai=[chunk({"tool_calls": [{"index": 0, "id": "x", "function": READ_FUNCTION}], **content}),
                             chunk({}, "tool_calls"), "[DONE]"]), DONE], ONLY_OPENAI, results=["alpha"])
        for what, content in (("null", {"content": None}), ("absent", {}), ("empty", {"content": ""}),
                              ("a list of parts", {"content": [{"type": "text", "text": "Look:"}]}))
    ],
    Case(13, "content as a list of parts is text",
         [events(openai=[chunk({"content": [{"type": "text", "text": "Done."}]}, "stop"), "[DONE]"])], ONLY_OPENAI),
    Case(13, "a candidate without content is an empty reply",
         [events(gemini=[{"candidates": [{"finishReason": "STOP", "index": 0}]}]), DONE], ONLY_GEMINI, requests=2),
    Case(14, "the text is shown and the calls run", [call(READ_A, text="I look.\n"), DONE], results=["alpha"],
         check=lambda seen: [e.text for e in seen.events if e.kind == "text"][:1] == ["I look.\n"]),
    Case(15, "nine identical calls run once and are answered nine times",
         [call(*[Call("run_python_file", {"file_path": "count.py"})] * 9), DONE], results=["STDOUT:\n1"] * 9,
         check=lambda seen: (paired(seen), (seen.root / "count.txt").read_text() == "1")),
    Case(16, "order is kept around a call that writes or runs",
         [call(WRITE, Call("run_python_file", {"file_path": "new.py"}),
               Call("write_file", {"file_path": "new.py", "content": "print(2)"}),
               Call("run_python_file", {"file_path": "new.py"}), Call("get_file_content", {"file_path": "new.py"})),
          DONE], results=["wrote", "STDOUT:\n1", "wrote", "STDOUT:\n2", "print(2)"], check=paired),
]  # fmt: skip

TWO_CALLS = call(READ_A, WRITE)
INTERLEAVED = [
    tool_delta(index=0, id="x", function={"name": "get_file_content", "arguments": '{"file_'}),
    tool_delta(index=1, id="y", function={"name": "get_file_content", "arguments": ""}),
    tool_delta(index=0, function={"arguments": 'path": "a.txt"}'}),
    tool_delta(index=1, function={"arguments": '{"file_path": '}),
    tool_delta(index=1, id=None, function={"name": None, "arguments": '"b.txt"}'}),
    chunk({}, "tool_calls"),
    "[DONE]",
]
SAME_INDEX = [
    tool_delta(index=0, id="x", type="function", function=READ_FUNCTION),
    tool_delta(index=0, id="y", function={**READ_FUNCTION, "arguments": '{"file_path": "b.txt"}'}),
    chunk({}, "tool_calls"),
    "[DONE]",
]
HALVES = [
    tool_delta(index=0, id="x", function={"name": "write_file", "arguments": '{"file_path": "new.py", "content": "# \ud83d'}),
    tool_delta(index=0, function={"arguments": '\ude00"}'}),
]  # fmt: skip
ROW_17 = [
    Case(17, "a stream that is reset is asked for again as a whole, nothing of it is executed",
         [ends(TWO_CALLS, "drop", keep=3), DONE], results=[], requests=2, told=["Trying again"], check=nothing_written),
    Case(17, "a stream that just ends without a finish reason is asked for again",
         [ends(call(WRITE, finish="", usage=None), "close"), DONE], results=[], requests=2,
         told=["broke off in its middle"], check=nothing_written),
    Case(17, "text that breaks off is not taken for the answer",
         [ends(say("Half\nan answer"), "drop", keep=2), DONE], requests=2),
    Case(17, "deltas of two calls may be interleaved", [events(openai=INTERLEAVED), DONE], ONLY_OPENAI,
         results=["alpha", "beta"], check=paired),
    Case(17, "an id in the first delta only is enough", [events(openai=INTERLEAVED), DONE], ONLY_OPENAI,
         check=lambda seen: [c["id"] for c in seen.result.tool_calls] == ["x", "y"]),
    Case(17, "a character that two deltas share is one",
         [events(openai=[*HALVES, chunk({}, "tool_calls"), "[DONE]"]), RUN_NEW, DONE], ONLY_OPENAI,
         check=lambda seen: (seen.root / "new.py").read_text("utf-8") == "# \N{GRINNING FACE}"),
    Case(17, "two calls under the same index are two calls", [events(openai=SAME_INDEX), DONE], ONLY_OPENAI,
         results=["alpha", "beta"], check=paired),
    Case(17, "usage in the last chunk is counted", [call(READ_A, usage=(100, 10)), say("Done.", usage=(200, 20))],
         check=lambda seen: (seen.result.tokens.input, seen.result.tokens.output) == (300, 30)),
    Case(17, "usage that comes nowhere is unknown, not zero", [say("Done.", usage=None)],
         check=lambda seen: seen.result.tokens.input is None),
    Case(17, "an error inside the stream is tried again", [events(openai=[chunk({"content": "Ha"}),
         {"error": {"message": "The model has crashed without additional information."}}],
         gemini=[candidate([{"text": "Ha"}]), {"error": {"code": 503, "message": "overloaded"}}]), DONE],
         requests=2, told=["Trying again"]),
]  # fmt: skip

SIGNATURE = "CiQB+/9x3w8vZ2l0aHViLmNvbS9nbGFzc2JveC9zaWduYXR1cmU/Pz4+Pw=="
SIGNED = {"functionCall": {"name": "get_file_content", "args": {"file_path": "a.txt"}}, "thoughtSignature": SIGNATURE}
SIGNED_TEXT = {"text": "I look.", "thoughtSignature": SIGNATURE}
QUOTA = [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "0.4s"}]
DAY = [{"@type": "type.googleapis.com/google.rpc.QuotaFailure",
        "violations": [{"quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier"}]}, *QUOTA]  # fmt: skip


def blocked(reason: str) -> Step:
    return events(gemini=[{"candidates": [{"finishReason": reason, "index": 0}]}])


ROW_19_TO_22 = [
    Case(19, "a signature goes back unchanged", [events(gemini=[candidate([SIGNED_TEXT]), candidate([SIGNED], "STOP")]),
         DONE], ONLY_GEMINI, results=["alpha"],
         check=lambda seen: seen.history()[1]["parts"] == [SIGNED_TEXT, SIGNED]),
    Case(20, "all responses of a turn stand in one content of the person's role", [call(READ_A, READ_B, LIST), DONE],
         ONLY_GEMINI, check=lambda seen: (len(seen.history()) == 3, responses_match_calls(seen))),
    *[
        Case(21, f"{reason} is a clear line with the reason", [blocked(reason)], ONLY_GEMINI, stop="provider_error",
             answer=None, requests=1, told=["blocked", reason])
        for reason in ("SAFETY", "RECITATION", "PROHIBITED_CONTENT")
    ],
    Case(21, "a blocked prompt is a clear line with the reason",
         [events(gemini=[{"promptFeedback": {"blockReason": "BLOCKLIST"}}])], ONLY_GEMINI, stop="provider_error",
         answer=None, requests=1, told=["blocked", "BLOCKLIST"]),
    Case(21, "a malformed call is asked for again with a note", [blocked("MALFORMED_FUNCTION_CALL"), DONE], ONLY_GEMINI,
         requests=2, check=lambda seen: "malformed" in seen.last_said()),
    Case(21, "a call that stays malformed is a clear line", [blocked("MALFORMED_FUNCTION_CALL")], ONLY_GEMINI,
         stop="provider_error", answer=None, requests=2, told=["cannot read"]),
    Case(21, "an unexpected call is asked for again with a note", [blocked("UNEXPECTED_TOOL_CALL"), DONE], ONLY_GEMINI,
         requests=2, check=lambda seen: "not offered" in seen.last_said()),
    Case(21, "no candidates is tried once more", [events(gemini=[{"usageMetadata": {"promptTokenCount": 3}}]), DONE],
         ONLY_GEMINI, requests=2),
    Case(21, "a candidate without parts is nudged", [events(gemini=[candidate([], "STOP")]), DONE], ONLY_GEMINI,
         requests=2),
    Case(21, "nothing but thoughts up to the token limit is nudged",
         [say("", thought="Hm.", finish="length"), DONE], ONLY_GEMINI, requests=2),
    Case(21, "an unknown finish reason beside text is an answer",
         [events(gemini=[candidate([{"text": "Done."}], "BRAND_NEW_REASON")])], ONLY_GEMINI, requests=1),
    Case(21, "an unknown finish reason beside calls runs the calls",
         [events(gemini=[candidate([SIGNED], "FUNCTION_CALL")]), DONE], ONLY_GEMINI, results=["alpha"]),
    Case(22, "a delay that Google asks for is waited for and shown", [fail(429, "You exceeded your current quota",
         QUOTA), DONE], ONLY_GEMINI, requests=2, told=["exceeded your current quota", "Trying again in"],
         check=lambda seen: seen.result.seconds >= 0.4),
    Case(22, "a quota of the day is not spent on another attempt", [fail(429, "You exceeded your current quota", DAY)],
         ONLY_GEMINI, stop="provider_error", answer=None, requests=1, told=["used up"]),
    Case(22, "an overloaded model is tried again", [fail(503, "The model is overloaded."), DONE], ONLY_GEMINI,
         requests=2, told=["overloaded"]),
]  # fmt: skip

CASES = [*ROW_1_TO_3, *ROW_4_TO_6, *ROW_7_TO_9, *ROW_10_TO_12, *ROW_13_TO_16, *ROW_17, *ROW_19_TO_22]
