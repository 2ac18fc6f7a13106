"""What the operator's mind answers to questions: about what is there, and never by a guess that failed."""

from __future__ import annotations

import json
import threading

import pytest

from bench.operating import short
from bench.operator import Fleet
from offline.operator import mind
from offline.wire.conversation import Conversation, Step

pytest.importorskip("mcp")


@pytest.fixture
def fleet() -> Fleet:
    return Fleet()


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Which team owns mailer?", "mailer"),
        ("What was checkout's version before this one?", "checkout"),
        ("how many orders did checkout report paid in its log", "checkout"),
        ("search the logs of billing for timeout", "billing"),
        ("Who runs gateway?", "gateway"),
    ],
)
def test_a_question_is_about_the_name_in_it_that_the_list_gives(question: str, name: str, fleet: Fleet):
    fleet.do(question)
    assert [call["arguments"]["name"] for call in fleet.calls[1:]] == [name]


def test_a_question_that_names_two_things_is_about_both(fleet: Fleet):
    answer = fleet.do("Are billing and search degraded?")
    assert "billing: " in answer
    assert "search: " in answer


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which service has the most replicas?", ["gateway"]),
        ("Which service has the lowest number of replicas?", ["reports"]),
        ("Which degraded service belongs to shop?", ["search"]),
        ("Which degraded service has the most replicas?", ["billing", "search"]),
        ("Which service depends on billing?", ["checkout"]),
        ("Which services are degraded or stopped?", ["billing", "search", "reports"]),
        ("Which services are neither degraded nor stopped?", ["gateway", "checkout", "ledger", "catalog", "mailer"]),
        ("Tell us which services are degraded.", ["billing", "search"]),
        ("Let us know which services are degraded.", ["billing", "search"]),
        ("Which services are in the us and degraded?", ["search"]),
    ],
)
def test_a_question_without_a_name_is_answered_from_the_list(question: str, names: list[str], fleet: Fleet):
    answer = fleet.do(question)
    assert [line.partition(":")[0] for line in answer.splitlines()] == names


@pytest.mark.parametrize(
    "question", ["What is the status of nosuch?", "What is the oldest service?", "Which service ran out of memory?"]
)
def test_a_guess_that_failed_is_never_shown_as_an_answer(question: str, fleet: Fleet):
    answer = fleet.do(question)
    assert "Error" not in answer
    assert "I do not know which one" in answer
    assert "gateway: " in answer


def test_where_nothing_is_listed_a_guess_that_failed_is_said_to_have_failed():
    parameters = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
    tool = {"name": "sky__get_weather", "description": "Look at the weather of a city.", "parameters": parameters}
    steps = (Step("", "sky__get_weather", {"city": "Nowhere"}, "Error: no such city"),)
    seen = Conversation(
        "What is the weather in Nowhere?", steps, tools=frozenset((tool["name"],)), schemas={tool["name"]: tool}
    )
    said = mind.decide(seen, lambda *_: None, threading.Event()).text  # type: ignore[arg-type]
    assert said.startswith("I can't do that")
    assert "no such city" in said


def test_a_value_that_no_thing_has_is_said_to_be_unknown(fleet: Fleet):
    answer = fleet.do("Which services of the team nosuch are degraded?")
    assert "I do not know 'nosuch'" in answer


@pytest.mark.parametrize(
    ("question", "alone"),
    [
        ("How many replicas does checkout have?", True),
        ("What version is billing running?", True),
        ("What is the current version of billing?", True),
        ("which version would a rollback of billing bring back?", False),
        ("What version did billing have last week?", False),
        ("What version was billing?", False),
        ("How many replicas does checkout have, and is it degraded?", False),
    ],
)
def test_a_field_alone_is_the_answer_only_where_every_other_word_is_understood(
    question: str, alone: bool, fleet: Fleet
):
    answer = fleet.do(question)
    assert (" is " in answer) is alone
    assert ("previous_version" in answer) is not alone


def test_how_many_is_answered_by_a_number(fleet: Fleet):
    assert fleet.do("How many services are degraded?").startswith("2:\n")


@pytest.mark.parametrize(
    "question",
    [
        "Is it safe to restart billing and scale search to 3 replicas",
        "May I restart billing and roll back search",
        "Restart billing and scale search to 3 replicas, right?",
        "Add two replicas to billing?",
        "Double the replicas of search?",
    ],
)
def test_a_question_holds_no_order_also_not_after_an_and(question: str, fleet: Fleet):
    assert fleet.do(question)
    assert fleet.changes == []


def test_a_polite_question_orders_all_that_it_names(fleet: Fleet):
    fleet.do("Could you restart billing and scale search to 3 replicas?")
    assert [short(call) for call in fleet.changes] == ["restart_service", "scale_service"]


def test_a_thing_is_not_changed_because_a_question_that_was_half_understood_left_one(fleet: Fleet):
    fleet.do("Which stopped service has a memory leak? Restart it.")
    assert fleet.changes == []
    assert json.loads(json.dumps(fleet.module.STATE)) == fleet.before
