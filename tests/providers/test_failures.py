"""What servers say of their failures: looked up by text, then by status, and told in one sentence with the next step."""

from __future__ import annotations

import datetime
import email.utils
import math
from types import SimpleNamespace
from typing import Any

import pytest

from agent.errors import Passing, ProviderError, TooLong
from providers import failures
from providers.failures import CRASHED, ELSEWHERE, KEY, LOAD, NAME, QUOTA, asked_to_wait, of_status, one_line


@pytest.mark.parametrize(
    ("status", "kind", "advice"),
    [
        (301, ProviderError, ELSEWHERE),
        (308, ProviderError, ELSEWHERE),
        (401, ProviderError, KEY),
        (403, ProviderError, KEY),
        (404, ProviderError, "ends in /v1"),
        (402, ProviderError, "add credit"),
        (408, Passing, "later"),
        (409, Passing, "later"),
        (429, Passing, "offline"),
        (501, ProviderError, "cannot do"),
        (400, ProviderError, "did not accept"),
        (418, ProviderError, "did not accept"),
        (499, ProviderError, "did not accept"),
        (399, Passing, "own log"),
        (500, Passing, "own log"),
        (503, Passing, "own log"),
        (None, Passing, "own log"),
    ],
)
def test_each_status_is_final_or_passes_and_says_the_next_step(status: int | None, kind: type, advice: str):
    found = of_status(status, {"error": {"message": "Sorry, not now."}}, {})
    assert type(found) is kind
    assert advice in (str(found) if kind is ProviderError else found.advice)
    answered = f"answered {status}" if status else "answered with an error"
    assert str(found).startswith(f"The server {answered}: Sorry, not now.")
    assert ".." not in str(found)


@pytest.mark.parametrize(
    ("text", "window", "size"),
    [
        ("try to keep the first 5000 tokens when the context length of only 4096", 4096, 5000),
        ("greater than the context length (n_keep: 5000>= n_ctx: 4096)", 4096, 5000),
        ("the request (5000 tokens) exceeds the available context size (4096 tokens)", 4096, 5000),
        ("The input token count (5000) exceeds the maximum number of tokens allowed (4096).", 4096, 5000),
        ("This model's maximum context length is 4096 tokens. However, you asked for 5000 tokens", 4096, 5000),
        ("Context window exceeded", None, None),
        ("the request exceeds the context size", None, None),
        ("keep the first 123456789012345 tokens; context length of only 4096", 4096, 123456789012345),
        ("keep the first 1234567890123456 tokens; context length of only 4096", 4096, None),
        ("keep the first 12345678901234567 tokens; context length of only 4096", 4096, None),
    ],
)
def test_a_conversation_that_is_too_long_is_known_by_its_text_and_its_numbers(text: str, window: Any, size: Any):
    found = of_status(400, {"error": text}, {})
    assert isinstance(found, TooLong)
    assert (found.window, found.size) == (window, size)


def test_numbers_that_stand_beside_the_text_are_read_too():
    error = {"message": "it exceeds the available context size", "n_ctx": 4096, "n_prompt_tokens": 5000}
    for body in ({"error": error}, error):
        found = of_status(400, body, {})
        assert isinstance(found, TooLong)
        assert (found.window, found.size) == (4096, 5000)
    for body in (
        {**error, "n_ctx": "many", "n_prompt_tokens": None},
        {"error": [error["message"]]},
        [error["message"]],
    ):
        found = of_status(400, body, {})
        assert isinstance(found, TooLong)
        assert (found.window, found.size) == (None, None)
    assert isinstance(of_status(413, None, {}), TooLong)


@pytest.mark.parametrize(
    ("text", "kind", "advice"),
    [
        ("No models loaded", ProviderError, LOAD),
        ("Model is unloaded.", ProviderError, LOAD),
        ("The model has crashed without additional information", Passing, CRASHED),
        ("Invalid model identifier", ProviderError, NAME),
        ("API key not valid. Please pass a valid API key.", ProviderError, KEY),
        ("GenerateRequestsPerDayPerProjectPerModel-FreeTier", ProviderError, QUOTA),
        ("Conversation roles must alternate", ProviderError, "prompt template"),
    ],
)
def test_what_a_text_says_goes_before_the_status(text: str, kind: type, advice: str):
    found = of_status(429, {"message": text}, {})
    assert type(found) is kind
    assert advice in (str(found) if kind is ProviderError else found.advice)


def test_the_message_is_what_is_told_and_a_body_without_words_has_no_reason():
    body = {"code": "a_code", "error": {"status": "two words", "message": "This is why."}}
    assert "This is why." in str(of_status(500, body, {}))
    assert "one_word" in str(of_status(500, {"code": "one_word"}, {}))
    assert "no reason given." in str(of_status(500, {"code": 7}, {}))


def test_of_a_nested_body_eight_levels_are_read():
    body: Any = "deep down"
    for _ in range(8):
        body = [body]
    assert list(failures.texts_in(body)) == ["deep down"]
    assert list(failures.texts_in([body])) == []
    assert list(failures.texts_in({"a": "1", "message": "2", "b": ["3", 4, None]})) == ["2", "1", "3"]


