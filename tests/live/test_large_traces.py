"""Large things on the page of a run: a trace of 100 MB comes in pieces, and so does a long text; a long prompt is cut."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from hashlib import shake_256
from pathlib import Path
from typing import Any

import pytest
from browser import CHROMIUM, Browser
from scripted import scripted
from test_live import Watched, start  # noqa: F401 - a fixture

from live.server import serving
from live.watch import Watch
from records.folders import find
from records.page import write_page
from records.trace import new_folder

pytestmark = [pytest.mark.long, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")]
WORDS = "mend the parser, please; " * 500  # 2,000 words
LINE = "a line of a file that somebody wrote\n"
STEPS = "document.querySelectorAll('#steps li')"
OVER = "document.getElementById('state').textContent.startsWith('The run is over')"
SHOWN = "document.querySelector('#content pre').textContent.length"
MORE = "[...document.querySelectorAll('#content button')].find((each) => each.textContent.startsWith('More: '))"


def events(turns: int, text: str) -> Iterator[dict[str, Any]]:
    """A run that reads a file a turn, as a trace holds it."""
    yield {"kind": "run", "at": 0.0, "format": 1, "began": 1.0, "prompt": WORDS, "provider": "offline"}
    yield {"kind": "started", "at": 0.0, "prompt": WORDS, "provider": "offline", "model": "m"}
    yield {"kind": "message", "at": 0.0, "number": 0, "message": {"role": "user", "content": WORDS}}
    for turn in range(1, turns + 1):
        number, at = 2 * turn - 1, float(turn)
        call = {"id": f"call_{turn}", "name": "get_file_content", "arguments": json.dumps({"file_path": f"{turn}.py"})}
        asked = {"role": "assistant", "content": "", "tool_calls": [{"id": call["id"], "function": call}]}
        content = f"{turn}\n{text}"
        request = {"wire": "openai", "history": "messages", "messages": [[0, number]], "set": {}, "unset": []}
        reply = {"text": "", "calls": [call], "usage": {"input": 9, "output": 1}, "finish_reason": "tool_calls"}
        done = {"id": call["id"], "name": call["name"], "ok": True, "seconds": 0.1, "content": content, "sources": []}
        result = {"role": "tool", "tool_call_id": call["id"], "content": content}
        for kind, more in (
            ("asking", {"window": None}),
            ("request", request),
            ("message", {"number": number, "message": asked}),
            ("replied", {**reply, "message": number}),
            ("call_started", {"call": call}),
            ("call_finished", done),
            ("message", {"number": number + 1, "message": result}),
        ):
            yield {"kind": kind, "at": at, "turn": turn, **more}
    ended = {"answer": "", "stop_reason": "max_iters", "turns": turns, "seconds": 1.0, "model": "m", "tool_calls": []}
    yield {"kind": "finished", "at": turns + 1.0, "result": {**ended, "tokens": {"input": 9, "output": 1}}}


def run_of(runs: Path, turns: int, characters: int) -> Path:
    folder = new_folder(runs, "large")
    with (folder / "trace.jsonl").open("w", encoding="utf-8") as file:
        for event in events(turns, LINE * (characters // len(LINE))):
            file.write(json.dumps(event) + "\n")
    return folder


@pytest.mark.parametrize(("turns", "characters"), [(250, 200_000), (5, 10_000_000)])
def test_a_trace_of_100_mb_opens_in_pieces(chromium: Browser, tmp_path: Path, turns: int, characters: int):
    folder = run_of(tmp_path / "runs", turns, characters)
    megabytes = (folder / "trace.jsonl").stat().st_size / 1e6
    assert megabytes > 100
    watch = Watch(lambda name: find(folder.parent, name))
    watch.show(folder)
    with serving(watch.routes()) as server:
        began = time.perf_counter()
        chromium.open(server.address)
        chromium.run(
            "window.longest = []; new PerformanceObserver((list) => longest.push(...list.getEntries().map((each) => "
            "each.duration))).observe({entryTypes: ['longtask'], buffered: true})"
        )
        chromium.until(f"{STEPS}.length > 2")
        first = time.perf_counter() - began
        chromium.until(f"{STEPS}.length === {2 * turns + 1} && {OVER}")
        whole, longest = time.perf_counter() - began, max(chromium.run("longest") or [0])
        chromium.press("End")
        before = chromium.run(SHOWN)
        assert before <= 50_000, "no more than a piece of the text is drawn"
        chromium.run(f"{MORE}.click()")
        assert chromium.run(SHOWN) == 2 * before
        assert len(chromium.run("document.querySelector('h1').textContent")) < 300
    began = time.perf_counter()
    page = write_page([folder])
    written = time.perf_counter() - began
    began = time.perf_counter()
    chromium.open(page)
    chromium.until(f"{STEPS}.length === {2 * turns + 1}")
    opened = time.perf_counter() - began
    print(
        f"\n{megabytes:.0f} MB in {turns} turns, watched: first steps after {first:.2f} s, all after {whole:.1f} s, longest task "
        f"{longest:.0f} ms; as a page: written in {written:.1f} s, open after {opened:.1f} s"
    )


def test_a_reply_of_5_mb_is_watched_and_answered_beside(
    chromium: Browser,
    start: Callable[..., Watched],  # noqa: F811
):
    # A piece a line: words are what an SDK is slow with. No line like another: a reply that says the same again is stopped.
    long = "\n".join(shake_256(b"%d" % number).hexdigest(512) for number in range(5_000))
    read = ("get_file_content", {"file_path": "main.py"})
    with scripted((long, [read]), ("Done.", [])) as model:
        run = start(model, "look", "--watch")
        chromium.open(run.address)
        chromium.until(OVER)
        chromium.press("Home", "n")
        assert chromium.run("shown.turns[0].text.length") == len(long) > 5_000_000
        assert chromium.run(SHOWN) <= 50_000
        took = chromium.run(
            "(() => { const began = performance.now(); go(2); go(1); return performance.now() - began; })()"
        )
        print(f"\n5 MB in one reply: two steps in {took:.0f} ms")
        chromium.open("about:blank")
        assert run.ended() == 0
