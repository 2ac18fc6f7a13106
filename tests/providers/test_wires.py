"""What each wire makes of what is said, and what it reads out of a reply, piece by piece."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from typing import Any

import pytest
from catalogue import CATALOGUE

from agent.contracts import TEXT_RESULTS, Reply, TokenUsage, ToolCall, ToolResult
from agent.errors import ProviderError
from config import Settings
from offline.background import in_background
from providers import discovery, gemini_wire, openai_wire, transport
from providers.discovery import Found


def a_run() -> Any:
    return SimpleNamespace(catalogue=CATALOGUE, turns=3, enforced="", notice=lambda text: None)


def results(*oks: bool, as_text: bool = False) -> list[ToolResult]:
    return [
        ToolResult(ToolCall(str(number), "run_tests", {}, as_text=as_text), f"result {number}", ok, 0.0)
        for number, ok in enumerate(oks)
    ]


REPLY = Reply("", (), TokenUsage(), "stop", {"parts": [
    {"text": "so"}, {"functionCall": {"name": "a", "id": "g0"}}, {"functionCall": {"name": "b"}},
]})  # fmt: skip


def test_results_go_back_as_each_wire_has_them_and_are_found_again():
    openai = openai_wire.tool_messages(results(True, False), REPLY, "Mind.")
    assert openai == [
        {"role": "tool", "tool_call_id": "0", "content": "result 0"},
        {"role": "tool", "tool_call_id": "1", "content": "result 1\n\nMind."},
    ]
    assert [openai_wire.outputs_in(each) for each in openai] == [[("content",)]] * 2
    [gemini] = gemini_wire.tool_messages(results(True, False), REPLY)
    assert gemini == {"role": "user", "parts": [
        {"functionResponse": {"id": "g0", "name": "a", "response": {"result": "result 0"}}},
        {"functionResponse": {"name": "b", "response": {"error": "result 1"}}},
    ]}  # fmt: skip
    assert gemini_wire.outputs_in(gemini) == [
        ("parts", 0, "functionResponse", "response", "result"),
        ("parts", 1, "functionResponse", "response", "error"),
    ]


@pytest.mark.parametrize("wire", [openai_wire, gemini_wire])
def test_results_of_calls_in_a_text_are_told_in_words_and_are_found_again(wire: Any):
    [message] = wire.tool_messages(results(True, True, as_text=True), REPLY)
    [path] = wire.outputs_in(message)
    text: Any = message
    for step in path:
        text = text[step]
    assert text == f"{TEXT_RESULTS}\n\nrun_tests:\nresult 0\n\nrun_tests:\nresult 1"
    assert wire.outputs_in(wire.user_message("Please.")) == []
    assert not wire.has_calls(wire.user_message("Please."))


ENTRIES: list[dict[str, Any]] = [
    {"role": "user", "text": "Do it."},
    {"role": "assistant", "text": "", "calls": [{"name": "a", "arguments": {"x": 1}}, {"name": "b", "arguments": {}}]},
    {"role": "results", "results": [{"name": "a", "content": "1\ud800", "ok": True}, {"name": "b", "content": "2", "ok": False}]},
    {"role": "assistant", "text": "Done.", "calls": []},
]  # fmt: skip


def test_an_earlier_conversation_is_built_anew_for_chat_completions():
    messages = openai_wire.history(ENTRIES)
    ids = [call["id"] for call in messages[1]["tool_calls"]]
    assert len(set(ids)) == 2
    assert [message["role"] for message in messages] == ["user", "assistant", "tool", "tool", "assistant"]
    assert [(each["tool_call_id"], each["content"]) for each in messages[2:4]] == [(ids[0], "1?"), (ids[1], "2")]
    assert json.loads(messages[1]["tool_calls"][0]["function"]["arguments"]) == {"x": 1}
    assert (messages[0]["content"], messages[4]["content"]) == ("Do it.", "Done.")
    assert "tool_calls" not in messages[4]
    assert openai_wire.has_calls(messages[1])
    assert not openai_wire.has_calls(messages[4])


def test_an_earlier_conversation_is_built_anew_for_gemini():
    assert gemini_wire.history(ENTRIES) == [
        {"role": "user", "parts": [{"text": "Do it."}]},
        {"role": "model", "parts": [{"functionCall": {"name": "a", "args": {"x": 1}}}, {"functionCall": {"name": "b", "args": {}}}]},
        {"role": "user", "parts": [
            {"functionResponse": {"name": "a", "response": {"result": "1?"}}},
            {"functionResponse": {"name": "b", "response": {"error": "2"}}},
        ]},
        {"role": "model", "parts": [{"text": "Done."}]},
    ]  # fmt: skip
    assert gemini_wire.gemini_message({"text": "", "calls": []})["parts"] == [{"text": ""}]


def test_of_a_turn_that_another_model_wrote_the_first_call_alone_bears_a_signature():
    calls = [{"name": "a", "arguments": '{"x": 1}'}, {"name": "b", "arguments": "{half"}]
    parts = gemini_wire.model_message("So.", calls, 1)["parts"]
    assert [part.get("thoughtSignature") for part in parts] == [None, gemini_wire.UNSIGNED, None]
    assert [part["functionCall"]["args"] for part in parts[1:]] == [{"x": 1}, {}]


@pytest.mark.parametrize(
    ("counted", "usage"),
    [((1, 2, 3), (1, 5)), ((None, 2, None), (None, 2)), ((1, None, None), (1, None)), ((-1, True, 0), (None, 0))],
)
def test_thoughts_count_as_written(counted: Any, usage: Any):
    told = SimpleNamespace(
        prompt_token_count=counted[0], candidates_token_count=counted[1], thoughts_token_count=counted[2]
    )
    assert gemini_wire.read_usage(told) == TokenUsage(*usage)


def test_neighbouring_texts_become_one_and_a_signature_keeps_its_part():
    parts: list[dict[str, Any]] = []
    for part in ({"text": "a"}, {"text": "b"}, {"text": "c", "thought": True}, {"text": "d", "thought": True}, {},
                 {"text": "e", "thoughtSignature": "s"}, {"text": "f"}, {"functionCall": {}}, {"text": "g"}):  # fmt: skip
        gemini_wire.add_part(parts, dict(part))
    assert parts == [
        {"text": "ab"}, {"text": "cd", "thought": True}, {"text": "e", "thoughtSignature": "s"}, {"text": "f"},
        {"functionCall": {}}, {"text": "g"},
    ]  # fmt: skip
    assert gemini_wire.plain(None) == ""
    assert gemini_wire.plain(SimpleNamespace(value="STOP")) == gemini_wire.plain("STOP") == "STOP"


def test_of_a_gemini_reply_that_was_cut_the_last_call_is():
    parts = [{"text": "x", "thought": True}, {"text": " so "}, *({"functionCall": {"name": n * 2_000}} for n in "ab")]
    reply = gemini_wire.build_reply(parts, TokenUsage(), "MAX_TOKENS", a_run())
    assert [(call.id, len(call.name), call.arguments, call.cut) for call in reply.calls] == [
        ("call_3_1", 1_000, {}, False),
        ("call_3_2", 1_000, {}, True),
    ]
    assert reply.text == "so"
    assert not any(call.cut for call in gemini_wire.build_reply(parts, TokenUsage(), "STOP", a_run()).calls)
    many = gemini_wire.build_reply([{"text": "so"}, *[{"functionCall": {}}] * 129], TokenUsage(), "STOP", a_run())
    assert (many.calls, many.message["parts"]) == ((), [{"text": "so"}])
    assert "129 tool calls" in many.fault
    assert gemini_wire.build_reply([], TokenUsage(), "STOP", a_run()).message["parts"] == [{"text": "(empty)"}]
    assert "malformed" in gemini_wire.build_reply([], TokenUsage(), "MALFORMED_FUNCTION_CALL", a_run()).fault


def raw(id: str, name: str = "run_tests", arguments: str = "{}") -> dict[str, str]:
    return {"id": id, "name": name, "arguments": arguments}


def test_of_a_reply_of_chat_completions_what_goes_back_is_what_servers_take():
    sent = [raw("a", "two words!" + "x" * 2_000, "{half"), raw("a", "", '{"a": 1}')]
    reply = openai_wire.build_reply("", sent, TokenUsage(), "length", a_run())
    assert [(call.id, len(call.name), call.arguments, call.cut) for call in reply.calls] == [
        ("a", 1_000, "{half", False),
        ("call_3_2", 0, '{"a": 1}', True),
    ]
    functions = [call["function"] for call in reply.message["tool_calls"]]
    assert functions == [
        {"name": "two_words_" + "x" * 54, "arguments": "{}"},
        {"name": "unknown", "arguments": '{"a": 1}'},
    ]
    assert reply.message["content"] == ""
    assert openai_wire.build_reply("", [], TokenUsage(), "stop", a_run()).message == {
        "role": "assistant", "content": "(empty)",
    }  # fmt: skip
    many = openai_wire.build_reply("so", [raw(str(number)) for number in range(129)], TokenUsage(), "stop", a_run())
    assert (many.calls, many.message) == ((), {"role": "assistant", "content": "so"})
    assert "129 tool calls" in many.fault


def pieces(*sent: dict[str, Any]) -> list[dict[str, str]]:
    calls = openai_wire.Calls()
    for piece in sent:
        calls.add(piece)
    return calls.whole()


def piece(index: Any, id: str | None = None, name: str | None = None, arguments: Any = "") -> dict[str, Any]:
    return {"index": index, "id": id, "function": {"name": name, "arguments": arguments}}


def test_pieces_of_calls_are_put_together_by_their_index_and_where_that_says_nothing_by_what_is_whole():
    assert pieces(piece(0, "a", "x", '{"p":'), piece(1, "b", "y", "{"), piece(0, arguments="1}"), piece(1, arguments="}")) == [
        raw("a", "x", '{"p":1}'), raw("b", "y", "{}"),
    ]  # fmt: skip
    assert pieces(piece(1, "b", "y", "{}"), piece(0, "a", "x", "{}")) == [raw("a", "x"), raw("b", "y")]
    assert pieces(piece(1, "b", "y", "{}"), piece(None, "a", "x", "{}")) == [raw("b", "y"), raw("a", "x")]
    assert pieces(piece(None, "a", "x", "{}"), piece(None, "b", "x", "{}")) == [raw("a", "x"), raw("b", "x")]
    assert pieces(piece("0", "", "x", "{}"), piece(None, "", "x", "{}")) == [raw("", "x"), raw("", "x")]
    assert pieces(piece(0, "a", "x", '{"p"'), piece(0, "a", "x", ": 1}")) == [raw("a", "x", '{"p": 1}')]
    assert pieces(piece(0, "a", "x", {"p": 1}), {"index": 0}, {"index": 0, "function": "no"}) == [
        raw("a", "x", '{"p": 1}')
    ]
    assert [openai_wire.is_whole(text) for text in ("{}", "[]", "", "{", "[" * 100_000)] == [True] + [False] * 4


def test_after_a_thousand_pieces_with_its_name_a_call_is_not_looked_at_whole_again():
    named = [piece(0, "a", "x", " ") for _ in range(999)]
    assert len(pieces(*named, piece(0, "a", "x", "{}"))) == 1
    assert len(pieces(*named[1:], piece(0, "a", "x", "{}"), piece(0, "a", "x", "{}"))) == 2
    assert len(pieces(*named, piece(0, "a", "x", "{}"), piece(0, "a", "x", "{}"))) == 1


@pytest.mark.parametrize(
    ("chunk", "usage"),
    [({}, None), ({"usage": None}, None), ({"usage": {"prompt_tokens": 1, "completion_tokens": 2}}, (1, 2)),
     ({"usage": {"prompt_tokens": "1"}}, (None, None))],
)  # fmt: skip
def test_usage_is_read_from_the_chunk_that_has_it(chunk: dict[str, Any], usage: Any):
    assert openai_wire.read_usage(chunk) == (TokenUsage(*usage) if usage else None)


def test_content_is_a_text_or_nothing_or_a_list_of_parts():
    assert openai_wire.text_of([{"text": "a"}, {"text": 1}, "b", {"text": "c"}]) == "ac"
    assert [openai_wire.text_of(each) for each in ("a", None, 5)] == ["a", "", ""]


# What a local server offers


def test_lm_studio_tells_what_is_loaded_and_how_much_fits():
    v1 = {"models": [
        {"type": "llm", "key": "k", "loaded_instances": [{"config": {"context_length": 4096}}, {"id": "second"}, 5]},
        {"type": "embedding", "loaded_instances": [{"id": "no"}]},
        {"type": "vlm", "loaded_instances": [{"id": "sees", "config": {"context_length": 0}}]},
        {"type": "llm", "loaded_instances": None}, "no",
    ]}  # fmt: skip
    assert list(discovery.loaded_v1(v1)) == [Found("k", 4096), Found("second"), Found("sees")]
    v0 = {"data": [
        {"id": "a", "state": "loaded", "type": "llm", "loaded_context_length": 1},
        {"id": "b", "state": "not-loaded", "type": "llm"},
        {"id": "c", "state": "loaded", "type": "embeddings"},
        {"id": "d", "state": "loaded", "type": "vlm", "loaded_context_length": "9"},
    ]}  # fmt: skip
    assert list(discovery.loaded_v0(v0)) == [Found("a", 1), Found("d")]
    assert list(discovery.loaded_v0([])) == list(discovery.loaded_v1({"models": {}})) == []


def test_any_server_lists_what_it_serves():
    listed = {
        "data": [{"id": "text-embedding"}, {"id": ""}, {"id": "a", "meta": {"n_ctx": 4096}}, {"id": "b", "meta": 5}]
    }
    assert list(discovery.served(listed)) == [Found("a", 4096), Found("b")]
    assert discovery.origin("http://host:1234/some/path?x") == "http://host:1234"


@pytest.mark.parametrize(
    ("status", "told"),
    [
        (401, "does not take the key (401). Set LMSTUDIO_API_KEY"),
        (404, "(HTTP 404). Set LMSTUDIO_BASE_URL"),
        (503, "is not ready (HTTP 503): it may be loading its model. Try again"),
        (200, "lists no models"),
    ],
)
def test_a_server_that_answers_something_else_is_not_told_as_one_that_is_not_there(status: int, told: str):
    class Other(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *_: Any) -> None:
            """Nobody reads it."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Other)
    server.closing = threading.Event()  # type: ignore[attr-defined]
    with in_background(server), pytest.raises(ProviderError) as raised:
        discovery.model_at(f"http://127.0.0.1:{server.server_address[1]}", "a-key", "")
    assert told in str(raised.value)
    assert "Nothing answers" not in str(raised.value)


