"""Many programs that write into one folder and are killed at any moment: what they said is kept is there, and once."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bench.notekeeper import words_of
from config import PROJECT

WRITERS = 12
MESSAGES = 10  # of each
TITLES = 8  # that all share, so that many write into the same note
KILLED = 0.5  # of the messages, at a moment of chance
MOMENTS = 0.2  # seconds after a message in which it falls
MOST_TRIES = 100  # of one message: a hang guard
WRITER = """
import sys
from pathlib import Path
from index import meaning
from jobs.notekeeper.knowledge_base import KnowledgeBase
from jobs.notekeeper.tools.save_note import save_note
from sandbox.files.root import Root

meaning.available = lambda: False  # a program without the embeddings starts quicker, and there are many
notes, index = map(Path, sys.argv[1:])
with Root(notes) as root:
    kb = KnowledgeBase(root, index)
    print("at work", flush=True)
    for line in sys.stdin:
        print(save_note(kb, *line.rstrip().split("|"), "shared"), flush=True)
"""


class Writer:
    """A program that is told one message after the other, killed now and then, and started again."""

    def __init__(self, place: Path, number: int) -> None:
        self.command = [sys.executable, "-c", WRITER, str(place / "notes"), str(place / "index")]
        self.draw = random.Random(number)
        self.process: subprocess.Popen[str] | None = None
        self.kills = self.unheard = 0  # of the kills those before an answer
        self.refused: list[str] = []

    def tell(self, message: str) -> None:
        """Say it until it is acknowledged, as who hears nothing says it again."""
        for _ in range(MOST_TRIES):
            answer = self.asked(message)
            if answer.startswith(("Created ", "Extended ", '"')):
                return
            if answer:
                self.refused.append(answer)
        raise AssertionError(f"never acknowledged: {message}; {self.refused}")

    def asked(self, message: str) -> str:
        """The answer, "" where it was killed before there was one."""
        process = self.process = self.process or self.started()
        assert process.stdin
        assert process.stdout
        process.stdin.write(f"{message}\n")
        process.stdin.flush()
        is_killed = self.draw.random() < KILLED
        fuse = threading.Timer(self.draw.random() * MOMENTS, process.kill)
        if is_killed:
            fuse.start()
        answer = process.stdout.readline()
        if is_killed:
            fuse.join()
            self.close()
            self.kills += 1
            self.unheard += not answer
        return answer

    def started(self) -> subprocess.Popen[str]:
        environment, pipe = {**os.environ, "PYTHONPATH": str(PROJECT)}, subprocess.PIPE
        process = subprocess.Popen(self.command, env=environment, stdin=pipe, stdout=pipe, text=True, encoding="utf-8")
        assert process.stdout
        assert process.stdout.readline() == "at work\n"
        return process

    def close(self) -> None:
        process, self.process = self.process, None
        if process and process.stdin and process.stdout:
            process.stdin.close()
            process.wait()
            process.stdout.close()


def write_all(place: Path, number: int, messages: int) -> tuple[list[str], Writer]:
    """Tell one program its messages; return what each alone says."""
    writer, draw, own = Writer(place, number), random.Random(f"texts {number}"), list[str]()
    try:
        for at in range(messages):
            own.append(f"sign{number}of{at}end")
            writer.tell(f"Topic {draw.randrange(TITLES)}|{words_of(draw, 12)} {own[-1]}.")
    finally:
        writer.close()
    return own, writer


@pytest.mark.long
def test_twelve_writers_that_are_killed_lose_nothing_that_they_acknowledged_and_write_nothing_twice(tmp_path: Path):
    (tmp_path / "notes").mkdir()
    with ThreadPoolExecutor(WRITERS) as threads:
        done = list(threads.map(lambda number: write_all(tmp_path, number, MESSAGES), range(WRITERS)))
    kept = "\n".join(path.read_text(encoding="utf-8") for path in (tmp_path / "notes").rglob("*.md"))
    counted = {sign: kept.count(sign) for own, _ in done for sign in own}
    kills, unheard = (sum(getattr(writer, name) for _, writer in done) for name in ("kills", "unheard"))
    refused = [each for _, writer in done for each in writer.refused]
    print(f"{len(counted)} messages, {kills} kills, {unheard} of them before an answer; refused: {refused}")
    assert {sign: count for sign, count in counted.items() if count != 1} == {}
    assert kills > 0
