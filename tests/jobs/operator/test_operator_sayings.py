"""What people say in place of a plain order: done as it is meant, or asked."""

from __future__ import annotations

from typing import Any

import pytest

from bench.operating import short
from bench.operator import Fleet

pytest.importorskip("mcp")


@pytest.fixture
def fleet() -> Fleet:
    return Fleet()


def made(fleet: Fleet, task: str) -> list[tuple[str, dict[str, Any]]]:
    fleet.do(task)
    return [(short(call), call["arguments"]) for call in fleet.changes]


@pytest.mark.parametrize(
    "task",
    [
        "Roll catalog back one version.",
        "Take catalog one version back",
        "Revert catalog by one version",
        "Roll back one release of catalog",
        "Move catalog back a version.",
    ],
)
def test_one_version_back_is_the_plain_order(task: str, fleet: Fleet):
    assert made(fleet, task) == [("rollback_service", {"name": "catalog"})]


@pytest.mark.parametrize("task", ["Roll catalog back two versions.", "Put catalog back on a version"])
def test_what_is_not_one_version_back_is_asked(task: str, fleet: Fleet):
    assert made(fleet, task) == []


def test_a_refusal_names_only_what_is_not_there(fleet: Fleet):
    answer = fleet.do("Roll catalog back two versions.")
    assert "I do not understand 'two'" in answer
    assert "catalog" not in answer


@pytest.mark.parametrize(
    ("task", "name", "replicas"),
    [
        ("Double the number of search replicas", "search", 4),
        ("Triple search's replicas", "search", 6),
        ("Halve the replica count of gateway.", "gateway", 2),
        ("Give billing twice as many replicas", "billing", 4),
        ("Scale search to double its current number of replicas", "search", 4),
        ("Reduce gateway to half its replicas", "gateway", 2),
        ("Cut gateway's replicas in half", "gateway", 2),
        ("Look at search. Double its replicas.", "search", 4),
        ("Scale search up by a factor of 3", "search", 6),
        ("Increase the replicas of search by 2", "search", 4),
        ("Scale search up by one", "search", 3),
        ("Scale search to five", "search", 5),
    ],
)
def test_a_relative_change_is_reckoned_from_what_is_there(task: str, name: str, replicas: int, fleet: Fleet):
    assert made(fleet, task) == [("scale_service", {"name": name, "replicas": replicas})]


@pytest.mark.parametrize(
    ("task", "why"),
    [
        ("Halve the replicas of ledger", "0.5 is no whole number"),
        ("Double the replicas of reports", "0 goes the other way"),
        ("Double search", "none of them can double"),
        ("Twice the number of search replicas", "none of them can twice"),
        ("Scale search by 2 replicas", "may be up or down"),
        ("Double the replicas of search, not of billing", "no plain order"),
    ],
)
def test_a_relative_change_that_cannot_be_reckoned_is_asked(task: str, why: str, fleet: Fleet):
    assert why in fleet.do(task)
    assert fleet.changes == []


@pytest.mark.parametrize(
    "task",
    [
        "Set billing to three replicas and let the payments team know about it",
        "Set billing to three replicas and let the payments team know.",
        "Give billing 1 more replica, then tell the payments team what you did.",
        "Scale billing to 3 replicas and notify the payments team about it.",
    ],
)
def test_a_team_is_told_what_was_just_done_where_no_text_is_given(task: str, fleet: Fleet):
    scaled, (tool, arguments) = made(fleet, task)
    assert scaled == ("scale_service", {"name": "billing", "replicas": 3})
    assert (tool, arguments["team"]) == ("notify_team", "payments")
    assert "billing has 3 replicas" in arguments["message"]


