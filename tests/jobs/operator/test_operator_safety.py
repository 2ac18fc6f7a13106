"""What the operator's mind changes and what it leaves: read in the process, on the fleet that ships, without a server."""

from __future__ import annotations

import re
import threading

import pytest

from bench import operating
from bench.operator import SETS, Fleet, main
from config import PROJECT
from offline.operator import mind
from offline.wire.conversation import Conversation

pytest.importorskip("mcp")
TASKS = [each for path in SETS for each in operating.problems(path)]
LINES = (PROJECT / "datasets" / "operating_frames.txt").read_text(encoding="utf-8").splitlines()
FRAMES = [line.replace("\\n", "\n") for line in LINES if not line.startswith("## ")]
ORDERS = (
    "restart billing",
    "scale search to 5 replicas",
    "deploy version 2.5.0 of catalog",
    "roll back gateway",
    "restart every degraded service",
    'open an incident about mailer titled "queue"',
    "restart the service ledger safely",
    "give billing two more replicas",
    "put checkout back on its previous version",
    "start reports",
    "bring search up to 4 replicas",
    "restart all services of the team shop",
)


@pytest.fixture
def fleet() -> Fleet:
    return Fleet()


@pytest.mark.parametrize(
    "task", [each.task for each in TASKS if "-nothing-" in each.name], ids=lambda task: task[:40].strip()
)
def test_a_negation_or_a_question_changes_nothing(task: str, fleet: Fleet):
    answer = fleet.do(task)
    assert fleet.changes == []
    assert answer


def test_every_order_of_the_frames_is_done_where_it_stands_alone():
    for order in ORDERS:
        fleet = Fleet()
        fleet.do(order)
        assert fleet.changes, order


@pytest.mark.long
def test_an_order_in_a_negation_a_doubt_or_a_quotation_is_none(fleet: Fleet):
    """Three of the orders in each frame, in turn: as long as nothing changes, one fleet serves all."""
    told = {}
    for number, frame in enumerate(FRAMES):
        for order in (ORDERS[(number + step) % len(ORDERS)] for step in (0, 4, 8)):
            task = frame.format(o=order, O=order[0].upper() + order[1:])
            if not fleet.do(task) or fleet.changes:
                told[task] = fleet.changes[:1]
                fleet = Fleet()
    assert told == {}
    assert len(FRAMES) == 168


@pytest.mark.long
def test_at_least_fourteen_of_twenty_unseen_tasks_are_done_and_negations_are_counted_apart(
    capsys: pytest.CaptureFixture[str],
):
    assert main([]) == 0
    told = capsys.readouterr().out
    with capsys.disabled():
        print(f"\n{told}")
    counts = re.findall(r"^  (must|to be).*?(\d+) of (\d+)$", told, re.MULTILINE)
    assert [(right, total) for what, right, total in counts if what == "must" and right != total] == []
    done = re.findall(r"to be done, never looked at +(\d+) of (\d+)", told)
    assert [total for _, total in done] == ["20", "10", "22"]
    assert all(int(right) >= 0.7 * int(total) for right, total in done), done


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
        "Restart all services except the frontend.",
        "Restart ledger, but not ledger.",
        "Restart everything there.",
        "Restart all services of that team.",
        "Scale billing to -3 replicas.",
        "Restart billing 3 times.",
        "Roll out 3.0.0.",
        "Close the incident about mailer.",
        "Start billing.",
        "Scale search up to 1 replica.",
        "Lower the replicas of ledger to 4.",
        "Restart them.",
        "Restart every service but billing.",
        "Restart all of billing.",
        "Restart every service at 17:00",
        "Restart billing and lol.",
        "Tell Dana to start reports.",
        "Is this right? Restart billing.",
        'Restart billing "just kidding"',
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
        ("Start reports.", [("restart_service", {"name": "reports"})]),
        ("Scale every service with 4 replicas to 3.", [("scale_service", {"name": "gateway", "replicas": 3})]),
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


STRANGERS = {
    "mail__send_email": ("Send an email to somebody.", ("to", "text")),
    "disk__delete_file": ("Delete a file for good.", ("path",)),
    "disk__move_file": ("Move a file to another place.", ("path", "to")),
    "shop__cancel_order": ("Cancel an order.", ("id",)),
    "disk__list_files": ("List the files.", ()),
}


@pytest.mark.parametrize("order", ["delete notes.txt", "send an email to bob: hello", "cancel the order A7"])
@pytest.mark.parametrize(
    "said",
    [
        "Do not {}.",
        "Don't {}, please.",
        "Never {}!",
        "Why would anybody {}?",
        "Should I {}?",
        "What happens if I {}?",
        "I told you not to {}.",
        "She asked me to {} yesterday.",
        "Explain how to {}.",
        "If nobody answers, {}.",
        "You must not {}.",
        "Ask me before you {}.",
        "Pretend to {}.",
        "Nobody said {}.",
    ],
)
def test_with_tools_of_strangers_too_only_a_plain_order_changes_anything(said: str, order: str):
    schemas = {
        name: {
            "name": name,
            "description": does,
            "parameters": {
                "type": "object",
                "properties": {each: {"type": "string"} for each in needs},
                "required": list(needs),
            },
        }
        for name, (does, needs) in STRANGERS.items()
    }
    seen = Conversation(said.format(order), (), tools=frozenset(schemas), schemas=schemas)
    decision = mind.decide(seen, lambda *_: None, threading.Event())  # type: ignore[arg-type]
    assert {call.name for call in decision.calls} <= {"disk__list_files"}


def test_a_polite_order_is_one_and_a_polite_question_is_none(fleet: Fleet):
    fleet.do("Would you restart mailer, please?")
    assert [operating.short(call) for call in fleet.changes] == ["restart_service"]
    fleet.do("Would you restart search?")
    assert len(fleet.changes) == 1
