"""Whatever an MCP server does, a call ends in one answer, the run goes on, and nothing is left running."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from reach.mcp_server import McpServer, ServerError, Surroundings
from reach.mcp_settings import ServerSettings
from reach.mcp_shapes import wrong_shape

PROGRAM = Path(__file__).with_name("hostile_mcp_server.py")
CALL_SECONDS, CONNECT_SECONDS = 2.0, 8.0  # where none is to come
HANG_SECONDS = 40.0  # a guard alone: what is asserted is that an answer comes, and what it says

# What the person is told when the server cannot be used at all.
AT_THE_START = {
    "silent at the start": "did not answer within",
    "garbage at the start": "cannot be used",
    "dies at the start": "cannot be used",
    "a version that nobody knows": "cannot be used",
    "a list that fails": "database is locked",
    "a list that never comes": "did not answer within",
    "a list without schemas": "cannot be used",
    "a list of 50 MB": "cannot be used",
}
# What the call's answer says, and whether it went well.
IN_A_CALL = {
    "a list that never ends": ("done", True),
    "a list that goes round": ("done", True),
    "schemas that no wire takes": ("done", True),
    "two tools of one name": ("done", True),
    "a thousand tools": ("done", True),
    "no answer": ("no answer within 2 seconds", False),
    "dies in a call": ("act", False),
    "half an answer, and gone": ("act", False),
    "answers twice": ("done", True),
    "answers another call": ("no answer within 2 seconds", False),
    "prints between its messages": ("done", True),
    "garbage for an answer": ("no answer within 2 seconds", False),
    "a result of 50 MB": ("act", False),
    "an answer that never ends": ("act", False),
    "a result of another shape": ("answered with an error", False),
    "a block of an unknown kind": ("[holo\\x1bgram: left out, a kind of content that is not known here]\ndone", True),
    "half of an emoji": ("a half \ufffd, a whole \N{GRINNING FACE}, what is no escape \\ud83d", True),
    "an error of a megabyte": ("answered with an error", False),
    "a result that breaks its own schema": ('"n": "many"', True),
    "no structured result where one was promised": ("none", True),
    "an output schema that hangs its reader": ("aaaa!", True),
    "asks for a model": ("done", True),
    "asks the person": ("done", True),
    "asks for the folders": ("done", True),
    "floods with progress": ("done", True),
    "ten megabytes of complaints": ("done", True),
    "changes its list": ("done", True),
    "a child that stays": ("done", True),
    "does not end": ("done", True),
    "brackets 100,000 deep": ("no answer within 2 seconds", False),
    "a character that is none": ("no answer within 2 seconds", False),
}
# Where HTTP differs: an answer belongs to the request that it comes back on, and an event that is no message ends it.
OVER_HTTP = {
    "answers another call": ("done", True),
    **dict.fromkeys(("prints between its messages", "garbage for an answer"), ("answered with an error", False)),
    **dict.fromkeys(("brackets 100,000 deep", "a character that is none"), ("answered with an error", False)),
}
TRANSPORTS = ["stdio", pytest.param("http", marks=pytest.mark.long)]
SLOW = {
    "a list that never comes",
    "an answer that never ends",
    "answers another call",
    "brackets 100,000 deep",
    "a character that is none",
    "garbage for an answer",
    "does not end",
    "floods with progress",
    "a child that stays",
    "silent at the start",
    "garbage at the start",
}


@contextmanager
def hostile(fault: str, transport: str) -> Iterator[tuple[ServerSettings, list[int]]]:
    """Yield the settings of the misbehaving server and the process groups that it may leave behind."""
    command = [sys.executable, str(PROGRAM), fault]
    if transport == "stdio":
        yield ServerSettings("hostile", command=command[0], args=tuple(command[1:])), []
        return
    with subprocess.Popen(
        [*command, "--http"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
    ) as process:
        try:
            yield ServerSettings("hostile", url=process.stdout.readline().decode().strip()), []
        finally:
            os.killpg(process.pid, 9)


def surroundings(told: list[str] | None = None, **seconds: float) -> Surroundings:
    lines = told if told is not None else []
    patient = {"call_seconds": HANG_SECONDS / 2, "connect_seconds": HANG_SECONDS / 2}
    return Surroundings({"PATH": os.defpath}, threading.Event(), lines.append, **{**patient, **seconds})


def running_in(group: int) -> list[str]:
    """The processes of a group that run; one that has ended and that nobody has reaped yet does not."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, _, its_group = path.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[:3]
            if int(its_group) == group and state != "Z":
                found.append(path.parent.name)
    return found


