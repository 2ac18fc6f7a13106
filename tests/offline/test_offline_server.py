"""The built-in model's server: nobody thinks on for a client that has left."""

from __future__ import annotations

import json
import re
import socket
import threading
import urllib.error
import urllib.request
from typing import Any

import pytest

from offline.wire.conversation import Call, Conversation, Decision
from offline.wire.server import serve

HANG = 30.0


class Mind:
    """Thinks until it is told to stop; tells when it has begun, and that it was stopped."""

    def __init__(self) -> None:
        self.began, self.stopped = threading.Event(), threading.Event()

    def __call__(self, conversation: object, think: object, cancelled: threading.Event) -> Decision:
        self.began.set()
        if cancelled.wait(HANG):
            self.stopped.set()
        return Decision("")


def asked(address: str, path: str, body: dict[str, object]) -> socket.socket:
    """A connection on which a request is under way."""
    host, port = address.removeprefix("http://").split(":")
    connection = socket.create_connection((host, int(port)), HANG)
    data = json.dumps(body).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {len(data)}\r\n\r\n"
    connection.sendall(head.encode() + data)
    return connection


ASKED = {
    "chat completions, streamed": ("/v1/chat/completions", {"messages": [], "stream": True}),
    "chat completions": ("/v1/chat/completions", {"messages": []}),
    "generateContent, streamed": ("/v1beta/models/x:streamGenerateContent?alt=sse", {"contents": []}),
}


@pytest.mark.parametrize("request_", ASKED.values(), ids=ASKED)
def test_when_the_client_leaves_the_thinking_ends(request_: tuple[str, dict[str, object]]):
    mind = Mind()
    with serve(decide=mind) as address:
        connection = asked(address, *request_)
        assert mind.began.wait(HANG)
        assert not mind.stopped.is_set()
        connection.close()
        assert mind.stopped.wait(HANG)


def test_when_the_server_closes_the_thinking_ends():
    mind = Mind()
    with serve(decide=mind) as address:
        connection = asked(address, *ASKED["chat completions, streamed"])
        assert mind.began.wait(HANG)
    assert mind.stopped.wait(HANG)
    connection.close()


def post(address: str, path: str, body: dict[str, Any]) -> tuple[int, Any]:
    data = json.dumps(body).encode()
    request = urllib.request.Request(f"{address}{path}", data=data)
    try:
        with urllib.request.urlopen(request, timeout=HANG) as answer:
            text = answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())
    if not text.startswith("data: "):
        return 200, json.loads(text)
    events = [line.removeprefix("data: ") for line in text.split("\n\n") if line]
    return 200, [json.loads(event) for event in events if event != "[DONE]"]


