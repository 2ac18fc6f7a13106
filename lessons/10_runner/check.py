"""Lesson 10: four programs that misbehave, one that behaves, and the walls of this system."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

SECRET = "sk-do-not-tell-4711"
TIMEOUT = 0.6
SLACK = 1.0  # seconds that ending everything may take
PROGRAMS = {
    "hello.py": 'print("3 + 5 = 8")\n',
    "broken.py": 'print("before")\nraise ValueError("line 2 is broken")\n',
    "loop.py": 'print("I begin", flush=True)\nwhile True:\n    pass\n',
    "parent.py": (
        "import pathlib, subprocess, sys, time\n"
        'child = str(pathlib.Path(__file__).with_name("child.py"))\n'
        "subprocess.Popen([sys.executable, child])\n"
        "time.sleep(60)\n"
    ),
    "child.py": (
        "import pathlib, time\n"
        'beat = pathlib.Path(__file__).with_name("beat")\n'
        "for _ in range(120):\n"
        '    beat.open("a").write("x")\n'
        "    time.sleep(0.02)\n"
    ),
    "loud.py": 'print("first line")\nprint("x" * 10_000_000)\n',
    "spy.py": 'import os\nprint("environment:", dict(os.environ))\n',
    "escape.py": (
        "import socket, sys\n"
        "try:\n"
        "    open(sys.argv[1] if sys.argv[1:] else {target!r}).close()\n"
        '    print("file: read")\n'
        "except OSError as error:\n"
        '    print("file: refused")\n'
        "try:\n"
        "    socket.socket().close()\n"
        '    print("network: open")\n'
        "except OSError as error:\n"
        '    print("network: refused")\n'
    ),
}
STARTS_PROGRAMS = True


def prepare(work: Path) -> None:
    target = str(Path(__file__).resolve().parents[2] / "main.py")
    for name, text in PROGRAMS.items():
        (work / name).write_text(text.replace("{target!r}", repr(target)))


def check(lesson: Any) -> None:
    def play(name: str) -> Any:
        text = lesson.call(
            "run_python", str(lesson.work / name), TIMEOUT, shown=f'run_python("{name}", timeout={TIMEOUT})'
        )
        lesson.expect(isinstance(text, str), "text")
        return text

    rows = []
    with lesson.case("a program that behaves"):
        lesson.expect("3 + 5 = 8" in play("hello.py"), "what it printed: 3 + 5 = 8")
    with lesson.case("a program that fails: its error and its exit code"):
        text = play("broken.py")
        lesson.expect(
            "before" in text and "ValueError: line 2 is broken" in text,
            "what it printed, errors included: 'before' and 'ValueError: line 2 is broken'",
            "the traceback is what the model needs most",
        )
        lesson.expect("exited with code 1" in text, "Process exited with code 1")
    with lesson.case("a secret in the environment"):
        os.environ["API_KEY"] = SECRET
        lesson.expect(
            SECRET not in play("spy.py"),
            "an environment without the secret that lies in API_KEY",
            "what the program prints goes to the model, and with it over the network",
        )
        rows.append("spy.py      env={}                 the key is not there")
    with lesson.case("10 MB of output"):
        text = play("loud.py")
        lesson.expect(
            len(text) <= 120_000 and "first line" in text,
            "the beginning of it, 10,000 characters at most",
            "it would fill the conversation, and be sent again on every turn",
            got=f"{len(text):,} characters",
        )
        rows.append(f"loud.py     output[:MOST]          {len(text):,} characters kept of 10,000,000")
    if not can_end_others():
        for name in ("an endless loop", "a child of the program that lives on"):
            lesson.skip(name, "the sandbox of this system lets no program end another")
    else:
        ending(lesson, play, rows)
    walls(lesson, play("escape.py"), rows)
    lesson.picture.append("\n".join(["Each program, and what holds it:", *rows]))


def ending(lesson: Any, play: Any, rows: list[str]) -> None:
    leader = "os.killpg ends the group that the process leads; start_new_session=True makes it lead one"
    with lesson.case("an endless loop", leader, f"an end after {TIMEOUT} s"):
        began = time.monotonic()
        text = play("loop.py")
        took = time.monotonic() - began
        lesson.expect(took < TIMEOUT + SLACK, f"an end after {TIMEOUT} s", "the agent would hang", f"{took:.1f} s")
        said = any(word in text.lower() for word in ("stopped", "timeout", "timed out", "time"))
        lesson.expect(
            said, "a text that says that it was stopped", "or the model takes it for a program without output"
        )
        rows.append(f"loop.py     timeout                ended after {took:.1f} s")
    with lesson.case("a child of the program that lives on"):
        began = time.monotonic()
        play("parent.py")
        took = time.monotonic() - began
        beat = lesson.work / "beat"
        size = beat.stat().st_size if beat.exists() else 0
        time.sleep(0.15)
        alive = beat.exists() and beat.stat().st_size > size
        lesson.expect(
            took < TIMEOUT + SLACK and not alive,
            "the program and every child of it ended: a child of the program is in its group",
            "timeout= ends one process; what it has started goes on, and holds the output open",
            got="its child is still running" if alive else f"run_python came back only after {took:.1f} s",
        )
        rows.append(f"parent.py   killpg                 its child has ended, too, after {took:.1f} s")


def can_end_others() -> bool:
    """Whether a process here may end another one at all."""
    try:
        process = subprocess.Popen(
            [sys.executable, "-S", "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True
        )
    except OSError:
        return False
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (OSError, AttributeError):
        process.stdin.close()  # type: ignore[union-attr]
        process.wait()
        return False
    process.wait()
    return True


def walls(lesson: Any, text: str, rows: list[str]) -> None:
    """What no Python function can do. It never fails the learner."""
    for what, open_word in (("file", "read"), ("network", "open")):
        title = f"the wall: {'a file outside' if what == 'file' else 'the network'}"
        if f"{what}: refused" in text:
            with lesson.case(title):
                rows.append(f"escape.py   the system's wall      {what}: refused")
        else:
            lesson.skip(title, "this system has no wall for it that the sandbox could use")
            rows.append(f"escape.py   no wall here           {what}: {open_word}")