def test_a_server_that_is_too_busy_to_answer_at_once_is_asked_again():
    asked: list[str] = []
    again = threading.Event()

    class Busy(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            again.set() if len(asked) > 1 else again.wait(30)
            body = b'{"data": [{"id": "small"}]}'
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            with contextlib.suppress(OSError):  # whoever asked first is gone
                self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Nobody reads it."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Busy)
    server.closing = threading.Event()  # type: ignore[attr-defined]
    with in_background(server):
        assert discovery.model_at(f"http://127.0.0.1:{server.server_address[1]}", "a-key", "").model == "small"
    assert asked[:2] == ["/models", "/models"]


@pytest.mark.parametrize(("head", "status"), [(b"", None), (b"HTTP/1.1 200 OK\r\n\r\n", 200)])
def test_a_server_that_drips_its_answer_is_given_up(head: bytes, status: int | None):
    done = threading.Event()

    def drip(listener: socket.socket) -> None:
        wire, _ = listener.accept()
        with wire, contextlib.suppress(OSError):  # whoever asked has given up
            wire.sendall(head)
            while not done.wait(0.05):
                wire.sendall(b" " if head else b"H")

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=drip, args=(listener,), daemon=True).start()
        asked: list[Any] = []
        address = f"http://127.0.0.1:{listener.getsockname()[1]}/v1/models"
        asking = threading.Thread(target=lambda: asked.append(discovery.fetched(address, "k", 0.3)), daemon=True)
        asking.start()
        asking.join(20)
        done.set()
    assert asked == [(status, None)]


