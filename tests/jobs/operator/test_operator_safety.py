"""What the operator's mind changes and what it leaves: read in the process, on the fleet that ships, without a server."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import threading
from typing import Any

import pytest

from bench import operating
from config import PROJECT
from offline.operator import mind
from offline.wire.conversation import Conversation, Step

pytest.importorskip("mcp")
SKILLS = PROJECT / "samples" / "operator" / "skills"
UNSEEN = list(operating.problems(PROJECT / "datasets" / "operating_unseen.yaml"))
LOOKS = ("list_services", "get_service", "get_logs", "read_skill")
READ_SKILL = {"name": "read_skill", "parameters": {"type": "object", "properties": {"name": {"type": "string"}}}}
MOST = 40


class Fleet:
    """The fleet that ships, its tools called as functions, and what was called."""

    def __init__(self) -> None:
        spec = importlib.util.spec_from_file_location("fleet_of_a_test", PROJECT / "samples" / "operator" / "fleet.py")
        assert spec
        assert spec.loader
        self.module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.module)
        self.before = json.loads(json.dumps(self.module.STATE))
        listed = asyncio.run(self.module.server.list_tools())
        self.schemas = {
            f"fleet__{tool.name}": {"name": tool.name, "description": tool.description, "parameters": tool.input_schema}
            for tool in listed
        }
        self.calls: list[dict[str, Any]] = []

    @property
    def changes(self) -> list[dict[str, Any]]:
        return [call for call in self.calls if operating.short(call) not in LOOKS]

    def answer(self, name: str, arguments: dict[str, Any]) -> str:
        self.calls.append({"name": name, "arguments": arguments})
        if name == "read_skill":
            return (SKILLS / arguments["name"] / "SKILL.md").read_text(encoding="utf-8")
        try:
            result = getattr(self.module, operating.short({"name": name}))(**arguments)
        except (self.module.ToolError, TypeError) as error:
            return f"Error: {error}"
        return result if isinstance(result, str) else json.dumps(result)

    def do(self, task: str) -> str:
        """Let the mind do a task; return its answer."""
        system = "read_skill\n- incident: how to handle an incident\n- safe-restart: how to restart a service safely"
        schemas = {**self.schemas, "read_skill": READ_SKILL}
        steps: tuple[Step, ...] = ()
        for _ in range(MOST):
            seen = Conversation(task, steps, tools=frozenset(schemas), system=system, schemas=schemas)
            decision = mind.decide(seen, lambda *_: None, threading.Event())  # type: ignore[arg-type]
            if not decision.calls:
                return decision.text
            made = [(call, self.answer(call.name, dict(call.arguments))) for call in decision.calls]
            steps += tuple(Step("", call.name, dict(call.arguments), result) for call, result in made)
        raise AssertionError(f"no end: {self.calls}")

    def judged(self, operation: operating.Operation) -> str:
        answer = self.do(operation.task)
        state = json.loads(json.dumps(self.module.STATE))
        return operating.judge(operation, {"calls": self.calls, "answer": answer}, self.before, state)


@pytest.fixture
def fleet() -> Fleet:
    return Fleet()


@pytest.mark.parametrize(
    "task", [each.task for each in UNSEEN if "-nothing-" in each.name], ids=lambda task: task[:40].strip()
)
def test_a_negation_or_a_question_changes_nothing(task: str, fleet: Fleet):
    answer = fleet.do(task)
    assert fleet.changes == []
    assert answer


def test_at_least_fourteen_of_twenty_unseen_tasks_are_done(capsys: pytest.CaptureFixture[str]):
    tasks = [each for each in UNSEEN if "-task-" in each.name]
    done = {each.name: Fleet().judged(each) for each in tasks}
    opened = {name: cause for name, cause in done.items() if name.startswith("open-")}
    held = sum(not cause for name, cause in done.items() if name.startswith("held-"))
    with capsys.disabled():
        print(f"\nopen {sum(not cause for cause in opened.values())} of {len(opened)}, held {held} of 10")
    assert sum(not cause for cause in done.values()) >= 14, {name: cause for name, cause in opened.items() if cause}


@pytest.mark.parametrize("task", list(operating.problems()), ids=lambda each: each.name)
def test_the_tasks_that_were_done_before_are_done_still(task: operating.Operation, fleet: Fleet):
    assert fleet.judged(task) == ""


@pytest.mark.parametrize(
    "task",
    [
        "I restarted search already, is it running now?",
        "Nobody may restart ledger.",
        "Cancel the restart of billing.",
        "Restart billing. Actually, don't.",
        "Explain how to stop ledger and restart billing.",
        "Tell me what happens if I roll back search and restart billing.",
        "My boss wrote: restart billing.",
        "If the moon is not full, restart billing.",
        "If billing is degraded, restart it and scale it to 3 replicas.",
        "Restart billing in staging.",
        "Restart every service that is unhealthy.",
        "Restart all services except ledger.",
        "Scale billing to -3 replicas.",
        "Restart billing 3 times.",
        "Roll out 3.0.0.",
        "Close the incident about mailer.",
        "Start reports.",
        "Scale search up to 1 replica.",
        "Lower the replicas of ledger to 4.",
        "Restart them.",
    ],
)
def test_what_is_not_understood_to_the_last_word_is_asked_and_changes_nothing(task: str, fleet: Fleet):
    answer = fleet.do(task)
    assert fleet.changes == []
    assert answer


@pytest.mark.parametrize(
    ("task", "called"),
    [
        ("Roll out 3.3.0 of gateway", [("deploy_service", {"name": "gateway", "version": "3.3.0"})]),
        ("Roll gateway back", [("rollback_service", {"name": "gateway"})]),
        ("Scale search up by 2 replicas", [("scale_service", {"name": "search", "replicas": 4})]),
        ("Is billing degraded? Restart it.", [("restart_service", {"name": "billing"})]),
        ("Restart billing because it does not answer.", [("restart_service", {"name": "billing"})]),
        ('Tell the team shop: "do not deploy"', [("notify_team", {"team": "shop", "message": "do not deploy"})]),
        ("Tell the team shop that we deploy and restart search", 1),
        ("Restart every service that ledger depends on", []),
        ("Restart every service that checkout depends on", ["ledger", "billing"]),
    ],
)
def test_a_plain_order_is_done_as_it_is_said(task: str, called: object, fleet: Fleet):
    fleet.do(task)
    made = [(operating.short(call), call["arguments"]) for call in fleet.changes]
    if called == 1:
        assert made == [("notify_team", {"team": "shop", "message": "we deploy and restart search"})]
    elif called == ["ledger", "billing"]:
        assert sorted(call["arguments"]["name"] for call in fleet.changes) == ["billing", "ledger"]
    else:
        assert made == called
