"""What a turn costs this program itself: process time per turn, beside a bare SDK loop that does the same.

python -m bench.turns [--turns 50 200 400] [--json]. The server answers at once, from a process of its own; one call a
turn reads a small file. `run` is the loop as it ships; `bare` only sends, reads the stream and appends, with the
conversation passed the way that the SDK's documentation shows, and `bare, extra_body` passes it as this program does.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

WIRES = ("openai", "gemini")
LOOPS = ("run", "bare", "bare, extra_body")
ARGUMENTS = {"file_path": "small.py"}
SMALL = "def add(left, right):\n    return left + right\n" * 4

HELP_SERVE = "serve until standard input closes (used by the measurement itself)"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.turns", description=__doc__)
    parser.add_argument("--turns", type=int, nargs="+", default=[50, 200, 400])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--serve", action="store_true", help=HELP_SERVE)
    parser.add_argument("--one", nargs=4, metavar=("WIRE", "LOOP", "TURNS", "ADDRESS"), help="measure in this process")
    options = parser.parse_args(arguments)
    if options.serve:
        return serve()
    if options.one:
        wire, loop, turns, address = options.one
        print(measured_here(wire, loop, int(turns), address))
        return 0
    rows = [
        (wire, loop, turns, measure(wire, loop, turns)) for wire in WIRES for loop in LOOPS for turns in options.turns
    ]
    if options.json:
        print(json.dumps([dict(zip(("wire", "loop", "turns", "seconds"), row, strict=True)) for row in rows]))
        return 0
    print(f"{'wire':8}{'loop':20}{'turns':>6}{'process s':>11}{'ms a turn':>11}")
    for wire, loop, turns, seconds in rows:
        print(f"{wire:8}{loop:20}{turns:6}{seconds:11.2f}{1000 * seconds / turns:11.2f}")
    return 0


def measure(wire: str, loop: str, turns: int) -> float:
    """Return the process time in seconds of one run in a fresh process, imports not counted."""
    with served() as address:
        command = [sys.executable, "-m", "bench.turns", "--one", wire, loop, str(turns), address]
        ran = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=600, cwd=Path(__file__).parents[1])
    if ran.returncode:
        raise RuntimeError(ran.stderr)
    return float(ran.stdout)


@contextlib.contextmanager
def served() -> Iterator[str]:
    """A server in a process of its own, so that its time is not counted."""
    command = [sys.executable, "-m", "bench.turns", "--serve"]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", cwd=Path(__file__).parents[1]
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.stdin.close()
        process.stdout.close()
        process.wait(timeout=30)


def measured_here(wire: str, loop: str, turns: int, address: str) -> float:
    import time

    run = {"run": shipped, "bare": bare, "bare, extra_body": bare}[loop]
    with tempfile.TemporaryDirectory() as directory:
        (Path(directory) / "small.py").write_text(SMALL)
        run(wire, address, Path(directory), 2, extra_body=loop != "bare")  # imports, and what is cached once
        spent = []
        for _ in range(2):  # the better one: what the machine does beside it only ever adds
            began = time.process_time()
            run(wire, address, Path(directory), turns, extra_body=loop != "bare")
            spent.append(time.process_time() - began)
        return min(spent)


def shipped(wire: str, address: str, directory: Path, turns: int, **_: Any) -> None:
    """The loop as it ships, with every limit that would end it earlier turned off."""
    from config import Settings
    from jobs import coder
    from sandbox.files.root import Root

    settings = Settings(
        lmstudio_base_url=f"{address}/v1", gemini_base_url=address, gemini_api_key="x", max_iters=turns, max_repeats=0
    )
    if wire == "gemini":
        from providers.gemini import run_agent
    else:
        from main import run_agent
    with Root(directory) as root:
        result = run_agent("Go on.", settings, coder.JOB.begin(wire, root, settings))
    assert (result.turns, result.stop_reason) == (turns, "max_iters"), result.errors


def bare(wire: str, address: str, directory: Path, turns: int, *, extra_body: bool) -> None:
    ask = bare_openai(address, extra_body) if wire == "openai" else bare_gemini(address, extra_body)
    for _ in range(turns):
        ask((directory / "small.py").read_text())


def bare_openai(address: str, extra_body: bool) -> Callable[[str], None]:
    from openai import OpenAI

    from list_functions import openai_tools

    client = OpenAI(base_url=f"{address}/v1", api_key="x", max_retries=0)
    messages: list[Any] = [{"role": "system", "content": "Go on."}, {"role": "user", "content": "Go on."}]

    def ask(result: str) -> None:
        sent = {"messages": [], "extra_body": {"messages": messages}} if extra_body else {"messages": messages}
        with client.chat.completions.create(model="m", stream=True, tools=openai_tools(), **sent) as stream:
            calls = [call for chunk in stream for choice in chunk.choices for call in choice.delta.tool_calls or ()]
        function = {"name": calls[0].function.name, "arguments": calls[0].function.arguments}
        asked = [{"id": calls[0].id, "type": "function", "function": function}]
        messages.append({"role": "assistant", "content": "", "tool_calls": asked})
        messages.append({"role": "tool", "tool_call_id": calls[0].id, "content": result})

    return ask


def bare_gemini(address: str, extra_body: bool) -> Callable[[str], None]:
    from google.genai import Client, types

    from list_functions import gemini_tools

    client = Client(api_key="x", vertexai=False, http_options=types.HttpOptions(base_url=address, api_version="v1beta"))
    contents: list[Any] = [{"role": "user", "parts": [{"text": "Go on."}]}]
    off = types.AutomaticFunctionCallingConfig(disable=True)

    def ask(result: str) -> None:
        options = types.HttpOptions(extra_body={"contents": contents}) if extra_body else None
        config = types.GenerateContentConfig(tools=gemini_tools(), automatic_function_calling=off, http_options=options)
        sent = "-" if extra_body else contents
        parts = [
            part
            for chunk in client.models.generate_content_stream(model="m", contents=sent, config=config)
            for part in chunk.candidates[0].content.parts
        ]
        contents.append({"role": "model", "parts": [p.model_dump(mode="json", exclude_none=True) for p in parts]})
        response = {"function_response": {"name": parts[0].function_call.name, "response": {"result": result}}}
        contents.append({"role": "user", "parts": [response]})

    return ask


def serve() -> int:
    """Answer every request with one call, without looking at it; as little work as HTTP allows."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        print(f"http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
        threading.Thread(target=accept, args=(listener,), daemon=True).start()
        sys.stdin.read()
        os._exit(0)