def test_a_server_that_was_not_named_and_has_no_model_is_told_to_load_one(monkeypatch: pytest.MonkeyPatch):
    said: list[str] = []
    monkeypatch.setattr(discovery, "look", lambda *_, **__: Found(""))
    assert discovery.available_provider(Settings(), said.append) == "offline"
    assert "Load one in LM Studio" in said[0]


@pytest.mark.parametrize(
    ("address", "here"),
    [("http://127.0.0.1:1/v1", True), ("http://127.9.9.9", True), ("http://[::1]:1", True), ("http://localhost", True),
     ("http://a.localhost", True), ("http://notlocalhost", False), ("http://192.168.0.1", False), ("nonsense", False)],
)  # fmt: skip
def test_what_is_on_this_machine_is_known_by_its_address(address: str, here: bool):
    assert transport.is_here(address) is here


@pytest.mark.parametrize(("more", "too_large"), [(0, False), (1, True)])
def test_a_reply_of_thirty_two_mebibytes_is_read_and_not_one_byte_more(more: int, too_large: bool):
    import httpx2

    class Whole(httpx2.SyncByteStream):
        closed = False

        def __iter__(self) -> Any:
            yield from [b"x" * 2**20] * 32
            yield b"x" * more

        def close(self) -> None:
            Whole.closed = True

    response: Any = SimpleNamespace(stream=Whole(), headers={})
    transport.bound(response)
    if too_large:
        with pytest.raises(transport.ProviderError, match="32 MiB"):
            list(response.stream)
    else:
        assert sum(map(len, response.stream)) == 32 * 2**20
    response.stream.close()
    assert Whole.closed


