# ruff: noqa: E501
"""Replies in the shapes that real servers and models send, written by us after what is documented and reported.

Each is a name, the wire, the body of one reply (the events of a stream), and where the shape is known from.
"""

from __future__ import annotations

import json
from typing import Any

from offline.script import GEMINI, OPENAI, candidate, chunk

ARGUMENTS = '{"file_path": "a.txt"}'
FUNCTION = {"name": "get_file_content", "arguments": ARGUMENTS}
STOP = chunk({}, "stop")
CALLED = chunk({}, "tool_calls")
END = "[DONE]"
SIGNATURE = "CiQB+/9x3w8vZ2l0aHViLmNvbS9nbGFzc2JveC9zaWduYXR1cmU/Pz4+Pw=="
GEMINI_CALL = {"functionCall": {"name": "get_file_content", "args": {"file_path": "a.txt"}}}


def delta(**fields: Any) -> dict[str, Any]:
    return chunk({"tool_calls": [fields]})


def usage(**counted: Any) -> dict[str, Any]:
    return {**chunk({}), "choices": [], "usage": counted}


OPENAI_REPLIES: dict[str, list[Any]] = {
    "LM Studio: text": [chunk({"role": "assistant", "content": "Done."}), STOP, END],
    "LM Studio: call with empty content": [chunk({"role": "assistant", "content": ""}),
        delta(index=0, id="365174485", type="function", function={"name": "get_file_content", "arguments": ""}),
        delta(index=0, function={"arguments": ARGUMENTS}), CALLED, END],
    "LM Studio: reasoning beside the answer": [chunk({"reasoning_content": "Hm."}), chunk({"content": "Done."}), STOP, END],
    "LM Studio: reasoning alone": [chunk({"reasoning_content": "Hm."}), STOP, END],
    "LM Studio: error event": [{"error": {"message": "Model is unloaded."}}],
    "LM Studio: TOOL_REQUEST in text": [chunk({"content": f'[TOOL_REQUEST]{{"name": "get_file_content", "arguments": {ARGUMENTS}}}[END_TOOL_REQUEST]'}), STOP, END],
    "llama.cpp: null content and a call": [chunk({"role": "assistant", "content": None}),
        delta(index=0, id="kXo", type="function", function=FUNCTION), CALLED, END],
    "llama.cpp: timings": [chunk({"content": "Done."}), {**STOP, "timings": {"predicted_per_second": 6.5}}, END],
    "llama.cpp: usage with details": [chunk({"content": "Done."}), STOP, usage(prompt_tokens=9, completion_tokens=1,
        total_tokens=10, prompt_tokens_details={"cached_tokens": 0}), END],
    "llama.cpp: arguments in single characters": [delta(index=0, id="x", type="function", function={"name": "get_file_content", "arguments": ""}),
        *[delta(index=0, function={"arguments": letter}) for letter in ARGUMENTS], CALLED, END],
    "Ollama: stop beside calls": [delta(index=0, id="call_1", type="function", function=FUNCTION), STOP, END],
    "Ollama: two calls, one index": [delta(index=0, id="call_1", type="function", function=FUNCTION),
        delta(index=0, id="call_2", type="function", function={**FUNCTION, "arguments": '{"file_path": "b.txt"}'}), STOP, END],
    "vLLM: role in every delta": [chunk({"role": "assistant", "content": "Do"}), chunk({"role": "assistant", "content": "ne."}), STOP, END],
    "vLLM: reasoning field": [chunk({"reasoning": "Hm."}), chunk({"content": "Done."}), STOP, END],
    "vLLM: usage null until the end": [{**chunk({"content": "Done."}), "usage": None}, STOP, usage(prompt_tokens=1, completion_tokens=1), END],
    "type missing": [delta(index=0, id="x", function=FUNCTION), CALLED, END],
    "index missing": [delta(id="x", type="function", function=FUNCTION), CALLED, END],
    "id missing": [delta(index=0, type="function", function=FUNCTION), CALLED, END],
    "id null": [delta(index=0, id=None, type="function", function=FUNCTION), CALLED, END],
    "id empty": [delta(index=0, id="", type="function", function=FUNCTION), CALLED, END],
    "id in every delta": [delta(index=0, id="x", function={"name": "get_file_content", "arguments": ARGUMENTS[:9]}),
        delta(index=0, id="x", function={"arguments": ARGUMENTS[9:]}), CALLED, END],
    "function null in a delta": [delta(index=0, id="x", function=FUNCTION), delta(index=0, function=None), CALLED, END],
    "tool_calls null": [chunk({"content": "Done.", "tool_calls": None}), STOP, END],
    "tool_calls empty": [chunk({"content": "Done.", "tool_calls": []}), STOP, END],
    "content as a list of parts": [chunk({"content": [{"type": "text", "text": "Done."}]}), STOP, END],
    "content as a list with a null text": [chunk({"content": [{"type": "text", "text": None}]}), STOP, END],
    "delta null": [chunk(None), chunk({"content": "Done."}), STOP, END],
    "delta absent": [{**STOP, "choices": [{"index": 0, "finish_reason": None}]}, chunk({"content": "Done."}), STOP, END],
    "choices absent": [{"id": "c", "object": "chat.completion.chunk"}, END],
    "choices null": [{"id": "c", "choices": None}, END],
    "choices empty first (Azure's filter results)": [{"id": "", "choices": [], "prompt_filter_results": []}, chunk({"content": "Done."}), STOP, END],
    "finish reason empty": [delta(index=0, id="x", function=FUNCTION), chunk({}, ""), END],
    "finish reason unknown": [chunk({"content": "Done."}), chunk({}, "eos_token"), END],
    "finish reason function_call": [delta(index=0, id="x", function=FUNCTION), chunk({}, "function_call"), END],
    "finish reason length": [chunk({"content": "Half an"}), chunk({}, "length"), END],
    "finish reason content_filter": [chunk({"content": ""}), chunk({}, "content_filter"), END],
    "no end marker": [chunk({"content": "Done."}), STOP],
    "an event that is a number": ["5", chunk({"content": "Done."}), STOP, END],
    "an event that is a list": ["[]", chunk({"content": "Done."}), STOP, END],
    "an empty stream": [],
    "usage as text": [chunk({"content": "Done."}), STOP, usage(prompt_tokens="9", completion_tokens=None), END],
    "extra fields everywhere": [{**chunk({"content": "Done.", "refusal": None, "audio": None}), "system_fingerprint": "x", "service_tier": None}, STOP, END],
}  # fmt: skip