SAYS = Decision("The bug is in line eleven.")
CALLS = Decision("I look.", (Call("look", {"at": "main.py"}),))
CHAT, CHAT_BODY = "/v1/chat/completions", {"messages": [{"role": "user", "content": "x"}]}
GEMINI, GEMINI_BODY = "/v1beta/models/x:generateContent", {"contents": [{"parts": [{"text": "x"}]}]}
TOOL = {"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}

ALLOWED = {"mode": "required", "tools": [{"type": "function", "function": {"name": "look"}}]}


@pytest.mark.parametrize(
    ("path", "body", "said"),
    [
        (CHAT, {"n": 2}, "n is 2"),
        (CHAT, {"max_tokens": 0}, "max_tokens is 0"),
        (CHAT, {"max_completion_tokens": "5"}, "max_completion_tokens is '5'"),
        (CHAT, {"response_format": {"type": "json_object"}}, "response_format cannot be held"),
        (CHAT, {"tool_choice": "required", "tools": [TOOL]}, "a call was demanded.*line eleven"),
        (CHAT, {"tool_choice": "required", "tools": [TOOL], "stream": True}, "a call was demanded"),
        (CHAT, {"tool_choice": {"function": {"name": "gone"}}, "tools": [TOOL]}, "names 'gone'"),
        (CHAT, {"tool_choice": "perhaps", "tools": [TOOL]}, "tool_choice is 'perhaps'"),
        (
            CHAT,
            {"tool_choice": {"type": "allowed_tools", "allowed_tools": ALLOWED}},
            "names 'look', which is not among",
        ),
        (GEMINI, {"generationConfig": {"responseJsonSchema": {"type": "object"}}}, "responseJsonSchema cannot be held"),
        (GEMINI, {"toolConfig": {"functionCallingConfig": {"mode": "MUST"}}}, "mode is 'MUST'"),
        (GEMINI, {"toolConfig": {"functionCallingConfig": {"allowedFunctionNames": ["gone"]}}}, "names 'gone'"),
        (GEMINI, {"generationConfig": {"candidateCount": 3}}, "candidateCount is 3"),
        (GEMINI, {"generationConfig": {"responseMimeType": "application/json"}}, "responseMimeType cannot be held"),
        (GEMINI, {"toolConfig": {"functionCallingConfig": {"mode": "ANY"}}}, "a call was demanded"),
    ],
)
def test_what_the_model_cannot_give_is_refused_in_the_wires_own_shape(path: str, body: dict[str, Any], said: str):
    with serve(decide=lambda *_: SAYS) as address:
        status, answer = post(address, path, {**(CHAT_BODY if path == CHAT else GEMINI_BODY), **body})
    assert status == 400
    assert re.search(said, answer["error"]["message"])
    assert answer["error"].get("type" if path == CHAT else "status") in ("invalid_request_error", "INVALID_ARGUMENT")


def test_an_answer_is_cut_at_the_tokens_that_were_asked_for():
    with serve(decide=lambda *_: SAYS) as address:
        _, chat = post(address, CHAT, {**CHAT_BODY, "max_tokens": 2})
        _, gemini = post(address, GEMINI, {**GEMINI_BODY, "generationConfig": {"maxOutputTokens": 2}})
        _, whole = post(address, CHAT, {**CHAT_BODY, "max_tokens": 100})
    assert (chat["choices"][0]["message"]["content"], chat["choices"][0]["finish_reason"]) == ("The bug ", "length")
    assert chat["usage"]["completion_tokens"] <= 3
    assert gemini["candidates"][0]["finishReason"] == "MAX_TOKENS"
    assert whole["choices"][0]["finish_reason"] == "stop"


def test_a_call_that_is_demanded_and_made_is_given():
    with serve(decide=lambda *_: CALLS) as address:
        body = {**CHAT_BODY, "tools": [TOOL], "tool_choice": {"type": "function", "function": {"name": "look"}}}
        _, answer = post(address, CHAT, body)
        _, streamed = post(address, CHAT, {**body, "stream": True})
    assert answer["choices"][0]["message"]["tool_calls"][0]["function"]["name"] == "look"
    assert streamed[-1]["choices"][0]["finish_reason"] == "tool_calls"


def test_the_count_at_the_end_of_a_stream_comes_to_those_alone_who_ask():
    with serve(decide=lambda *_: SAYS) as address:
        _, without = post(address, CHAT, {**CHAT_BODY, "stream": True})
        _, counted = post(address, CHAT, {**CHAT_BODY, "stream": True, "stream_options": {"include_usage": True}})
    assert all(chunk["choices"] for chunk in without)
    assert counted[-1]["usage"]["completion_tokens"] > 0


def test_one_model_and_a_count_of_tokens_can_be_asked_for():
    with serve() as address:

        def got(path: str) -> Any:
            with urllib.request.urlopen(f"{address}{path}", timeout=HANG) as answer:
                return json.loads(answer.read())

        assert got("/v1/models/glassbox-offline") == got("/v1/models")["data"][0]
        assert got("/v1beta/models/glassbox-offline") == got("/v1beta/models")["models"][0]
        assert post(address, "/v1beta/models/x:countTokens", GEMINI_BODY)[1]["totalTokens"] > 5
        for path, key in (("/v1/models/other", "type"), ("/v1beta/models/other", "status")):
            with pytest.raises(urllib.error.HTTPError) as missing:
                got(path)
            assert key in json.loads(missing.value.read())["error"]


def test_of_several_tools_those_alone_are_offered_that_the_request_allows():
    other = {"type": "function", "function": {"name": "change", "parameters": {"type": "object"}}}
    seen: list[frozenset[str]] = []

    def decide(conversation: Conversation, *_: object) -> Decision:
        seen.append(conversation.tools)
        return CALLS

    with serve(decide=decide) as address:
        choice = {"type": "allowed_tools", "allowed_tools": ALLOWED}
        post(address, CHAT, {**CHAT_BODY, "tools": [TOOL, other], "tool_choice": choice})
        declared = [{"functionDeclarations": [TOOL["function"], other["function"]]}]
        config = {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["look"]}}
        post(address, GEMINI, {**GEMINI_BODY, "tools": declared, "toolConfig": config})
    assert seen == [{"look"}, {"look"}]


@pytest.mark.parametrize("version", [{}, {"api_version": "v1"}, {"api_version": "v1beta"}, {"api_version": "v1alpha"}])
def test_googles_sdk_finds_the_model_at_its_own_version_and_at_any_other(version: dict[str, str]):
    from google import genai
    from google.genai import errors, types

    with serve(decide=lambda *_: SAYS) as address:
        options = types.HttpOptions(base_url=address, **version)
        client = genai.Client(api_key="none", vertexai=False, http_options=options)
        assert [model.name for model in client.models.list()] == ["models/glassbox-offline"]
        assert client.models.get(model="glassbox-offline").name == "models/glassbox-offline"
        assert client.models.generate_content(model="glassbox-offline", contents="x").text == SAYS.text
        assert client.models.count_tokens(model="glassbox-offline", contents="x").total_tokens
        with pytest.raises(errors.ClientError) as missing:
            client.models.get(model="other")
        assert missing.value.status == "NOT_FOUND"


@pytest.mark.parametrize("headers", [{}, {"x-goog-api-key": "none"}])
def test_what_is_not_served_is_an_error_in_the_wires_own_shape(headers: dict[str, str]):
    key = "status" if headers else "type"
    with serve() as address:
        for method, path, status in (("DELETE", "/v1/models", 501), ("POST", "/v1/embeddings", 404), ("GET", "/", 404)):
            request = urllib.request.Request(f"{address}{path}", method=method, headers=headers)
            with pytest.raises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(request, timeout=HANG)
            assert refused.value.code == status
            assert key in json.loads(refused.value.read())["error"]
