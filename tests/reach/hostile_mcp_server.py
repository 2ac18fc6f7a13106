"""An MCP server that misbehaves: python hostile_mcp_server.py FAULT [--http]. No SDK: it sends what no SDK would.

With --http it listens on a free port of the loopback interface and prints its address first.
"""

from __future__ import annotations

import itertools
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

Send = Callable[[Any], None]
HUGE = 50 * 2**20
FAULT = sys.argv[1]
PLAIN = {
    "name": "act",
    "description": "Act.",
    "inputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}},
}
changed = threading.Event()
pages = itertools.count()


def answer(message: dict[str, Any], send: Send) -> None:
    """Answer one message of the client, as the fault has it."""
    method, number = message.get("method"), message.get("id")
    if method == "initialize":
        start(number, message["params"], send)
    elif method == "tools/list":
        tools(number, send)
    elif method == "tools/call":
        call(number, message["params"], send)
    elif method is not None and number is not None:
        send({"jsonrpc": "2.0", "id": number, "error": {"code": -32601, "message": f"no {method} here"}})


def start(number: Any, params: dict[str, Any], send: Send) -> None:
    if FAULT == "silent at the start":
        time.sleep(60)
    if FAULT == "garbage at the start":
        send(b"<html>502 Bad Gateway</html>")
        return
    if FAULT == "an answer without a result at the start":
        send({"jsonrpc": "2.0", "id": number})
        return
    if FAULT == "dies at the start":
        print("no licence found", file=sys.stderr, flush=True)
        os._exit(3)
    if FAULT == "a version that nobody knows":
        params = {"protocolVersion": "1999-01-01"}
    info = {"serverInfo": {"name": "hostile", "version": "0"}, "capabilities": {"tools": {"listChanged": True}}}
    send(result(number, {"protocolVersion": params["protocolVersion"], **info}))


