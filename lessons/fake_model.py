"""A scripted model behind real HTTP: it says what its script says, records every request, and refuses what the real
servers refuse. Both SDKs run against it; it listens on the loopback interface alone.
"""

from __future__ import annotations

import base64
import contextlib
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

MODEL = "fake-model"


@dataclass(frozen=True)
class Say:
    """One scripted reply: a text, and the calls that go with it as (tool, arguments)."""

    text: str = ""
    calls: tuple[tuple[str, Any], ...] = ()


Script = Sequence[Say] | Callable[[dict[str, Any]], Say]


@dataclass
class FakeModel:
    """What the model has heard so far: the body of each request, in order."""

    address: str
    script: Script
    requests: list[dict[str, Any]] = field(default_factory=list)

    def decide(self, body: dict[str, Any]) -> Say:
        self.requests.append(body)
        if callable(self.script):
            return self.script(body)
        turn = len(self.requests) - 1
        return self.script[turn] if turn < len(self.script) else Say("I have nothing more to say.")


@contextlib.contextmanager
def serve(script: Script) -> Iterator[FakeModel]:
    """Serve a script in the background until the block ends."""
    server = Server(("127.0.0.1", 0), Handler)
    model = FakeModel(f"http://127.0.0.1:{server.server_address[1]}", script)
    server.model = model  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield model
    finally:
        server.shutdown()
        server.server_close()


def openai_problem(body: dict[str, Any]) -> str:
    """What a chat completions server would refuse about the messages, or "". Rule: each call is answered directly."""
    waiting: list[str] = []
    messages = body.get("messages")
    if not isinstance(messages, list) or not all(isinstance(message, dict) for message in messages):
        return "'messages' must be a list of objects"
    for message in messages:
        if message.get("role") == "tool":
            if message.get("tool_call_id") not in waiting:
                return "a message with role 'tool' must answer a call of the message before it"
            waiting.remove(message["tool_call_id"])
            continue
        if waiting:
            break
        waiting = [call["id"] for call in message.get("tool_calls") or ()]
    if waiting:
        return f"the calls {', '.join(waiting)} have no message with role 'tool' that answers them"
    return "" if messages else "there are no messages"


def gemini_problem(body: dict[str, Any]) -> str:
    """What Google's server would refuse about the contents, or "". The texts are shaped after its own."""
    waiting = 0
    for content in body.get("contents") or []:
        parts = content.get("parts") or []
        calls = [part for part in parts if "functionCall" in part]
        responses = sum("functionResponse" in part for part in parts)
        if content.get("role") not in ("user", "model"):
            return f"Please use a valid role: user, model. (it was {content.get('role')!r})"
        if responses != waiting:
            return (
                "Please ensure that the number of function response parts is equal to the number of function call "
                f"parts of the function call turn. (calls: {waiting}, responses in the next content: {responses})"
            )
        if calls and not any(part.get("thoughtSignature") for part in calls):
            return f"Function call {calls[0]['functionCall'].get('name')!r} is missing a thought_signature."
        waiting = len(calls)
    return "" if body.get("contents") else "contents is not specified"


def openai_message(say: Say, turn: int) -> dict[str, Any]:
    """The reply as the message that enters the history."""
    message: dict[str, Any] = {"role": "assistant", "content": say.text}
    if say.calls:
        message["tool_calls"] = [
            {
                "id": f"call_{turn}_{number}",
                "type": "function",
                "function": {
                    "name": name,
                    "arguments": arguments if isinstance(arguments, str) else json.dumps(arguments),
                },
            }
            for number, (name, arguments) in enumerate(say.calls, 1)
        ]
    return message


def gemini_content(say: Say, turn: int) -> dict[str, Any]:
    """The reply as Gemini's Content; the first call carries a thought signature, as Google's do."""
    parts: list[dict[str, Any]] = [{"text": say.text}] if say.text else []
    for number, (name, arguments) in enumerate(say.calls):
        call: dict[str, Any] = {"functionCall": {"name": name, "args": arguments}}
        if not number:
            call["thoughtSignature"] = base64.b64encode(f"signature of turn {turn}".encode()).decode()
        parts.append(call)
    return {"role": "model", "parts": parts}


class Server(ThreadingHTTPServer):
    """A server that keeps its troubles to itself: a client that goes away is no news for a learner."""

    daemon_threads = True

    def handle_error(self, *_: Any) -> None:
        """Nothing: the client sees a broken connection, and says so."""


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_: Any) -> None:
        """The record of requests is the log."""

    def do_GET(self) -> None:
        self.send_json(200, {"object": "list", "data": [{"id": MODEL, "object": "model"}]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", "0"))))
        gemini = "enerateContent" in self.path
        model: FakeModel = self.server.model  # type: ignore[attr-defined]
        if problem := (gemini_problem if gemini else openai_problem)(body):
            model.requests.append(body)
            status = {"code": 400, "status": "INVALID_ARGUMENT"} if gemini else {"code": 400}
            return self.send_json(400, {"error": {"message": problem, **status}})
        say, turn = model.decide(body), len(model.requests)
        if gemini:
            return self.send_gemini(say, turn)
        return self.send_openai(say, turn, bool(body.get("stream")))

    def send_openai(self, say: Say, turn: int, streamed: bool) -> None:
        message = openai_message(say, turn)
        finish = "tool_calls" if say.calls else "stop"
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        header = {"id": "fake", "created": 0, "model": MODEL, "usage": usage}
        if not streamed:
            choice = {"index": 0, "message": message, "finish_reason": finish}
            return self.send_json(200, {**header, "object": "chat.completion", "choices": [choice]})
        calls = [{"index": index, **call} for index, call in enumerate(message.get("tool_calls", ()))]
        delta = {**message, "tool_calls": calls} if calls else message
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        chunk = {**header, "object": "chat.completion.chunk", "choices": [choice]}
        return self.send_data(f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n", "text/event-stream")

    def send_gemini(self, say: Say, turn: int) -> None:
        candidate = {"content": gemini_content(say, turn), "finishReason": "STOP", "index": 0}
        usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
        document = {"candidates": [candidate], "usageMetadata": usage}
        if "streamGenerateContent" in self.path:
            return self.send_data(f"data: {json.dumps(document)}\n\n", "text/event-stream")
        return self.send_json(200, document)

    def send_json(self, status: int, document: dict[str, Any]) -> None:
        self.send_data(json.dumps(document), "application/json", status)

    def send_data(self, text: str, kind: str, status: int = 200) -> None:
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