GEMINI_REPLIES: dict[str, list[Any]] = {
    "text": [candidate([{"text": "Done."}], "STOP")],
    "text in pieces, an empty last part": [candidate([{"text": "Do"}]), candidate([{"text": "ne."}]), candidate([{"text": ""}], "STOP")],
    "a call with a signature": [candidate([{**GEMINI_CALL, "thoughtSignature": SIGNATURE}], "STOP")],
    "a call with an id": [candidate([{"functionCall": {"id": "fc_1", **GEMINI_CALL["functionCall"]}}], "STOP")],
    "a call without args": [candidate([{"functionCall": {"name": "get_dir_info"}}], "STOP")],
    "a call with args null": [candidate([{"functionCall": {"name": "get_dir_info", "args": None}}], "STOP")],
    "a thought, then a call": [candidate([{"text": "Hm.", "thought": True}]), candidate([GEMINI_CALL], "STOP")],
    "a thought alone": [candidate([{"text": "Hm.", "thought": True}], "STOP")],
    "a signature on an empty text": [candidate([{"text": "Done."}]), candidate([{"text": "", "thoughtSignature": SIGNATURE}], "STOP")],
    "parallel calls, signature on the first": [candidate([{**GEMINI_CALL, "thoughtSignature": SIGNATURE}, GEMINI_CALL], "STOP")],
    "content without parts": [{"candidates": [{"content": {"role": "model"}, "finishReason": "STOP"}]}],
    "parts null": [{"candidates": [{"content": {"role": "model", "parts": None}, "finishReason": "STOP"}]}],
    "parts empty": [candidate([], "STOP")],
    "content absent": [{"candidates": [{"finishReason": "STOP", "index": 0}]}],
    "candidates absent": [{"usageMetadata": {"promptTokenCount": 5}}],
    "candidates null": [{"candidates": None}],
    "candidates empty": [{"candidates": []}],
    "no finish reason": [candidate([{"text": "Done."}])],
    "SAFETY": [{"candidates": [{"finishReason": "SAFETY", "safetyRatings": []}]}],
    "a prompt that is blocked": [{"promptFeedback": {"blockReason": "SAFETY"}}],
    "MAX_TOKENS with text": [candidate([{"text": "Half an"}], "MAX_TOKENS")],
    "MAX_TOKENS with nothing": [{"candidates": [{"finishReason": "MAX_TOKENS"}], "usageMetadata": {"thoughtsTokenCount": 900}}],
    "MALFORMED_FUNCTION_CALL": [{"candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL", "finishMessage": "print(...)"}]}],
    "UNEXPECTED_TOOL_CALL": [{"candidates": [{"finishReason": "UNEXPECTED_TOOL_CALL"}]}],
    "an unknown finish reason": [candidate([{"text": "Done."}], "SOMETHING_NEW")],
    "aimock: FUNCTION_CALL": [candidate([GEMINI_CALL], "FUNCTION_CALL")],
    "an unknown kind of part": [candidate([{"text": "Done."}, {"holographicData": {"x": 1}}], "STOP")],
    "an unknown field in a part": [candidate([{"text": "Done.", "brandNew": True}], "STOP")],
    "usage with thoughts": [{**candidate([{"text": "Done."}], "STOP"), "usageMetadata": {"promptTokenCount": 3, "candidatesTokenCount": 1, "thoughtsTokenCount": 7, "totalTokenCount": 11}}],
    "an error event": [{"error": {"code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE"}}],
    "an error event that is a text": [{"error": "overloaded"}],
    "an event that is a list": [json.dumps([candidate([{"text": "Done."}], "STOP")])],
    "code execution parts": [candidate([{"executableCode": {"language": "PYTHON", "code": "1"}}, {"text": "Done."}], "STOP")],
    "an empty stream": [],
}  # fmt: skip

REPLIES = [(OPENAI, name, events) for name, events in OPENAI_REPLIES.items()]
REPLIES += [(GEMINI, name, events) for name, events in GEMINI_REPLIES.items()]