def chunks(*sent: dict[str, Any]) -> Any:
    from google.genai import types

    return (types.GenerateContentResponse.model_validate(each) for each in sent)


def spoken_to(wire: Any, sent: Any, most_thoughts: int = 0) -> tuple[Reply, list[str], list[str]]:
    said: list[str] = []
    thought: list[str] = []
    run = SimpleNamespace(**vars(a_run()), text=said.append, thought=thought.append)
    return wire.read_reply(sent, run, most_thoughts), said, thought


def test_of_a_gemini_reply_the_first_candidate_counts_and_thoughts_are_told_apart():
    reply, said, thought = spoken_to(gemini_wire, chunks(
        {"candidates": [{"content": {"parts": [{"text": "Hm.", "thought": True}, {"text": "One "}]}},
                        {"content": {"parts": [{"text": "other"}]}, "finishReason": "MAX_TOKENS"}]},
        {"candidates": [], "usageMetadata": {"promptTokenCount": 1}},
        {"candidates": [{"content": {"parts": [{"text": "two."}]}, "finishReason": "STOP"}],
         "usageMetadata": {"promptTokenCount": 5, "candidatesTokenCount": 2, "thoughtsTokenCount": 1}},
    ))  # fmt: skip
    assert (reply.text, reply.finish_reason, reply.usage) == ("One two.", "STOP", TokenUsage(5, 3))
    assert (said, thought) == (["One ", "two."], ["Hm."])


