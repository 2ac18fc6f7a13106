"""What a small model of the auditor, the notekeeper and the operator is shown before it is asked, on both wires."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from wire_run import loop_of, settings_for

from agent.contracts import AgentResult
from functions.tool import Tool
from jobs.auditor.settings import AuditorSettings
from jobs.job import job_named
from offline.script import say
from offline.scripted import serving
from sandbox.files.root import Root

WIRES = ("openai", "gemini")


def server_tools() -> list[Tool]:
    """As a server has them: one that lists, one that changes something, one that wants to be told what."""
    required: dict[str, list[str]] = {"list_services": [], "restart": [], "get_logs": ["name"]}
    made = []
    for name, needed in required.items():
        parameters = {"type": "object", "properties": {each: {"type": "string"} for each in needed}, "required": needed}
        schema = {"name": f"fleet__{name}", "description": name, "parameters": parameters}
        made.append(Tool(f"fleet__{name}", lambda root: "mail: degraded", schema, reads_only=name != "restart"))
    return made


def run(job_name: str, wire: str, folder: Path, **changes: Any) -> tuple[AgentResult, list[Any]]:
    (folder / "visits.csv").write_text("id,age\n1,30\n2,\n", encoding="utf-8")
    (folder / "garlic.md").write_text("# Garlic\n\nPlanted in October.\n", encoding="utf-8")
    job = job_named(job_name)
    if job_name == "operator":
        job = replace(job, tools=lambda resources: server_tools())
    with ExitStack() as stack:
        server, root = stack.enter_context(serving(say("Done."), say("Done."))), stack.enter_context(Root(folder))
        visits = AuditorSettings(str(folder / "visits.csv"))
        settings = settings_for(wire, server.address, **{"model_size": "small", "jobs": (visits,), **changes})
        settings = replace(settings, runs_directory=folder / ".runs")
        resources = stack.enter_context(job.opens(settings, root, lambda line: None))
        begun = job.begin(wire, root, settings, resources=resources)
        return loop_of(wire)("Make a note of this:\n\nGarlic is planted.", settings, begun), server.requests


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize(
    ("job", "name", "arguments", "seen"),
    [
        ("auditor", "schema_sample", {}, "age"),
        ("notekeeper", "kb_vector_search", {"query": "Garlic is planted."}, "garlic.md"),
        ("operator", "fleet__list_services", {}, "mail: degraded"),
    ],
)
def test_a_small_model_is_shown_what_a_careful_one_looks_at_first(
    wire: str, job: str, name: str, arguments: dict[str, str], seen: str, tmp_path: Path
):
    result, requests = run(job, wire, tmp_path)
    assert [(each["name"], each["arguments"]) for each in result.tool_calls] == [(name, arguments)]
    assert result.tool_calls[0]["status"] == "completed"
    sent = requests[0]["messages" if wire == "openai" else "contents"]
    assert seen in str(sent[1:])
    assert "Garlic is planted" in str(sent)


@pytest.mark.parametrize("job", ["auditor", "notekeeper", "operator"])
@pytest.mark.parametrize("changes", [{"model_size": "large"}, {"without": ("opening",)}])
def test_a_large_model_and_one_without_the_opening_are_shown_nothing(job: str, changes: Any, tmp_path: Path):
    result, requests = run(job, "openai", tmp_path, **changes)
    assert not result.tool_calls
    assert len(requests[0]["messages"]) == 2
