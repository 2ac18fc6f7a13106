"""Lesson 10: programs that misbehave, programs that behave, and the walls of this system."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

TIMEOUT = 1.5  # seconds, for a program that ends by itself
SLACK = 1.0  # seconds that ending everything may take
KEPT = 10_000  # characters
NOTE = 300  # characters that a note may add
PROGRAMS = {
    "gr\u00fc\u00dfe.py": 'print("{hello}")\n',
    "broken.py": 'print("before")\nraise ValueError("{reason}")\n',
    "bytes.py": 'import sys\nsys.stdout.buffer.write(b"caf\\xff and so on")\n',
    "leaves.py": 'import sys\nprint("I leave")\nsys.exit({code})\n',
    "patient.py": 'import time\ntime.sleep({nap})\nprint("done after all")\n',
    "asks.py": 'try:\n    print("it read", repr(input()))\nexcept EOFError:\n    print("no input here")\n',
    "loop.py": 'print("I begin", flush=True)\nwhile True:\n    pass\n',
    "parent.py": (
        "import pathlib, subprocess, sys, time\n"
        'child = str(pathlib.Path(__file__).with_name("child.py"))\n'
        'subprocess.Popen([sys.executable, child, "parent"])\n'
        "time.sleep(60)\n"
    ),
    "leaver.py": (  # its child writes nowhere: an end of the output is no end of the child
        "import pathlib, subprocess, sys, time\n"
        'child = str(pathlib.Path(__file__).with_name("child.py"))\n'
        "nowhere = dict.fromkeys(('stdin', 'stdout', 'stderr'), subprocess.DEVNULL)\n"
        'subprocess.Popen([sys.executable, child, "leaver"], **nowhere)\n'
        'beat = pathlib.Path(__file__).with_name("beat of leaver")\n'
        "while not beat.exists():\n"
        "    time.sleep(0.01)\n"
        'print("I leave it behind")\n'
    ),
    "child.py": (
        "import pathlib, sys, time\n"
        'beat = pathlib.Path(__file__).with_name(f"beat of {sys.argv[1]}")\n'
        "for _ in range(120):\n"
        '    beat.open("a").write("x")\n'
        "    time.sleep(0.02)\n"
    ),
    "stubborn.py": (
        "import pathlib, signal, time\n"
        "for each in (signal.SIGINT, signal.SIGTERM):\n"
        "    signal.signal(each, signal.SIG_IGN)\n"
        'print("I stay", flush=True)\n'
        'pathlib.Path(__file__).with_name("it stays").touch()\n'
        "time.sleep(4)\n"
    ),
    "killed.py": 'import os, signal\nprint("so far", flush=True)\nos.kill(os.getpid(), signal.SIGKILL)\n',
    "loud.py": 'import sys\nprint("first line")\nprint("x" * {size})\nprint("last line")\nsys.exit({code})\n',
    "spy.py": 'import os\nprint("environment:", dict(os.environ))\n',
    "escape.py": (
        "import socket, sys\n"
        "try:\n"
        "    open({target}).close()\n"
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
CAN_END_OTHERS = """
import os, signal, subprocess, sys
result = False
try:
    process = subprocess.Popen([sys.executable, "-S", "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True)
    try:
        os.killpg(process.pid, signal.SIGKILL)
        result = True
    except (OSError, AttributeError):
        process.stdin.close()
    process.wait()
except OSError:
    pass
"""
ENDINGS = (
    "an endless loop",
    "a program that will not end when it is asked to",
    "a program that a signal ends",
    "a child of the program that lives on",
    "a child that is left running by a program that ended by itself",
)
STARTS_PROGRAMS = True
SECONDS = 12.0  # a dozen programs are started


def prepare(work: Path) -> None:
    """The one program that needs to know what lies outside the sandbox; the others are written by the check."""
    target = repr(str(Path(__file__).resolve().parents[2] / "main.py"))
    (work / "escape.py").write_text(PROGRAMS["escape.py"].replace("{target}", target))


def check(lesson: Any) -> None:
    fresh = lesson.fresh
    drawn = {"hello": fresh.sentence(), "reason": fresh.sentence(), "code": str(fresh.randint(2, 99))}
    drawn["nap"] = str(round(fresh.uniform(1.05, 1.4), 2))
    drawn["size"] = str(fresh.randint(5_000_000, 10_000_000))
    for name, text in PROGRAMS.items():
        for word, value in drawn.items():
            text = text.replace(f"{{{word}}}", value)
        if name != "escape.py":
            (lesson.work / name).write_text(text, encoding="utf-8")

    def play(name: str, timeout: float = TIMEOUT) -> Any:
        text = lesson.call(
            "run_python", str(lesson.work / name), timeout, shown=f'run_python("{name}", timeout={timeout:.2g})'
        )
        lesson.expect(isinstance(text, str), "text")
        return text

    rows: list[str] = []
    ends_others = lesson.run(CAN_END_OTHERS)
    if not ends_others:  # or whoever ends a group that is empty would fail for it here
        lesson.run("import os\nos.killpg = lambda group, number: None")
    with lesson.case("a program that behaves", "it is what the model wanted to see"):
        text = play("gr\u00fc\u00dfe.py")
        lesson.expect(drawn["hello"] in text, f"what it printed: {drawn['hello']}")
        lesson.expect("exited with code" not in text, "no word of a code where it is 0", "0 means: all is well")
    with lesson.case("a program that takes its time is left to finish"):
        why = "the limit is the caller's to choose: tests may take minutes"
        wanted = f"what it printed after {drawn['nap']} s: done after all"
        lesson.expect("done after all" in play("patient.py", 4.0), wanted, why)
    with lesson.case("a program that fails: its error and its exit code", "the traceback is what the model needs most"):
        text = play("broken.py")
        lesson.expect(
            "before" in text and f"ValueError: {drawn['reason']}" in text,
            f"what it printed, errors included: 'before' and 'ValueError: {drawn['reason']}'",
            "the traceback is what the model needs most",
        )
        lesson.expect("exited with code 1" in text, "Process exited with code 1")
        code = f"exited with code {drawn['code']}"
        lesson.expect(code in play("leaves.py"), f"Process {code}", "programs tell each other by it what went wrong")
    with lesson.case("a secret in the environment", "what a program prints goes to the model"):
        secrets = dict(zip(("API_KEY", "DATABASE_URL", fresh.word().upper()), fresh.words(3), strict=True))
        lesson.run("import os\nos.environ.update(secrets)", secrets=secrets)
        text = play("spy.py")
        seen = ", ".join(name for name, secret in secrets.items() if secret in text)
        lesson.expect(
            not seen,
            f"an environment without the secret that lies in {seen}",
            "what the program prints goes to the model, and with it over the network: no name tells what is a secret",
        )
        rows.append("spy.py      env={}                 the key is not there")
    with lesson.case("a program that asks for input", "nobody sits there to answer"):
        lesson.expect(
            "no input here" in asked(lesson, play),
            "what it prints when there is no input: 'no input here'. stdin=subprocess.DEVNULL gives it none",
            "else it waits for a person, who is not there, until the time is up; or it reads what the person types to you",
        )
        rows.append("asks.py     stdin=DEVNULL          it waits for nobody")
    with lesson.case("millions of characters of output", "it would be sent again on every turn"):
        text, most = play("loud.py"), lesson.real("KEEPS", KEPT) + NOTE
        lesson.expect(
            len(text) <= most and ("first line" in text or "last line" in text),
            "10,000 characters of it at most: its beginning or its end",
            "it would fill the conversation, and be sent again on every turn",
            got=f"{len(text):,} characters",
        )
        lesson.expect(
            f"exited with code {drawn['code']}" in text,
            f"and what you add is not cut off: Process exited with code {drawn['code']}",
            "the model would take it for a program that worked",
            got=f"a text that ends with {text[-60:]!r}",
        )
        rows.append(f"loud.py     output[:MOST]          {len(text):,} characters kept of {int(drawn['size']):,}")
    if not ends_others:
        for name in ENDINGS:
            lesson.skip(name, "the sandbox of this system lets no program end another")
    else:
        ending(lesson, play, rows)
    with lesson.case("a program that prints what is no text", "any program may do that", "the rest of what it printed"):
        lesson.expect("and so on" in play("bytes.py"), "the rest of what it printed: and so on")
    walls(lesson, play("escape.py"), rows)
    lesson.picture.append("\n".join(["Each program, and what holds it:", *rows]))


def asked(lesson: Any, play: Callable[[str], str]) -> str:
    """Play with an input that never says anything and never ends, as a terminal does where nobody types."""
    lesson.run("import os\npipe, kept = os.pipe(), os.dup(0)\nos.dup2(pipe[0], 0)\nos.silent = (kept, *pipe)")
    try:
        return play("asks.py")
    finally:
        lesson.run("import os\nos.dup2(os.silent[0], 0)\nfor each in os.silent:\n    os.close(each)")


def ending(lesson: Any, play: Any, rows: list[str]) -> None:
    leader = "os.killpg ends the group that the process leads; start_new_session=True makes it lead one"
    short = round(lesson.fresh.uniform(0.2, 0.35), 2)
    with lesson.case(ENDINGS[0], leader, f"an end after {short} s"):
        began = time.monotonic()
        text = play("loop.py", short)
        took = time.monotonic() - began
        lesson.expect(
            short <= took < short + SLACK, f"an end after {short} s", "the agent would hang", f"it took {took:.1f} s"
        )
        said = any(word in text.lower() for word in ("stopped", "timeout", "timed out", "time"))
        lesson.expect(
            said, "a text that says that it was stopped", "or the model takes it for a program without output"
        )
        rows.append(f"loop.py     timeout                ended after {took:.1f} s")
    with lesson.case(ENDINGS[1], "SIGTERM and SIGINT ask a program to end, and it may refuse; SIGKILL does not ask"):
        for patience in (0.4, 1.2, 3.0):  # a busy machine may not even have begun with it
            began = time.monotonic()
            text = play("stubborn.py", patience)
            took = time.monotonic() - began
            wanted = f"an end after {patience} s, with signal.SIGKILL"
            lesson.expect(took < patience + SLACK, wanted, got=f"it took {took:.1f} s")
            if (lesson.work / "it stays").exists():
                break
        wanted = "what it printed until then: I stay"
        lesson.expect("I stay" in text, wanted, "it tells how far the program came before it had to be stopped")
    with lesson.case(ENDINGS[2], "a program without memory ends like that, and the model takes it for one that worked"):
        text = play("killed.py")
        lesson.expect("so far" in text, "what it printed until then: so far")
        said = "exited with code -9" in text or "signal" in text.lower()
        lesson.expect(said, "Process exited with code -9: below 0 it is the number of a signal")
    with lesson.case(ENDINGS[3], "nobody knows of it, and it works on"):
        for limit in (0.6, 1.2, 3.0):  # as above
            began = time.monotonic()
            play("parent.py", limit)
            took = time.monotonic() - began
            alive = beats(lesson.work / "beat of parent")
            if (lesson.work / "beat of parent").exists() or took >= limit + SLACK:
                break
        lesson.expect(
            took < limit + SLACK and not alive,
            "the program and every child of it ended: a child of the program is in its group",
            "timeout= ends one process; what it has started goes on, and holds the output open",
            got="its child is still running" if alive else f"run_python came back only after {took:.1f} s",
        )
        rows.append(f"parent.py   killpg                 its child has ended, too, after {took:.1f} s")
    with lesson.case(ENDINGS[4], "nobody knows of it, and it works on"):
        text = play("leaver.py", 5.0)
        lesson.expect("I leave it behind" in text, "what it printed: I leave it behind", "it ended by itself")
        lesson.expect(
            not beats(lesson.work / "beat of leaver"),
            "every child of it ended, also where the program itself came to its end in time",
            "its group is still there as long as one of it runs: end it in every case",
            got="its child is still running",
        )
        rows.append("leaver.py   killpg                 what it left behind has ended, too")


def beats(file: Path) -> bool:
    """Whether the child that writes into this file is still at work."""
    size = file.stat().st_size if file.exists() else 0
    time.sleep(0.15)
    return file.exists() and file.stat().st_size > size


def walls(lesson: Any, text: str, rows: list[str]) -> None:
    """What no Python function can do: it tells of the machine, and never fails the learner."""
    for what, open_word in (("file", "read"), ("network", "open")):
        title = f"this machine, whatever you wrote: {'no file outside is read' if what == 'file' else 'no network'}"
        if f"{what}: refused" in text:
            with lesson.case(title):
                rows.append(f"escape.py   the system's wall      {what}: refused")
        else:
            lesson.skip(title, "this system has no wall for it that the sandbox could use")
            rows.append(f"escape.py   no wall here           {what}: {open_word}")
