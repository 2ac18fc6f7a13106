"""Trying again: how often, how long, what the person is told, and that Ctrl-C ends it."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from email.utils import format_datetime
from pathlib import Path

import pytest
from catalogue import run_on

from agent import retries
from agent.context import Context
from agent.contracts import Reply, TokenUsage
from agent.errors import Passing, ProviderError, TooLong
from agent.events import Event
from agent.retries import pause
from agent.run import Run
from providers import openai_wire
from providers.failures import TEXTS, asked_to_wait, of_status
from sandbox.files.root import Root

REPLY = Reply("Done.", (), TokenUsage(), "stop", {})


@pytest.fixture
def told() -> list[Event]:
    return []


@pytest.fixture
def run(tmp_path: Path, told: list[Event]) -> Run:
    return run_on(Root(tmp_path), [told.append])


def attempt(*outcomes: Exception | Reply):
    left = iter(outcomes)

    def next_one() -> Reply:
        outcome = next(left)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    return next_one


def persist(request: Callable[[], Reply], context: Context, run: Run) -> Reply:
    """Ask as both loops do."""
    try:
        return request()
    except (Passing, TooLong) as failure:
        return retries.persist(request, failure, context, run)


def nothing(run: Run) -> Context:
    return Context(run, openai_wire)


def test_what_passes_is_tried_again_and_told(run: Run, told: list[Event], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(retries, "FIRST_WAIT", 0.001)
    assert persist(attempt(Passing("Busy."), Passing("Busy."), REPLY), nothing(run), run) is REPLY
    assert [event.text for event in told] == [
        "Busy. Trying again in 0 s (attempt 2 of 4).",
        "Busy. Trying again in 0 s (attempt 3 of 4).",
    ]


def test_what_does_not_pass_ends_with_the_count_and_the_advice(run: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(retries, "FIRST_WAIT", 0.001)
    with pytest.raises(ProviderError, match="Busy. Tried 4 times. Wait a little.") as failure:
        persist(attempt(*[Passing("Busy.", advice="Wait a little.")] * 4), nothing(run), run)
    assert not isinstance(failure.value, Passing)


def test_what_cannot_pass_is_not_tried_again(run: Run, told: list[Event]):
    with pytest.raises(ProviderError, match="No such model"):
        persist(attempt(ProviderError("No such model.")), nothing(run), run)
    assert not told


def test_waits_double_with_some_chance_and_end_at_a_bound():
    for failed, expected in ((1, 1), (2, 2), (3, 4), (20, retries.LONGEST_WAIT)):
        waits = {pause(Passing("x"), failed) for _ in range(50)}
        assert len(waits) > 1
        assert all(0.75 * expected <= wait <= 1.25 * expected for wait in waits)


def test_a_server_is_never_asked_again_earlier_than_it_says():
    assert all(7 <= pause(Passing("x", wait=7), 1) <= 7.5 for _ in range(50))


def test_a_wait_that_is_too_long_is_not_begun_and_said(run: Run, told: list[Event], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(retries, "JITTER", 0.0)
    waited: list[float] = []
    monkeypatch.setattr(Run, "go_on", lambda run, seconds=0.0: waited.append(seconds) if seconds else None)
    asked = Passing("Busy.", wait=retries.LONGEST_WAIT)
    assert persist(attempt(asked, REPLY), nothing(run), run) is REPLY
    assert waited == [retries.LONGEST_WAIT]
    with pytest.raises(
        ProviderError, match="Busy. It asks to wait 61 s, which is longer than this program waits. Later."
    ):
        persist(attempt(Passing("Busy.", wait=61, advice="Later.")), nothing(run), run)
    assert len(told) == 1


def test_a_failure_says_how_often_it_may_be_tried(run: Run, told: list[Event], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(retries, "FIRST_WAIT", 0.001)
    with pytest.raises(ProviderError, match=r"^Busy\.$"):
        persist(attempt(Passing("Busy.", attempts=1)), nothing(run), run)
    assert told == []
    with pytest.raises(ProviderError, match=r"^Busy\. Tried 2 times\.$"):
        persist(attempt(*[Passing("Busy.", attempts=2)] * 2), nothing(run), run)


def test_the_first_wait_is_a_second_and_each_further_one_twice_as_long(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(retries, "JITTER", 0.0)
    assert [pause(Passing("x"), failed) for failed in (1, 2, 3, 7)] == [1, 2, 4, 60]
    assert pause(Passing("x", wait=0), 3) == 0


def test_a_conversation_that_is_too_long_is_sent_again_once_only(run: Run):
    made = []

    class Shorter(Context):
        def make_room(self, error: TooLong) -> None:
            made.append(error)

    with pytest.raises(TooLong):
        persist(attempt(TooLong(1, 2), TooLong(1, 2)), Shorter(run, openai_wire), run)
    assert len(made) == 1


def test_ctrl_c_ends_a_wait_at_once(run: Run):
    timer = threading.Timer(0.3, signal.pthread_kill, [threading.main_thread().ident, signal.SIGINT])
    timer.start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        persist(attempt(Passing("Busy.", wait=50)), nothing(run), run)
    timer.join()
    assert time.monotonic() - began < 20


def test_retry_after_is_a_number_or_a_date_and_googles_delay_is_found():
    from datetime import UTC, datetime, timedelta

    later = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    info = {"error": {"details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.5s"}]}}
    assert asked_to_wait({}, {"retry-after": "7"}) == 7
    assert 25 < (asked_to_wait({}, {"retry-after": later}) or 0) <= 30
    assert asked_to_wait(info, {}) == 34.5
    for nonsense in ("soon", "nan", "-5", "Fri, 31 Dec 99999 23:59:59 GMT", "-" + "9" * 5000):
        assert not asked_to_wait({}, {"retry-after": nonsense}), nonsense[:40]
    assert (asked_to_wait({}, {"retry-after": "9" * 5000}) or 61) > 60, "longer than is waited, or no answer at all"
    assert asked_to_wait({}, {}) is None


def test_every_text_in_the_table_says_where_it_is_from_and_what_to_do():
    for known in TEXTS:
        assert known.source
        assert known.advice or known.means == "too_long"


STATUSES = [400, 401, 402, 403, 404, 405, 408, 409, 415, 418, 422, 429, 500, 501, 502, 503, 504, 529, None]


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize(
    "body", [None, "", "text", {"error": "text"}, {"error": {"message": "text"}}, [1, [{"a": None}]]]
)
def test_every_status_with_every_body_becomes_one_line(status: int | None, body: object):
    failure = of_status(status, body, {})
    assert str(failure)
    assert "\n" not in str(failure)
    passing = status in (408, 409, 429, None) or (status >= 500 and status != 501)
    assert isinstance(failure, Passing) == passing


def test_a_body_that_is_too_large_for_the_server_is_shortened_and_not_sent_again():
    assert isinstance(of_status(413, None, {}), TooLong)