def tools(number: Any, send: Send) -> None:
    listed: list[Any] = [PLAIN]
    more: dict[str, Any] = {}
    if FAULT == "a list that fails":
        send({"jsonrpc": "2.0", "id": number, "error": {"code": -32603, "message": "database is locked"}})
        return
    if FAULT == "a list that never comes":
        time.sleep(60)
    if FAULT == "a list without schemas":
        listed = [{"name": "act"}]
    if FAULT == "a list that never ends":
        more = {"nextCursor": str(next(pages))}
    if FAULT == "a list that goes round":
        more = {"nextCursor": "again"}
    if FAULT == "a list of 50 MB":
        listed = [{**PLAIN, "description": "x" * HUGE}]
    if FAULT == "schemas that no wire takes":
        circle = {"$ref": "#/$defs/a"}
        listed += [
            {"name": "nowhere", "inputSchema": {"type": "object", "properties": {"a": {"$ref": "http://127.0.0.1:9/schema"}}}},
            {"name": "circle", "inputSchema": {"type": "object", "properties": {"a": circle}, "$defs": {"a": {"type": "object", "properties": {"a": circle}}}}},
            {"name": "large", "inputSchema": {"type": "object", "properties": {f"p{n}": {"type": "string"} for n in range(20_000)}}},
            {"name": "x" * 300 + ".é\n", "inputSchema": {"type": "object"}},
        ]  # fmt: skip
    if FAULT == "two tools of one name":
        listed = [PLAIN, PLAIN]
    if FAULT == "a thousand tools":
        listed = [PLAIN, *({**PLAIN, "name": f"tool{n}"} for n in range(1000))]
    if FAULT == "an output schema that hangs its reader":
        pattern = {"type": "object", "properties": {"a": {"type": "string", "pattern": "^(a+)+$"}}}
        listed = [{**PLAIN, "outputSchema": pattern}]
    if FAULT in ("a result that breaks its own schema", "no structured result where one was promised"):
        listed = [
            {**PLAIN, "outputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}}
        ]
    if changed.is_set():
        listed = [PLAIN, {**PLAIN, "name": "new"}]
    send(result(number, {"tools": listed, **more}))


def call(number: Any, params: dict[str, Any], send: Send) -> None:
    good = result(number, {"content": [{"type": "text", "text": "done"}]})
    act = CALLS.get(FAULT)
    if act is None:
        send(good)
    else:
        act(number, params, send, good)


def result(number: Any, value: dict[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "result": value}


def dies(*_: Any) -> None:
    print("Segmentation fault", file=sys.stderr, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)


def dies_the_second_time(number: Any, params: Any, send: Send, good: Any) -> None:
    if changed.is_set():
        dies()
    changed.set()
    send(good)


def half_a_line(number: Any, params: Any, send: Send, good: Any) -> None:
    if "--http" not in sys.argv:
        sys.stdout.write('{"jsonrpc": "2.0", "id"')
        sys.stdout.flush()
    os._exit(0)


def twice(number: Any, params: Any, send: Send, good: Any) -> None:
    send(good)
    send(result(number, {"content": [{"type": "text", "text": "done again"}]}))


def prints(number: Any, params: Any, send: Send, good: Any) -> None:
    for line in (b"loading model ...", b"\x1b[31mwarning\x1b[0m", b"\xff\xfe\x00", b"{", b"[]", b"null", b'{"a": 1}'):
        send(line)
    send(good)


def floods(number: Any, params: Any, send: Send, good: Any) -> None:
    token = (params.get("_meta") or {}).get("progressToken", "none")
    for n in range(5_000):
        about = {"progressToken": token, "progress": n, "message": "\x1b[2J" + "y" * 50}
        send({"jsonrpc": "2.0", "method": "notifications/progress", "params": about})
    send(good)


def complains(number: Any, params: Any, send: Send, good: Any) -> None:
    for _ in range(200):
        os.write(2, b"z" * 50_000 + b"\n")
    send(good)


def asks(method: str, params: dict[str, Any]) -> Callable[..., None]:
    """A server that needs something of the client first; it answers when it gets an answer, and says which."""

    def ask(number: Any, given: Any, send: Send, good: Any) -> None:
        send({"jsonrpc": "2.0", "id": 9_000, "method": method, "params": params})
        send(good)

    return ask


def changes(number: Any, params: Any, send: Send, good: Any) -> None:
    changed.set()
    send({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
    send(good)


def starts_a_child(number: Any, params: Any, send: Send, good: Any) -> None:
    """A child that holds the pipes and heeds no signal but the last."""
    program = "import signal, time\nfor n in (1, 2, 15):\n    signal.signal(n, signal.SIG_IGN)\ntime.sleep(100)"
    subprocess.Popen([sys.executable, "-c", program])
    send(good)


def starts_a_stranger(number: Any, params: Any, send: Send, good: Any) -> None:
    """A grandchild in a session of its own, whose parent has gone."""
    program = f"import time; time.sleep(100)  # stranger of {os.getpid()}"
    parent = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {program!r}], start_new_session=True)"
    subprocess.run([sys.executable, "-c", parent], stdout=subprocess.DEVNULL)
    send({**good, "result": {"content": [{"type": "text", "text": f"stranger of {os.getpid()}"}]}})


def stays(number: Any, params: Any, send: Send, good: Any) -> None:
    for each in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP) if "--http" not in sys.argv else ():
        signal.signal(each, signal.SIG_IGN)
    threading.Thread(target=time.sleep, args=(100,)).start()
    send(good)


def content(value: Any) -> Callable[..., None]:
    return lambda number, params, send, good: send(result(number, value))


def line(text: bytes) -> Callable[..., None]:
    return lambda number, params, send, good: send(text)


def endless(number: Any, params: Any, send: Send, good: Any) -> None:
    for _ in range(HUGE // 2**20):
        send(b"x" * 2**20 + b"+")  # a line or a body that is not ended


CALLS: dict[str, Callable[..., None]] = {
    "no answer": lambda *_: time.sleep(60),
    "dies in a call": dies,
    "dies in its second call": dies_the_second_time,
    "half an answer, and gone": half_a_line,
    "answers twice": twice,
    "answers another call": lambda number, params, send, good: send({**good, "id": 777}),
    "prints between its messages": prints,
    "garbage for an answer": line(b"Traceback (most recent call last): oops"),
    "a result of 50 MB": content({"content": [{"type": "text", "text": "x" * HUGE}]}),
    "an answer that never ends": endless,
    "a result of another shape": content({"content": 5}),
    "a result that is a list": lambda number, params, send, good: send({**good, "result": [1]}),
    "no result": lambda number, params, send, good: send({"jsonrpc": "2.0", "id": number}),
    "a list for an id": lambda number, params, send, good: send({**good, "id": [number]}),
    "an error that is a text": lambda number, params, send, good: send(
        {"jsonrpc": "2.0", "id": number, "error": "broken"}
    ),
    "a list of answers": lambda number, params, send, good: send([good]),
    "an error for no request": lambda number, params, send, good: send(
        {"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "Parse error"}}
    ),
    "a block of an unknown kind": content(
        {"content": [{"type": "holo\x1bgram", "x": 1}, {"type": "text", "text": "done"}]}
    ),
    "half of an emoji": content(
        {"content": [{"type": "text", "text": "a half \ud83d, a whole \U0001f600, what is no escape \\ud83d"}]}
    ),
    "an error of a megabyte": lambda number, params, send, good: send(
        {"jsonrpc": "2.0", "id": number, "error": {"code": -1, "message": "\x1b[31mbad\x07" * 50_000}}
    ),
    "a result that breaks its own schema": content({"content": [], "structuredContent": {"n": "many"}}),
    "no structured result where one was promised": content({"content": [{"type": "text", "text": "none"}]}),
    "an output schema that hangs its reader": content({"content": [], "structuredContent": {"a": "a" * 40 + "!"}}),
    "asks for a model": asks("sampling/createMessage", {"messages": [], "maxTokens": 10}),
    "asks the person": asks("elicitation/create", {"message": "Password?", "requestedSchema": {"type": "object", "properties": {}}}),
    "asks for the folders": asks("roots/list", {}),
    "floods with progress": floods,
    "ten megabytes of complaints": complains,
    "changes its list": changes,
    "a child that stays": starts_a_child,
    "a grandchild in a session of its own": starts_a_stranger,
    "does not end": stays,
    "brackets 100,000 deep": line(b'{"jsonrpc": "2.0", "id": 1, "result": ' + b"[" * 100_000),
    "a character that is none": line(b'{"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"\xff"}]}}'),
    "tells a secret": content({"content": [{"type": "text", "text": f"token={os.environ.get('TOKEN')}"}]}),
    "tells its environment": content({"content": [{"type": "text", "text": json.dumps(dict(os.environ))}]}),
}  # fmt: skip


def serve_stdio() -> None:
    lock = threading.Lock()

    def send(message: Any) -> None:
        data = message if isinstance(message, bytes) else json.dumps(message).encode()
        with lock:
            sys.stdout.buffer.write(data.removesuffix(b"+") + (b"" if data.endswith(b"x+") else b"\n"))
            sys.stdout.buffer.flush()

    for text in sys.stdin:
        answer(json.loads(text), send)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    sessions: ClassVar[set[str]] = set()
    kept = False  # whether this connection has been answered, and kept

    def log_message(self, *_: Any) -> None:
        """Quiet."""

    def do_GET(self) -> None:
        self.send_error(405)

    def is_known(self, method: str) -> bool:
        """Whether a message belongs to a session, which is over with its first call; an answer if not."""
        session = self.headers.get("Mcp-Session-Id", "")
        if method == "initialize" or session in self.sessions:
            self.sessions -= {session} if method == "tools/call" else set()
            return True
        forgotten = {"jsonrpc": "2.0", "id": None, "error": {"code": -32001, "message": "Session not found"}}
        self.send_whole(404, forgotten, Connection="close")  # it is: who is not told sends the next request over it
        return False

    def send_whole(self, status: int, what: Any, **head: str) -> None:
        body = json.dumps(what).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(body)), **head}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def answer_and_hang_up(self, message: dict[str, Any]) -> None:
        """Answer, and say that the connection is kept; of the next request over it hear all, and close it."""
        if self.kept:
            self.close_connection = True
            return
        self.kept, answers = True, list[Any]()
        answer(message, answers.append)
        self.send_whole(200, answers[0])

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if "id" not in message or "method" not in message:
            self.send_response(202)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        if FAULT == "hangs up on a kept connection":
            self.answer_and_hang_up(message)
            return
        self.close_connection = True
        begun = False
        if FAULT == "forgets its session" and not self.is_known(message["method"]):
            return

        def send(what: Any) -> None:
            nonlocal begun
            raw = isinstance(what, bytes)
            if not begun:
                begun = True
                self.send_response(200)
                plain = raw and FAULT != "prints between its messages"
                self.send_header("Content-Type", "application/json" if plain else "text/event-stream")
                self.send_header("Connection", "close")
                if FAULT == "forgets its session" and message["method"] == "initialize":
                    self.sessions.add(str(message["id"]))
                    self.send_header("Mcp-Session-Id", str(message["id"]))
                self.end_headers()
            data = what if raw else json.dumps(what).encode()
            self.wfile.write(data if raw and FAULT != "prints between its messages" else b"data: " + data + b"\n\n")
            self.wfile.flush()

        try:
            answer(message, send)
        except OSError:  # the client had enough
            return


if __name__ == "__main__":
    if "--http" in sys.argv:
        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        print(f"http://127.0.0.1:{server.server_address[1]}/mcp", flush=True)
        server.serve_forever()
    else:
        serve_stdio()
