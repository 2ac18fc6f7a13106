"""Answers that do not answer: each of them passed once, or is the next thing to try. The judge stands outside."""

from __future__ import annotations

import contextlib
import json
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from config import PROJECT
from lessons import words
from lessons.__main__ import main
from lessons.checker import Verdict, run_check
from lessons.course import LESSONS, all_lessons
from sandbox.running.levels import level

COURSE = all_lessons()
FIRST = COURSE[0]
ALL_GOOD = {"cases": [{"title": "all", "state": "ok"}], "picture": [], "recording": None, "broken": "", "used": []}
FORGED_FILE = f"""
import os, pathlib
for folder in (".", "..", "work", "parts", "/tmp"):
    for name in ("verdict.json", "verdict.draft", "answered"):
        try:
            pathlib.Path(folder, name).write_text({json.dumps(ALL_GOOD)!r})
        except OSError:
            pass
os._exit(0)
"""
FORGED_TALK = """
import json, os
with open("answered", "ab", buffering=0) as pipe:
    for number in range(1, 400):
        for said in ({}, {"value": True}, {"passed": True, "cases": [], "state": "ok"}):
            pipe.write(json.dumps({"id": number, **said}).encode() + b"\\n")
os._exit(0)
"""
GARBAGE = """
import os
with open("answered", "ab", buffering=0) as pipe:
    for line in (b"", b"[]", b"null", b"[" * 5000, b'{"id": []}', b'{"call": -1}', b'{"call": "x", "given": 1}', b"\\xff"):
        pipe.write(line + b"\\n")
    for number in range(1, 30):
        for value in ('{"$": "dict", "items": 3}', '{"$": "function", "number": 99}', '{"$": []}', '{"$": "set", "items": [[]]}'):
            pipe.write(b'{"id": %d, "raised": 5, "value": %s, "changed": {"a": 1}}\\n' % (number, value.encode()))
"""
PATCHED = """
import builtins, gc, json, sys
for module in list(sys.modules.values()):
    for name, value in list(vars(module).items()):
        if name in ("Check", "Failed", "Case", "Verdict", "Parent"):
            value.expect = value.passed = value.case = lambda *_, **__: True
for each in gc.get_objects():
    if isinstance(each, dict) and "cases" in each:
        each["cases"] = []
main = sys.modules["__main__"]
for name in ("odd", "pack", "unpack"):
    setattr(main, name, lambda value, *_: value)
json.dumps, builtins.all, builtins.isinstance = (lambda *_, **__: "true"), (lambda _: True), (lambda *_: True)
def start(system, task):
    return []
"""
STOLEN = f"""
import os, sys
found = []
for top in ({str(LESSONS)!r}, {str(PROJECT)!r}, os.getcwd(), *filter(os.path.isdir, sys.path[:1])):
    for folder, _, names in os.walk(top):
        for name in names:
            if name in ("solution.py", "check.py", "wrong.diff", "checker.py") or "right" in folder:
                try:
                    found.append(open(os.path.join(folder, name)).read())
                except OSError:
                    pass
for name in ("lessons", "lessons.checker", "config"):
    try:
        found.append(str(__import__(name)))
    except ImportError:
        pass
frame = sys._getframe()
while frame:
    found += [name for name in frame.f_globals if name in ("check", "cases", "solution")]
    frame = frame.f_back
def start(system, task):
    for text in found:
        scope = {{}}
        try:
            exec(text, scope)
        except Exception:
            continue
        if "start" in scope:
            return scope["start"](system, task)
    raise RuntimeError(f"found {{len(found)}}")
"""
PROC = """
import glob, os
found = []
for path in glob.glob("/proc/[0-9]*"):
    if os.path.basename(path) != str(os.getpid()):
        for name in ("mem", "environ", "cmdline", "maps", "fd"):
            try:
                if name == "fd":
                    found += [link for each in os.listdir(f"{path}/fd") if "lessons" in (link := os.readlink(f"{path}/fd/{each}"))]
                else:
                    text = open(f"{path}/{name}", "rb").read(100_000)
                    found += [text] if b"pytest" in text or b"lessons/0" in text else []
            except OSError:
                pass
    for root in ("root", "cwd"):
        try:
            found += os.listdir(f"{path}/{root}/lessons")
        except OSError:
            pass
def start(system, task):
    raise RuntimeError(f"found {len(found)}")
"""
OUTLIVES = """
import os, threading, time
def on_and_on():
    while True:
        try:
            with open("verdict.json", "w") as file:
                file.write("{}")
            with open("answered", "ab", buffering=0) as pipe:
                pipe.write(b'{"id": 3, "value": []}\\n')
        except OSError:
            pass
for _ in range(4):
    threading.Thread(target=on_and_on).start()
def start(system, task):
    return []
"""
FLOODS = """
import json
def start(system, task):
    with open("answered", "ab", buffering=0) as pipe:
        while True:
            pipe.write(b'{"call": 0, "from": 1, "given": [], "named": {}}' + b"\\n")
"""
CHEATS = {
    "forges the verdict's file": FORGED_FILE,
    "forges the talk": FORGED_TALK,
    "talks nonsense": GARBAGE,
    "patches the checker": PATCHED,
    "steals the solution": STOLEN,
    "reads /proc": PROC,
    "outlives the check": OUTLIVES,
    "floods the judge with calls": FLOODS,
    "says that it is the real agent": "LEAVES_OUT_WHAT_WAS_SENT = WRITTEN_BY_HAND = shipped = True\nstart = lambda *_: []\n",
}


