"""Many programs on several machines that write into one folder and are killed at any moment: what they said is kept is
there, and once."""

from __future__ import annotations

import json
import os
import random
import select
import signal
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from hosts import Host, separated

from bench.notekeeper import words_of
from jobs.notekeeper.notes import split_note

HOSTS, WRITERS = 3, 12
TITLES = 8  # that all share, so that many write into the same note
KILLED = 0.6  # of the messages, at a moment of chance
MOST_TRIES = 100  # of one message: a hang guard
HANG = 60.0  # seconds for one answer: the same


class Writer:
    """A program that is told one message after the other, killed now and then, and started again."""

    def __init__(self, host: Host, number: int) -> None:
        self._host, self._name, self._draw = host, f"person {number}", random.Random(number)
        self._told: socket.socket | None = None
        self._process = -1
        self._seconds = 0.05  # that a message takes
        self.kills = self.unheard = 0  # of the kills those before an answer
        self.refused: list[str] = []

    def tell(self, text: str) -> None:
        """Say it until it is acknowledged, as who hears nothing says it again."""
        for _ in range(MOST_TRIES):
            answer = self._asked(text)
            if answer is True:
                return
            assert answer is None or isinstance(answer, str), answer
            self.refused += [answer] if answer else []
        raise AssertionError(f"never acknowledged: {text}; {self.refused}")

    def _asked(self, text: str) -> object:
        """The answer, None where it was killed before there was one."""
        if self._told is None:
            self._told, self._process = self._host.writer(self._name)
        is_killed, began = self._draw.random() < KILLED, time.monotonic()
        self._told.sendall(json.dumps(text).encode() + b"\n")
        moment = self._draw.random() * 1.3 * self._seconds if is_killed else HANG
        select.select([self._told], [], [], moment)
        if is_killed:
            signal.pidfd_send_signal(self._process, signal.SIGKILL)
            select.select([self._process], [], [], HANG)  # until it has ended
        answer = self._line()
        if is_killed:
            self.kills += 1
            self.unheard += not answer
            self.close()
        else:
            self._seconds += (time.monotonic() - began - self._seconds) / 4
        return json.loads(answer) if answer else None

    def _line(self) -> bytes:
        """A whole line, or nothing: half of one is no answer."""
        data = b""
        while self._told and not data.endswith(b"\n"):
            try:
                piece = self._told.recv(1 << 16)
            except ConnectionResetError:
                return b""
            if not piece:
                return b""
            data += piece
        return data

    def close(self) -> None:
        if self._told:
            self._told.close()
            os.close(self._process)
            self._told = None


def write_all(host: Host, number: int, kills: int) -> tuple[list[str], Writer]:
    """Tell one program messages until it was killed so often; return what each of them says."""
    writer, draw, own = Writer(host, number), random.Random(f"texts {number}"), list[str]()
    with closing(writer):
        while writer.kills < kills:
            own.append(f"{words_of(draw, 12)} sign{number}of{len(own)}end.")
            writer.tell(f"# Topic {draw.randrange(TITLES)}\n\n{own[-1]}")
    return own, writer


@pytest.mark.parametrize(
    ("way", "kills"),
    [
        ("no locks", 24),
        pytest.param("locks", 60, marks=pytest.mark.long),
        pytest.param("no locks", 504, marks=pytest.mark.long),
        pytest.param("sshfs", 96, marks=pytest.mark.long),
    ],
)
def test_writers_on_three_machines_that_are_killed_lose_nothing_that_they_acknowledged_and_write_nothing_twice(
    tmp_path: Path, way: str, kills: int
):
    command = separated(way)
    if command is None:
        pytest.skip(f"no machines with {way} can be imitated here")
    shared = tmp_path / "shared"
    shared.mkdir()
    with ExitStack() as stack, ThreadPoolExecutor(WRITERS) as threads:
        hosts = [stack.enter_context(closing(Host(command, tmp_path / f"host{n}", shared, way))) for n in range(HOSTS)]
        each = [(hosts[number % HOSTS], number, kills // WRITERS) for number in range(WRITERS)]
        done = list(threads.map(write_all, *zip(*each, strict=True)))
    texts = [path.read_text(encoding="utf-8") for path in shared.rglob("*.md")]
    kept = "\n".join(texts)
    counted = {text: kept.count(text) for own, _ in done for text in own}
    writers = [writer for _, writer in done]
    killed, unheard = sum(writer.kills for writer in writers), sum(writer.unheard for writer in writers)
    refused = [each for writer in writers for each in writer.refused]
    left = [path.name for path in shared.rglob(".*")]
    print(f"{len(counted)} messages in {len(texts)} notes, {killed} kills, {unheard} of them before an answer")
    print(f"{len(refused)} refused: {sorted(set(refused))[:3]}; left behind: {left}")
    assert {text: count for text, count in counted.items() if count != 1} == {}
    assert all(split_note(text)[0]["title"] in split_note(text)[1] and text.endswith("\n") for text in texts)
    assert killed >= kills
    assert unheard > kills // 10
