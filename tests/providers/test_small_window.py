"""A window of 4,096 tokens, which is what LM Studio loads when nobody asks for more: the main job still gets done."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from wire_cases import GOOGLE, LM_STUDIO_OLD, loaded
from wire_run import loop_of, settings_for

from agent.contracts import AgentResult
from agent.events import Event
from jobs import coder
from offline.background import in_background
from offline.script import GEMINI, OPENAI
from offline.wire import server as offline
from offline.wire.openai import MODEL
from sandbox.files.root import Root

WINDOW = 4096


class SmallHandler(offline.Handler):
    """The built-in model, refusing longer prompts in LM Studio's own words, as the servers that people have do."""

    def do_GET(self) -> None:
        if self.path == "/api/v1/models" and self.server.tells_window:  # type: ignore[attr-defined]
            return self.send_json(200, {"models": [loaded(MODEL, WINDOW)]})
        return super().do_GET()

    def answer(self, wire: Any, body: Any, *, streamed: bool) -> None:
        tokens = len(json.dumps(body, ensure_ascii=False)) // 4
        self.server.sizes.append(tokens)  # type: ignore[attr-defined]
        if tokens > WINDOW:
            text = LM_STUDIO_OLD if wire is offline.wire_openai else GOOGLE
            return self.send_json(400, wire.error(400, text.replace("5103", str(tokens))))
        return super().answer(wire, body, streamed=streamed)


@contextmanager
def small_model(*, tells_window: bool) -> Iterator[offline.Server]:
    server = offline.Server()
    server.RequestHandlerClass = SmallHandler
    server.tells_window, server.sizes = tells_window, []  # type: ignore[attr-defined]
    with in_background(server):
        yield server


def run(server: offline.Server, wire: str, root: Path, prompt: str) -> tuple[AgentResult, list[Event]]:
    events: list[Event] = []
    with Root(root) as held:
        settings = settings_for(wire, server.address)
        result = loop_of(wire)(prompt, settings, coder.JOB.begin(wire, held, settings, [events.append]))
    return result, events


# lorem.txt is asked for by name, so that there is something to leave out
GROWN = "import sys\n# reads nothing of lorem.txt and README.md\n"


@pytest.mark.parametrize(
    ("wire", "tells_window"),
    [
        pytest.param(OPENAI, True, id="openai, window told", marks=pytest.mark.long),
        pytest.param(GEMINI, False, id="gemini, window found out", marks=pytest.mark.long),
        pytest.param(OPENAI, False, id="openai, window found out", marks=pytest.mark.long),
    ],
)
def test_the_bug_is_fixed_and_verified_within_the_window(wire: str, tells_window: bool, calculator: Path):
    main = calculator / "main.py"
    main.write_text(main.read_text().replace("import sys\n", GROWN, 1))
    with small_model(tells_window=tells_window) as server:
        result, events = run(server, wire, calculator, "fix the bug")
    told = " ".join(event.text for event in events if event.kind == "notice")
    assert result.stop_reason == "answered", result.errors
    assert result.answer.startswith("Fixed."), result.answer
    assert "All 9 tests passed" in result.answer
    assert "To fit the model's context window of 4,096 tokens" in told
    refused = [size for size in server.sizes if size > WINDOW]  # type: ignore[attr-defined]
    if wire == OPENAI and tells_window:
        assert not refused
    else:
        assert refused


@pytest.mark.parametrize("wire", [OPENAI, GEMINI])
def test_a_project_of_one_long_file_ends_in_an_answer_or_a_clear_line(wire: str, project: Callable[..., Path]):
    root = project({"long.py": "".join(f"VALUE_{n} = {n}\n" for n in range(3000)), "test_long.py": "import long\n"})
    with small_model(tells_window=True) as server:
        result, _ = run(server, wire, root, "fix the bug")
    assert result.stop_reason in ("answered", "max_iters") or "context window" in " ".join(result.errors)