def checked(text: str, folder: Path, lesson=FIRST) -> Verdict:
    file = folder / f"{lesson.part}.py"
    file.write_text(text)
    return run_check(lesson, file)


def told(verdict: Verdict) -> str:
    return f"{verdict.problem} {list(verdict.failed)}"


def working_below(folder: Path) -> Iterator[str]:
    """The processes whose working directory lies there, where this system tells."""
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if str(folder) in str((process / "cwd").readlink()):
                yield process.name


@pytest.mark.long
@pytest.mark.parametrize("name", CHEATS)
def test_a_file_that_does_not_answer_does_not_pass(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    began = time.monotonic()
    verdict = checked(CHEATS[name], tmp_path)
    assert not verdict.passed
    assert told(verdict).strip()
    assert time.monotonic() - began < 60
    assert not list(working_below(tmp_path)), "nothing of it goes on"


@pytest.mark.parametrize("name", ["steals the solution", "reads /proc"])
def test_nothing_of_the_course_is_within_reach(name: str, tmp_path: Path):
    if not level().confined:
        pytest.skip(f"nothing holds code in here: {level().line}")
    assert "found 0" in told(checked(CHEATS[name], tmp_path))


@pytest.mark.parametrize("lesson", [COURSE[1], COURSE[7], COURSE[12]], ids=lambda lesson: lesson.key)
def test_no_lesson_is_passed_by_forging(lesson, tmp_path: Path):
    for name in ("forges the verdict's file", "forges the talk"):
        assert not checked(CHEATS[name], tmp_path, lesson).passed


def test_a_verified_report_believes_no_forged_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    folder = tmp_path / "mallory" / "my_agent"
    folder.mkdir(parents=True)
    (folder / "messages.py").write_text(FORGED_FILE)
    records = {FIRST.key: {"passed": "2026-01-01 00:00", "passed_as": ""}}
    (folder / "progress.json").write_text(json.dumps({"version": 1, "lessons": records}))
    assert main(["report", "--verify", "--csv", str(tmp_path / "class.csv"), str(folder)]) == 1
    assert (tmp_path / "class.csv").read_text().split("\n")[1].startswith("mallory,-,")


def test_only_what_a_file_imports_is_lent(tmp_path: Path):
    loop = COURSE[5]
    text = loop.text("solution.py").replace(
        "from messages import start", "import importlib\n\nstart = importlib.import_module('mess' + 'ages').start"
    )
    verdict = checked(text, tmp_path, loop)
    assert not verdict.passed
    assert "No module named 'messages'" in told(verdict)


def test_lent_parts_are_told_also_when_they_are_imported_through_each_other(tmp_path: Path):
    agent = COURSE[13]
    file = tmp_path / "agent.py"
    shutil.copy(agent.folder / "start.py", file)
    verdict = run_check(agent, file, {})
    assert {"menu", "confine", "runner"} <= set(verdict.lent)
    assert words.OWN_PARTS in [case.title for case in verdict.failed]


def test_an_import_that_takes_long_is_no_loop_without_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """numpy and the like take seconds on a cold disk; here the limit is shorter than such an import."""
    pytest.importorskip("google.genai")
    from lessons import checker

    for name in ("numpy", "email.mime.text"):
        told = checker.why_no_verdict(f"importing {name}", "time", "", 1.0)
        assert "slow to load" in told
        assert "a loop without an end" not in told
    monkeypatch.setattr(checker, "SECONDS", 1.0)
    text = "from google.genai import types\n\n" + FIRST.text("solution.py")
    verdict = checked(text, tmp_path)
    assert verdict.passed, told(verdict)
