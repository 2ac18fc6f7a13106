"""What people say beside an order: why, thanks, what is to be left out, and what they meant; and names of many words."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bench.operating import short
from bench.operator import Fleet
from offline.operator.remarks import heard
from offline.operator.words import Clause

pytest.importorskip("mcp")
SERVICES = ("gateway", "checkout", "billing", "ledger", "catalog", "search", "mailer", "reports")
RESTART = "restart_service"


class Library(Fleet):
    """Books and members, and what is done with them."""

    def __init__(self) -> None:
        self.calls: list[dict[str, Any]] = []
        text = {"type": "string"}
        parts: dict[str, tuple[str, dict[str, Any]]] = {
            "list_books": ("List the books.", {}),
            "list_members": ("List the members.", {}),
            "get_book": ("Look at one book.", {"title": text}),
            "lend_book": ("Lend a book that is on the shelf to a member.", {"title": text, "member": text}),
            "extend_loan": (
                "Extend the loan of a book by a number of days.",
                {"title": text, "days": {"type": "integer"}},
            ),
            "write_to_member": ("Send a message to a member.", {"member": text, "message": text}),
        }
        self.schemas = {
            f"library__{name}": {
                "name": name,
                "description": told,
                "parameters": {"type": "object", "properties": taken, "required": list(taken)},
            }
            for name, (told, taken) in parts.items()
        }
        self.books = [
            {"title": "The Selfish Gene", "status": "lent", "lent_to": "Mara", "overdue": True, "pages": 360},
            {"title": "Momo", "status": "on shelf", "lent_to": None, "overdue": False, "pages": 300},
        ]

    @property
    def changes(self) -> list[dict[str, Any]]:
        return [call for call in self.calls if not short(call).startswith(("list_", "get_"))]

    def answer(self, name: str, arguments: dict[str, Any]) -> str:
        self.calls.append({"name": name, "arguments": arguments})
        found = {
            "list_books": self.books,
            "list_members": [{"name": "Mara", "owes": 8}, {"name": "Joel", "owes": 2}],
            "get_book": [book for book in self.books if book["title"] == arguments.get("title")],
        }
        return json.dumps(found[short({"name": name})]) if short({"name": name}) in found else "done"


def made(place: Fleet, task: str) -> list[tuple[str, dict[str, Any]]]:
    place.do(task)
    return [(short(call), call["arguments"]) for call in place.changes]


@pytest.mark.parametrize(
    ("task", "name"),
    [
        ("restart mailer pls, smtp is stuck again", "mailer"),
        ("Hi! Could you please restart mailer? We have a sale starting at noon.", "mailer"),
        ("hi its me again can you restart search i think the second one is eating all the memory thanks", "search"),
        ("hey, so billing has been flaky all morning. Restart it, would you?", "billing"),
        ("restart catalog, no wait, I mean search", "search"),
        ("Restart catalog. Sorry, I meant search.", "search"),
        ("if search is degraded restart it", "search"),
        ("Restart search but don't touch billing.", "search"),
    ],
)
def test_why_and_thanks_and_what_was_meant_do_not_stop_an_order(task: str, name: str):
    assert made(Fleet(), task) == [(RESTART, {"name": name})]


@pytest.mark.parametrize(
    "task",
    [
        "Restart billing. This is what Dana wrote.",
        "Restart billing. It is fine now.",
        "Restart billing. The restart was a mistake.",
        "Restart billing. It is an example.",
        "Billing has been flaky and search is slow. Restart it.",
        "billing is slow",
        "We have a sale at noon.",
        "Restart catalog. Sorry, I meant it.",
        "Restart catalog, no wait",
        "Stop it.",
        "Stop restarting billing",
        "Stop everything",
    ],
)
def test_what_may_take_an_order_back_or_is_none_changes_nothing(task: str):
    assert made(Fleet(), task) == []


def test_what_is_left_out_is_left_out():
    restarted = [
        arguments["name"] for _, arguments in made(Fleet(), "Please restart all eu services except the gateway.")
    ]
    assert restarted == ["checkout", "billing", "ledger"]
    assert [arguments["name"] for _, arguments in made(Fleet(), "Restart all services but not ledger.")] == [
        name for name in SERVICES if name != "ledger"
    ]


@pytest.mark.parametrize(
    ("task", "calls"),
    [
        (
            "gateway to 6, checkout to 5 and search to 4 please",
            [
                {"name": "gateway", "replicas": 6},
                {"name": "checkout", "replicas": 5},
                {"name": "search", "replicas": 4},
            ],
        ),
        ("Scale gateway to 5. Sorry, I meant 6.", [{"name": "gateway", "replicas": 6}]),
        ("stop catalog for now, we're migrating its database", [{"name": "catalog", "replicas": 0}]),
        ("can you start reports again with 1 replica?", [{"name": "reports", "replicas": 1}]),
    ],
)
def test_numbers_are_said_shortly_or_corrected(task: str, calls: list[dict[str, Any]]):
    assert made(Fleet(), task) == [("scale_service", each) for each in calls]


def test_pairs_of_an_order_need_nothing_that_is_counted():
    said, _ = heard([Clause("Deploy catalog to 2.5.0 and gateway to 3.3.0")], [], ())
    assert [each.text for each in said] == ["Deploy catalog to 2.5.0", "Deploy gateway to 3.3.0"]


def test_the_same_is_done_with_another():
    task = "restart mailer, and do the same with catalog please"
    assert made(Fleet(), task) == [(RESTART, {"name": "mailer"}), (RESTART, {"name": "catalog"})]


def test_a_condition_names_what_it_is_done_to():
    task = "If catalog is still on 2.4.0 deploy 2.4.2"
    assert made(Fleet(), task) == [("deploy_service", {"name": "catalog", "version": "2.4.2"})]
    assert made(Fleet(), "If catalog is still on 2.3.0 deploy 2.4.2") == []


def test_all_teams_are_those_that_the_services_have():
    told = made(Fleet(), "Tell all teams that the freeze starts on Friday.")
    assert {arguments["team"] for _, arguments in told} == {"payments", "platform", "shop"}


@pytest.mark.parametrize(
    ("task", "call"),
    [
        ("lend momo to Joel", ("lend_book", {"title": "Momo", "member": "Joel"})),
        (
            "Lend The Selfish Gene to Joel. Sorry, I mean to Mara.",
            ("lend_book", {"title": "The Selfish Gene", "member": "Mara"}),
        ),
        ("if momo is on the shelf lend it to mara", ("lend_book", {"title": "Momo", "member": "Mara"})),
        ("extend the selfish gene by two weeks", ("extend_loan", {"title": "The Selfish Gene", "days": 14})),
        ("write to Mara that momo is back", ("write_to_member", {"member": "Mara", "message": "momo is back"})),
    ],
)
def test_names_of_many_words_and_whatever_the_key_is_called_are_taken_from_the_lists(task: str, call: tuple[str, Any]):
    assert made(Library(), task) == [call]


@pytest.mark.parametrize("task", ["lend it to mara", "lend momo", "lend momo to mara or joel", "lend dune to mara"])
def test_a_name_that_is_missing_unknown_or_one_of_two_is_asked(task: str):
    assert made(Library(), task) == []


@pytest.mark.parametrize(
    ("task", "told"),
    [
        ("which books are overdue?", "The Selfish Gene"),
        ("who has the selfish gene", "lent_to Mara"),
        ("how much do the members owe altogether", "10 owes in total"),
    ],
)
def test_questions_are_answered_from_lists_whose_records_have_no_name(task: str, told: str):
    assert told in Library().do(task)


def test_the_title_of_an_incident_is_none_of_the_services_that_are_listed():
    task = 'Open an incident about mailer titled "queue" and restart the cart thing'
    assert made(Fleet(), task) == []
    task = 'restart the billing thing please and tell the team payments that "mailer" was restarted'
    assert all(tool != "open_incident" for tool, _ in made(Fleet(), task))


def test_a_field_of_common_words_alone_chooses_nothing_and_what_is_no_number_is_not_added():
    library = Library()
    library.books = [
        {"title": "Momo", "status": "lent", "is_on": True, "pages": 300},
        {"title": "Dune", "status": "lent", "is_on": False, "pages": None},
    ]
    assert "Dune" in library.do("which books are lent?")
    assert "300 pages in total" in library.do("how many pages do the books have in total?")


def test_a_long_run_of_blanks_takes_no_time():
    assert made(Fleet(), f"restart{' ' * 20_000}billing tomorrow") == []


def test_what_was_told_before_is_no_choice_of_what_to_tell():
    library = Library()
    library.books[1]["message"] = "come back"
    task = "Priya is here. Write to Mara that momo is back. Lend momo to nobody"
    assert made(library, task) == []
    task = "write to mara that momo is back, and lend the selfish gene to joel"
    told = made(library, task)
    assert ("write_to_member", {"member": "Mara", "message": "come back"}) not in told