@pytest.mark.parametrize(
    ("sent", "problem"),
    [
        ([], "held nothing"),
        ([{"candidates": [{"content": {"parts": [{"text": "So"}]}}]}], "broke off"),
        ([{"promptFeedback": {"blockReason": "SAFETY"}}], "blocked the reply (SAFETY)"),
        ([{"candidates": [{"finishReason": "RECITATION"}]}], "blocked the reply (RECITATION)"),
    ],
)
def test_a_gemini_reply_that_is_none_is_a_failure(sent: list[dict[str, Any]], problem: str):
    with pytest.raises(transport.ProviderError) as told:
        spoken_to(gemini_wire, chunks(*sent))
    assert problem in str(told.value)


def test_a_gemini_reply_without_an_end_is_whole_where_http_says_so():
    sent = [
        {
            "sdkHttpResponse": {"headers": {"Content-Length": "9"}},
            "candidates": [{"content": {"parts": [{"text": "So."}]}}],
        }
    ]
    assert spoken_to(gemini_wire, chunks(*sent))[0].text == "So."
    assert spoken_to(gemini_wire, chunks({"candidates": [{"finishReason": "STOP"}]}))[0].text == ""


class Streamed:
    """A stream of chat completions, as the SDK gives it."""

    def __init__(self, *sent: dict[str, Any], **headers: str) -> None:
        self.sent = sent
        self.response = SimpleNamespace(headers=headers)

    def __iter__(self) -> Any:
        return (SimpleNamespace(to_dict=lambda warnings, each=each: each) for each in self.sent)


