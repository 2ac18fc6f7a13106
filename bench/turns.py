"""What a turn costs this program itself: process time per turn, beside a bare SDK loop that does the same.

python -m bench.turns [--turns 50 200 400] [--json]. The server answers at once, from a process of its own; one call a
turn reads a small file. `run` is the loop as it ships; `bare` only sends, reads the stream and appends, with the
conversation passed the way that the SDK's documentation shows, and `bare, extra_body` passes it as this program does.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import subprocess
import sys
import tempfile
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

    from functions.tool import Catalogue
    from jobs import coder
    from list_functions import openai_tools

    catalogue = Catalogue(coder.tools({}))
    client = OpenAI(base_url=f"{address}/v1", api_key="x", max_retries=0)
    messages: list[Any] = [{"role": "system", "content": "Go on."}, {"role": "user", "content": "Go on."}]

    def ask(result: str) -> None:
        sent = {"messages": [], "extra_body": {"messages": messages}} if extra_body else {"messages": messages}
        with client.chat.completions.create(model="m", stream=True, tools=openai_tools(catalogue), **sent) as stream:
            calls = [call for chunk in stream for choice in chunk.choices for call in choice.delta.tool_calls or ()]
        function = {"name": calls[0].function.name, "arguments": calls[0].function.arguments}
        asked = [{"id": calls[0].id, "type": "function", "function": function}]
        messages.append({"role": "assistant", "content": "", "tool_calls": asked})
        messages.append({"role": "tool", "tool_call_id": calls[0].id, "content": result})

    return ask


def bare_gemini(address: str, extra_body: bool) -> Callable[[str], None]:
    from google.genai import Client, types

    from functions.tool import Catalogue
    from jobs import coder
    from list_functions import gemini_tools

    catalogue = Catalogue(coder.tools({}))
    client = Client(api_key="x", vertexai=False, http_options=types.HttpOptions(base_url=address, api_version="v1beta"))
    contents: list[Any] = [{"role": "user", "parts": [{"text": "Go on."}]}]
    off = types.AutomaticFunctionCallingConfig(disable=True)

    def ask(result: str) -> None:
        options = types.HttpOptions(extra_body={"contents": contents}) if extra_body else None
        config = types.GenerateContentConfig(
            tools=gemini_tools(catalogue), automatic_function_calling=off, http_options=options
        )
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
    """Answer every request with the same call."""
    from offline.script import Call, call
    from offline.scripted import serving

    with serving(call(Call("get_file_content", ARGUMENTS), usage=None)) as server:
        print(server.address, flush=True)
        sys.stdin.read()
    return 0


if __name__ == "__main__":
    sys.exit(main())