def marked(faults: dict[str, object]) -> list[object]:
    return [
        pytest.param(fault, marks=pytest.mark.long if fault in SLOW or "50 MB" in fault else ()) for fault in faults
    ]


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="processes cannot be looked at here")
def test_what_a_server_started_in_a_session_of_its_own_ends_with_it() -> None:
    settings = ServerSettings(
        "hostile", command=sys.executable, args=(str(PROGRAM), "a grandchild in a session of its own")
    )
    server = McpServer(settings, surroundings())
    try:
        name = server.call(server.tools[0], {}).text
        assert running_as(name)
    finally:
        server.close()
    assert running_as(name) == []


def running_as(words: str) -> list[str]:
    """The processes that have these words on their command line."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if words.encode() in path.read_bytes():
                found.append(path.parent.name)
    return found


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("fault", marked(AT_THE_START))
def test_a_server_that_cannot_be_used_is_one_sentence_and_leaves_nothing_running(
    fault: str, transport: str, capfd: pytest.CaptureFixture[str]
):
    began = time.monotonic()
    threads = threading.active_count()
    with hostile(fault, transport) as (settings, _), pytest.raises(ServerError) as raised:
        McpServer(settings, surroundings(connect_seconds=CONNECT_SECONDS))
    assert AT_THE_START[fault] in str(raised.value)
    assert "\n" not in str(raised.value)
    assert time.monotonic() - began < HANG_SECONDS
    assert "Traceback" not in capfd.readouterr().err
    assert threading.active_count() <= threads + (transport == "http")


@pytest.mark.long
@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("fault", marked(IN_A_CALL))
def test_a_fault_in_a_call_is_one_answer_and_leaves_nothing_running(
    fault: str, transport: str, capfd: pytest.CaptureFixture[str]
):
    began = time.monotonic()
    fragment, ok = OVER_HTTP.get(fault, IN_A_CALL[fault]) if transport == "http" else IN_A_CALL[fault]
    with hostile(fault, transport) as (settings, _):
        server = McpServer(settings, surroundings(**{} if ok else {"call_seconds": CALL_SECONDS}))
        try:
            answer = server.call(server.tools[0], {"n": 1})
            again = server.call(server.tools[0], {"n": 2}) if answer.ok else None
        finally:
            server.close()
        assert answer.ok is ok, answer
        assert fragment in answer.text
        assert len(answer.text) < 2_000
        assert "\x1b" not in answer.text
        assert again is None or again.ok
        assert time.monotonic() - began < HANG_SECONDS
        assert "Traceback" not in capfd.readouterr().err
        if transport == "stdio":
            deadline = time.monotonic() + 5  # a killed process needs a moment
            while running_in(server.session.group) and time.monotonic() < deadline:
                time.sleep(0.02)
            assert running_in(server.session.group) == []


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        ("a result that is a list", 'its "result" is a list and no object'),
        ("no result", 'it has neither a "result" nor an "error"'),
        ("a list for an id", 'its "id" is a list'),
        ("an error that is a text", 'its "error" is a text and no object'),
        ("a list of answers", "its messages in a list"),
        ("an error for no request", "an error for no request: Parse error"),
    ],
)
def test_an_answer_of_the_wrong_shape_ends_its_call_at_once_and_says_what_is_wrong(fault: str, why: str):
    with hostile(fault, "stdio") as (settings, _):
        server = McpServer(settings, surroundings())
        try:
            answer = server.call(server.tools[0], {"n": 1})
        finally:
            server.close()
    assert answer.ok is False
    assert f"act gave no answer: the server hostile failed, it sent {why}" in answer.text.replace(
        "a message of the wrong shape: ", ""
    )


def test_an_answer_of_the_wrong_shape_at_the_start_is_told_as_that_and_not_waited_for():
    with (
        hostile("an answer without a result at the start", "stdio") as (settings, _),
        pytest.raises(ServerError) as told,
    ):
        McpServer(settings, surroundings())
    assert 'cannot be used: it sent a message of the wrong shape: it has neither a "result"' in str(told.value)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b'{"jsonrpc": "1.0", "id": 1, "result": {}}', 'it does not say "jsonrpc": "2.0"'),
        (b'{"jsonrpc": "2.0", "result": {}}', 'its "id" is missing or null'),
        (b'{"jsonrpc": "2.0", "id": true, "result": {}}', 'its "id" is true or false'),
        (b'{"jsonrpc": "2.0", "id": 1, "result": 7}', 'its "result" is a number'),
        (b'{"jsonrpc": "2.0", "id": 1, "error": {"code": "x"}}', 'its "error" lacks'),
        (b'{"jsonrpc": "2.0", "id": 1, "result": {"a": 1}}', 'its "result" cannot be read'),
        *((stray, "") for stray in (b"7", b"[]", b"[1]", b"null", b'"x"', b'{"a": 1}', b"{", b"\xff")),
        (b'{"jsonrpc": "2.0", "method": 7}', ""),
    ],
)
def test_what_is_wrong_with_a_message_is_told_and_a_stray_print_is_none(line: bytes, why: str):
    found = wrong_shape(line)
    assert (found is not None) == bool(why)
    assert why in str(found)


def test_a_program_that_is_not_there_and_an_address_where_nobody_listens_are_one_sentence_each():
    with pytest.raises(ServerError, match="there is no program 'no-such-program'"):
        McpServer(ServerSettings("gone", command="no-such-program"), surroundings())
    with pytest.raises(ServerError, match="cannot be used"):
        McpServer(ServerSettings("gone", url="http://127.0.0.1:9/mcp"), surroundings())


def test_at_least_25_faults_are_tried_on_each_transport():
    assert len(AT_THE_START) + len(IN_A_CALL) >= 25


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_what_cannot_be_offered_is_left_out_by_name_and_the_rest_works(transport: str):
    with hostile("schemas that no wire takes", transport) as (settings, _):
        server = McpServer(settings, surroundings())
        server.close()
    names = [tool.name for tool in server.tools]
    assert names[:3] == ["hostile__act", "hostile__nowhere", "hostile__circle"]
    assert all(len(name) <= 64 and name.isascii() for name in names)
    assert len(names) == 4
    assert [line.split("'")[1] for line in server.left_out] == ["large"]


@pytest.mark.parametrize(("fault", "seen"), [("a list that never ends", 100), ("a list that goes round", 2)])
def test_a_list_without_an_end_is_read_for_so_many_pages_and_what_was_left_out_is_said(fault: str, seen: int):
    with hostile(fault, "stdio") as (settings, _):
        server = McpServer(settings, surroundings())
        server.close()
    assert [tool.remote for tool in server.tools] == ["act"]
    repeated = [line for line in server.left_out if "listed twice" in line]
    assert len(repeated) == seen - 1
    cut_off = [line for line in server.left_out if "had not ended after 100 pages" in line]
    assert len(cut_off) == (fault == "a list that never ends")


def test_a_list_that_changed_in_a_call_is_in_force_when_the_call_returns():
    with hostile("changes its list", "stdio") as (settings, _):
        server = McpServer(settings, surroundings())
        changes: list[int] = []
        server.follow(lambda: changes.append(len(server.tools)))
        assert server.call(server.tools[0], {}).ok
        server.close()
    assert changes == [2]
    assert [tool.remote for tool in server.tools] == ["act", "new"]


def test_a_call_ends_at_once_when_the_run_is_interrupted():
    around = surroundings()
    with hostile("no answer", "stdio") as (settings, _):
        server = McpServer(settings, around)
        threading.Timer(0.3, around.cancelled.set).start()
        began = time.monotonic()
        answer = server.call(server.tools[0], {})
        assert time.monotonic() - began < HANG_SECONDS
        assert answer == ("act was interrupted", False)
        server.close()


@pytest.mark.long
def test_progress_is_told_in_few_lines_without_what_moves_the_cursor():
    told: list[str] = []
    with hostile("floods with progress", "stdio") as (settings, _):
        server = McpServer(settings, surroundings(told))
        assert server.call(server.tools[0], {}).ok
        server.close()
    assert 1 <= len(told) < 100
    assert told[0].startswith("hostile act: ")
    assert "\x1b" not in "".join(told)


def test_a_server_gets_no_secret_of_ours_and_what_it_was_given_stands_in_no_answer(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("GEMINI_API_KEY", "key-of-the-person")
    with hostile("tells its environment", "stdio") as (settings, _):
        server = McpServer(settings, surroundings())
        assert "key-of-the-person" not in server.call(server.tools[0], {}).text
        server.close()
    given = {"TOKEN": "ghp_1234567890"}
    with hostile("tells a secret", "stdio") as (settings, _):
        named = ServerSettings(
            settings.name, settings.command, settings.args, env=given, secrets={"TOKEN": given["TOKEN"]}
        )
        server = McpServer(named, surroundings())
        assert server.call(server.tools[0], {}).text == "token=${TOKEN}"
        server.close()