def test_of_a_reply_of_chat_completions_the_first_choice_counts_and_thoughts_are_told_apart():
    reply, said, thought = spoken_to(openai_wire, Streamed(
        {"choices": [{"delta": {"reasoning_content": "Hm."}}, {"delta": {"content": "other"}}]},
        {"choices": [{"delta": {"reasoning": "So."}}]},
        {"choices": [{"delta": {"content": "One "}}], "usage": {"prompt_tokens": 1}},
        {"choices": [{"message": {"content": [{"text": "two."}]}, "finish_reason": "stop"}]},
        {"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 2}},
    ))  # fmt: skip
    assert (reply.text, reply.finish_reason, reply.usage) == ("One two.", "stop", TokenUsage(5, 2))
    assert (said, thought) == (["One ", "two."], ["Hm.", "So."])


@pytest.mark.parametrize(
    ("sent", "problem"),
    [
        ([], "held nothing"),
        ([{"choices": [{}]}], "held nothing"),
        ([{"choices": [{"delta": {"content": "So"}}]}], "broke off"),
        ([{"choices": [{"delta": {}, "finish_reason": "content_filter"}]}], "blocked the reply (content_filter)"),
    ],
)
def test_a_reply_of_chat_completions_that_is_none_is_a_failure(sent: list[dict[str, Any]], problem: str):
    with pytest.raises(transport.ProviderError) as told:
        spoken_to(openai_wire, Streamed(*sent))
    assert problem in str(told.value)


@pytest.mark.parametrize("wire", [openai_wire, gemini_wire])
def test_a_reply_that_says_the_same_for_ever_is_stopped_and_said_once(wire: Any):
    piece = "Understood. I do it now. "
    sent = Streamed(*[{"choices": [{"delta": {"content": piece}}]}] * 500)
    if wire is gemini_wire:
        sent = chunks(*[{"candidates": [{"content": {"parts": [{"text": piece}]}}]}] * 500)
    reply, said, _ = spoken_to(wire, sent)
    assert (reply.text, reply.finish_reason) == (piece.strip(), "repeats")
    assert len(said) < 110


def test_a_server_that_does_not_stream_is_read_all_the_same():
    document = {"choices": [{"message": {"content": "So."}, "finish_reason": "stop"}]}
    stream = Streamed(**{"content-type": "application/json; charset=utf-8"})
    stream.response.read = lambda: json.dumps(document).encode()
    assert spoken_to(openai_wire, stream)[0].text == "So."
    stream.response.read = lambda: b"[1]"
    with pytest.raises(transport.ProviderError, match="held nothing"):
        spoken_to(openai_wire, stream)