@pytest.mark.parametrize(
    ("body", "headers", "seconds"),
    [
        ({}, {"retry-after": "7"}, 7.0),
        ({}, {"retry-after": " 1.5 "}, 1.5),
        ({}, {"retry-after": "-3"}, 0.0),
        ({}, {"retry-after": "soon"}, None),
        ({}, {"retry-after": "nan"}, None),
        ({}, {"retry-after": "inf"}, None),
        ({}, {}, None),
        ({"retryDelay": "34.5s"}, {"retry-after": "7"}, 34.5),
        ({"details": [{"retryDelay": "34s"}, {"retryDelay": "50s"}]}, {}, 34.0),
        ({"retryDelay": "1234567890123456s"}, {}, None),
        ({"retryDelay": "123456789012345s"}, {}, 123456789012345.0),
        ({"retryDelay": "34 s"}, {}, None),
        ({}, {"retry-after": "Mon, 01 Jan 99999 00:00:00 GMT"}, None),
        ({}, {"retry-after": "Thu, 01 Jan 1970 00:00:00 GMT"}, 0.0),
    ],
)
def test_what_a_server_asks_to_wait_is_read_from_header_or_body(body: Any, headers: dict[str, str], seconds: Any):
    assert asked_to_wait(body, headers) == seconds


def test_a_date_to_wait_for_is_seconds_from_now():
    soon = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=500)
    assert 400 < (asked_to_wait({}, {"retry-after": email.utils.format_datetime(soon, usegmt=True)}) or 0) <= 500
    assert 400 < failures.until(soon.strftime("%a, %d %b %Y %H:%M:%S -0000")) <= 500
    assert math.isnan(failures.until("never"))


def test_what_a_server_says_is_one_line_of_three_hundred_characters_at_most():
    assert one_line(" a\n\tb ") == "a b"
    assert one_line("x" * 300) == "x" * 300
    assert one_line("x" * 301) == "x" * 300 + "..."
    assert one_line("<!DOCTYPE html><p>Bad gateway") == one_line("<HTML>") == "an HTML page"
    assert one_line("see <html>") == "see <html>"


def test_the_end_of_a_body_is_known_where_http_tells_it():
    assert failures.framed({"transfer-encoding": "gzip, Chunked"})
    assert failures.framed({"content-length": "5"})
    assert not failures.framed({"transfer-encoding": "gzip"})
    assert not failures.framed({})


def a_run(turns: int, enforced: str = "") -> Any:
    return SimpleNamespace(turns=turns, enforced=enforced, go_on=lambda: None)


def an_error(**fields: Any) -> Exception:
    error = Exception("it says this")
    for name, value in fields.items():
        setattr(error, name, value)
    return error


def test_the_status_is_read_from_either_sdk():
    assert failures.status_of(an_error(status_code=400, code="a_text")) == 400
    assert failures.status_of(an_error(code=429)) == 429
    assert failures.status_of(an_error(code="a_text")) is None


def test_a_reply_that_cannot_be_read_is_asked_for_once_more():
    found = failures.explained(an_error(), a_run(1), 5.0)
    assert isinstance(found, Passing)
    assert (str(found), found.attempts) == ("The server's reply could not be read (Exception: it says this).", 2)
    assert "(Exception)" in str(failures.explained(Exception(), a_run(1), 5.0))


def test_nobody_at_the_address_is_final_at_first_and_passes_once_it_has_answered():
    import httpx2

    request = httpx2.Request("GET", "http://127.0.0.1:9/v1?key=secret")
    for error in (httpx2.ConnectError("no", request=request), httpx2.ConnectTimeout("no", request=request)):
        first, later = (failures.explained(error, a_run(turns), 5.0) for turns in (1, 2))
        assert (type(first), type(later)) == (ProviderError, Passing)
        assert "http://127.0.0.1:9." in str(first)
        assert "secret" not in str(first)


def test_a_server_elsewhere_that_is_not_reached_is_not_told_to_be_started():
    import httpx2

    request = httpx2.Request("POST", "https://generativelanguage.googleapis.com/v1beta")
    told = str(failures.explained(httpx2.ConnectError("no", request=request), a_run(1), 5.0))
    assert "Nothing answers at https://generativelanguage.googleapis.com. Is this machine online" in told


def test_silence_and_a_lost_connection_are_told_apart_also_within_another_error():
    import httpx2

    silent = failures.explained(httpx2.ReadTimeout("no"), a_run(1), 5.0)
    assert isinstance(silent, Passing)
    assert ("5 s" in str(silent), silent.attempts) == (True, 2)
    outer = an_error()
    outer.__cause__ = httpx2.ReadError("no")
    lost = failures.explained(outer, a_run(1), 5.0)
    assert isinstance(lost, Passing)
    assert "broke (ReadError)" in str(lost)
    assert (lost.attempts, lost.advice) == (4, failures.SERVER_FAILED[1])


@pytest.mark.parametrize(
    ("status", "again"), [(400, True), (499, True), (301, False), (399, False), (500, False), (501, False)]
)
def test_what_was_enforced_is_left_out_where_a_server_may_not_know_it(status: int, again: bool):
    run = a_run(2, "a call")
    found = failures.explained(an_error(status_code=status, body={"message": "Unknown field."}), run, 5.0)
    assert (run.enforced == "") is again
    if again:
        assert isinstance(found, Passing)
        assert (found.wait, found.attempts) == (0.0, 2)
    for text in ("context size exceeded", "model crashed"):
        run = a_run(2, "a call")
        failures.explained(an_error(status_code=400, body={"message": text}), run, 5.0)
        assert run.enforced == "a call"