def accept(listener: socket.socket) -> None:
    while True:
        connection, _ = listener.accept()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=answer, args=(connection,), daemon=True).start()


def answer(connection: socket.socket) -> None:
    with connection, connection.makefile("rb") as stream, contextlib.suppress(OSError, ValueError, IndexError):
        while line := stream.readline():
            length = 0
            while (header := stream.readline()) not in (b"\r\n", b""):
                if header.lower().startswith(b"content-length:"):
                    length = int(header.split(b":")[1])
            stream.read(length)
            connection.sendall(reply_to(line.split()[1].decode()))


def reply_to(path: str) -> bytes:
    if path == "/v1/models":
        return response(b'{"data": [{"id": "m"}]}', "application/json")
    if path == "/v1/chat/completions":
        function = {"name": "get_file_content", "arguments": json.dumps(ARGUMENTS)}
        call = {"index": 0, "id": "x", "type": "function", "function": function}
        choices = [{"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": "tool_calls"}]
        event = {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "m", "choices": choices}
        return response(f"data: {json.dumps(event)}\n\ndata: [DONE]\n\n".encode(), "text/event-stream")
    if "generateContent" in path or "streamGenerateContent" in path:
        parts = [{"functionCall": {"name": "get_file_content", "args": ARGUMENTS}}]
        event = {"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP"}]}
        return response(f"data: {json.dumps(event)}\n\n".encode(), "text/event-stream")
    return b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"


def response(body: bytes, kind: str) -> bytes:
    return f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


if __name__ == "__main__":
    sys.exit(main())