@pytest.mark.parametrize(
    "task",
    [
        "Let the payments team know about it",
        "Tell the payments team this.",
        "Tell the payments team: about it",
        'Tell the payments team "about it"',
        "Tell the payments team",
        "Let the payments team know about the outage",
        "Let the payments team know tomorrow",
        "Is billing degraded? Let the payments team know about it.",
        "If catalog is degraded, restart it. Let the shop team know about it.",
    ],
)
def test_a_pronoun_a_topic_or_nothing_at_all_is_never_sent_as_a_text(task: str, fleet: Fleet):
    assert "I changed nothing" in fleet.do(task) or "I can't" in fleet.do(task)
    assert fleet.changes == []


def test_nobody_is_told_of_a_change_that_failed(fleet: Fleet):
    assert [tool for tool, _ in made(fleet, "Scale nosuch to 3 replicas and let the shop team know.")] == [
        "scale_service"
    ]


@pytest.mark.parametrize(
    ("task", "text"),
    [
        ("Let the shop team know that we go to two replicas", "we go to two replicas"),
        ("Let the shop team know search is slow", "search is slow"),
        ("Tell the shop team that the bank says no", "the bank says no"),
    ],
)
def test_a_text_is_sent_word_for_word(task: str, text: str, fleet: Fleet):
    assert made(fleet, task) == [("notify_team", {"team": "shop", "message": text})]


@pytest.mark.parametrize(
    ("task", "what"),
    [
        ("Once the backup is finished, restart ledger.", "is a condition"),
        ("After lunch restart billing", "is a condition"),
        ("I restarted billing this morning and it is still degraded", "tells something"),
        ("They restart billing", "tells something"),
        ("The runbook says: restart ledger.", "quotes"),
        ('Dana wrote: "restart billing"', "quotes"),
    ],
)
def test_of_a_condition_a_report_or_a_quotation_it_is_said_that_it_is_one(task: str, what: str, fleet: Fleet):
    answer = fleet.do(task)
    assert answer.startswith("I changed nothing")
    assert what in answer
    assert fleet.changes == []


@pytest.mark.parametrize(
    ("task", "names"),
    [
        ("Restart every service that is degraded or stopped", ["billing", "search", "reports"]),
        ("Restart every service that is not running or stopped", ["billing", "search"]),
        ("Restart the degraded services of the shop team", ["search"]),
        ("Restart the payments team's services.", ["checkout", "billing", "ledger"]),
        ("Restart the service with the most replicas", ["gateway"]),
        ("Restart the billing and search services", ["billing", "search"]),
        ("Restart both billing and search", ["billing", "search"]),
    ],
)
def test_either_of_two_values_selects_and_neither_of_two_that_are_denied(task: str, names: list[str], fleet: Fleet):
    assert [arguments["name"] for _, arguments in made(fleet, task)] == names


@pytest.mark.parametrize(
    ("task", "why"),
    [
        ("Restart the services.", "does not say which of them"),
        ("Restart both services", "'both'"),
        ("Restart one of the degraded services", "'one of' does not say which"),
        ("Restart any one of billing and search", "'any one of' does not say which"),
        ("Restart the services of staging", "'staging'"),
        ("Restart the billing services", "'billing'"),
        ("Restart the degraded service of the shop team with the highest load", "'highest'"),
    ],
)
def test_things_in_the_plural_are_changed_only_where_it_is_said_which(task: str, why: str, fleet: Fleet):
    assert why in fleet.do(task)
    assert fleet.changes == []


def test_of_several_extremes_it_is_asked(fleet: Fleet):
    fleet.module.STATE["services"]["checkout"]["replicas"] = 4
    assert "there are several: gateway, checkout" in fleet.do("Restart the service with the most replicas")
    assert fleet.changes == []


@pytest.mark.parametrize(
    ("task", "called"),
    [
        ("Give mailer another replica", ("scale_service", {"name": "mailer", "replicas": 2})),
        ("Add a replica to mailer.", ("scale_service", {"name": "mailer", "replicas": 2})),
        ("Drop one replica from gateway", ("scale_service", {"name": "gateway", "replicas": 3})),
        ("Bring reports back up.", ("restart_service", {"name": "reports"})),
        ("First restart ledger.", ("restart_service", {"name": "ledger"})),
    ],
)
def test_one_more_and_running_again_are_orders(task: str, called: tuple[str, dict[str, Any]], fleet: Fleet):
    assert made(fleet, task) == [called]


def test_each_after_several_names_means_those(fleet: Fleet):
    scaled = made(fleet, "Set search and catalog to 3 replicas each.")
    assert [arguments["name"] for _, arguments in scaled] == ["search", "catalog"]


def test_what_runs_is_not_brought_back_up(fleet: Fleet):
    assert made(fleet, "Bring ledger back up.") == []


def test_what_begins_a_saying_begins_an_order_after_an_and(fleet: Fleet):
    assert made(fleet, "Restart search and put catalog back on its previous version.") == [
        ("restart_service", {"name": "search"}),
        ("rollback_service", {"name": "catalog"}),
    ]


def test_a_title_that_is_not_quoted_is_not_split_into_an_order(fleet: Fleet):
    tools = [tool for tool, _ in made(fleet, "Open an incident about search titled memory full and restart loops")]
    assert tools == ["open_incident", "notify_team"]


@pytest.mark.parametrize(
    ("task", "scaled"),
    [
        ("Scale catalog to 4 replicas and mailer to 2.", {"catalog": 4, "mailer": 2}),
        ("Scale ledger to its maximum.", {"ledger": 4}),
        ("Scale ledger to the highest number of replicas it may have.", {"ledger": 4}),
        ("Scale ledger up to the most replicas it may have.", {"ledger": 4}),
        ("Scale search to the same number of replicas as gateway.", {"search": 4}),
        ("Add one replica to each service in region us whose status is running.", {"catalog": 3, "mailer": 2}),
    ],
)
def test_a_number_is_found_by_looking(task: str, scaled: dict[str, int], fleet: Fleet):
    assert made(fleet, task) == [("scale_service", {"name": name, "replicas": to}) for name, to in scaled.items()]


@pytest.mark.parametrize(
    ("task", "names"),
    [
        ("Restart the degraded service of the payments team.", ["billing"]),
        ("Restart the stopped service.", ["reports"]),
        ("Restart the service that has been restarted most often.", ["search"]),
        ("Restart the billing service and the search service.", ["billing", "search"]),
        ("Read the logs of mailer, then restart it.", ["mailer"]),
        ("Restart reports please, it is stopped and we need it back.", ["reports"]),
    ],
)
def test_what_is_meant_is_found_by_looking(task: str, names: list[str], fleet: Fleet):
    assert made(fleet, task) == [("restart_service", {"name": name}) for name in names]


@pytest.mark.parametrize(
    "task",
    [
        "Restart the degraded service.",  # there are two
        "Restart the other service of the shop team.",
        "Restart the services for us.",
        "Add one replica to each running us service.",  # "us" is a region, and here not said to be one
        "Scale mailer to its minimum.",  # nothing says what that is
        "Scale mailer to as many replicas as nosuch.",
        "Tell payments and nosuch that the freeze begins.",
        'Open an incident for each odd service, titled "odd".',
    ],
)
def test_what_looking_does_not_settle_is_asked(task: str, fleet: Fleet):
    assert made(fleet, task) == []


def test_two_teams_are_told_the_same(fleet: Fleet):
    told = made(fleet, "Notify the payments team and the shop team that the freeze begins on Friday at 18:00.")
    message = "the freeze begins on Friday at 18:00"
    assert told == [("notify_team", {"message": message, "team": team}) for team in ("payments", "shop")]


def test_a_skill_is_followed_for_each_of_those_that_are_meant_and_a_title_names_none(fleet: Fleet):
    opened = made(fleet, 'Open a high severity incident for each degraded service, titled "Service degraded".')
    assert [arguments["service"] for tool, arguments in opened if tool == "open_incident"] == ["billing", "search"]
