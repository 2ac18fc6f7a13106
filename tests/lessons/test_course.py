"""The course proves itself: every lesson fails at the start, passes with its solution and with the shipped agent, and
rejects its wrong answers for their reasons.
"""

from __future__ import annotations

import ast
import csv
import difflib
import json
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from config import PROJECT
from lessons import fake_model, words
from lessons.__main__ import main
from lessons.answers import Answer, wrong_answers
from lessons.checker import Verdict, run_check
from lessons.course import LESSONS, CourseError, Lesson, all_lessons
from lessons.fake_model import Say
from lessons.parent import SECONDS
from lessons.services import gemini, openai
from sandbox.running import levels, pretending

COURSE = all_lessons()
WRONG = [(lesson, answer) for lesson in COURSE for answer in wrong_answers(lesson)]
# Ten times real seconds are spent in these: the rest of what a check takes is a model's thinking or a machine's mood.
# One of so many is run each time, of any other lesson's one of three; all of them with the long tests.
SLOW_WRONG = dict.fromkeys(("07_parallel", "09_gemini", "10_runner", "12_compare", "14_agent"), 3) | {
    lesson.key: 9 for lesson in COURSE[14:]
}
RIGHT = [(lesson, path) for lesson in COURSE for path in sorted((lesson.folder / "right").glob("*.py"))]
LINK = re.compile(r"\]\(([\w./:-]+)\)")
IDS = [lesson.key for lesson in COURSE]
NO_RULE = "no rule: "
OPENS = re.compile(r"Write [^:]*[.;]|.*(:|, for|The `result` of)")  # no rule, but what follows


def said(verdict: Verdict) -> str:
    """What a learner reads first."""
    first = verdict.failed[:1]
    return " ".join([verdict.problem, *(f"{c.title} {c.called} {c.got} {c.expected} {c.why}" for c in first)])


def checked(lesson: Lesson, source: Path) -> Verdict:
    """The verdict on a file; skipped where the sandbox lets code start no program, which some lessons are about."""
    if lesson.number in (10, 14) and not levels.level().can_fork:
        pytest.skip(f"lesson {lesson.number} starts programs, and here code can start none: {levels.level().line}")
    return run_check(lesson, source)


def written(answer: Answer, folder: Path) -> Path:
    path = folder / f"{answer.name}.py"
    path.write_text(answer.text, encoding="utf-8")
    return path


def test_the_lessons_are_numbered_without_a_gap_and_the_fourteenth_is_the_agent():
    assert [lesson.number for lesson in COURSE] == list(range(1, len(COURSE) + 1))
    assert len({lesson.part for lesson in COURSE}) == len(COURSE)
    assert COURSE[13].part == "agent"


@pytest.mark.parametrize("lesson", COURSE, ids=IDS)
def test_the_start_fails_with_its_own_message(lesson: Lesson):
    verdict = checked(lesson, lesson.folder / "start.py")
    assert not verdict.passed
    raised = re.findall(r'raise NotImplementedError\("(.+)"\)', lesson.text("start.py"))
    assert raised
    assert any(message in said(verdict) for message in raised)


@pytest.mark.sample(8)
@pytest.mark.parametrize(
    "lesson",
    [pytest.param(lesson, marks=[pytest.mark.long] if lesson.number == 19 else []) for lesson in COURSE],
    ids=IDS,
)
def test_the_solution_passes_and_shows_something(lesson: Lesson):
    verdict = checked(lesson, lesson.folder / "solution.py")
    assert verdict.passed, said(verdict)
    assert verdict.picture


@pytest.mark.sample(8)
@pytest.mark.parametrize(
    "lesson",
    [
        pytest.param(lesson, marks=[pytest.mark.long] if lesson.number in (14, 19, 21, 22, 23) else [])
        for lesson in COURSE
    ],
    ids=IDS,
)
def test_the_shipped_code_passes_the_same_check(lesson: Lesson):
    if lesson.number == 19:
        pytest.importorskip("mcp", reason="the real agent speaks MCP through the extra mcp")
    verdict = run_check(lesson, None)
    assert verdict.passed, f"{said(verdict)}\n{verdict.printed}"


@pytest.mark.sample(31)
@pytest.mark.parametrize(
    ("lesson", "answer"),
    [
        pytest.param(lesson, answer, marks=[pytest.mark.long] if index % SLOW_WRONG.get(lesson.key, 3) else [])
        for index, (lesson, answer) in enumerate(WRONG)
    ],
    ids=[f"{lesson.key}-{answer.name}" for lesson, answer in WRONG],
)
def test_a_wrong_answer_is_rejected_and_the_message_names_its_reason(lesson: Lesson, answer: Answer, tmp_path: Path):
    verdict = checked(lesson, written(answer, tmp_path))
    assert not verdict.passed
    assert answer.reason
    assert answer.reason in said(verdict)
    for case in verdict.failed[:1]:
        assert all((case.called, case.got, case.expected, case.why)), "what was called, what came back, why it is wrong"


@pytest.mark.parametrize(
    ("lesson", "path"),
    [
        pytest.param(lesson, path, marks=[pytest.mark.long] if lesson.number > 5 or index % 5 else [])
        for index, (lesson, path) in enumerate(RIGHT)
    ],
    ids=[f"{lesson.key}-{path.stem}" for lesson, path in RIGHT],
)
def test_another_right_way_is_accepted(lesson: Lesson, path: Path):
    verdict = checked(lesson, path)
    assert verdict.passed, said(verdict)


@pytest.mark.parametrize("lesson", COURSE, ids=IDS)
def test_each_lesson_knows_ten_other_right_ways_and_ten_wrong_ones(lesson: Lesson):
    assert sum(other is lesson for other, _ in RIGHT) >= 10
    assert sum(other is lesson for other, _ in WRONG) >= 10


@pytest.mark.parametrize("lesson", COURSE, ids=IDS)
def test_every_lesson_has_all_its_files(lesson: Lesson):
    assert len(lesson.hints) == 3
    assert all(hint.strip() for hint in lesson.hints)
    assert sum(other is lesson for other, _ in WRONG) >= 2
    assert ast.get_docstring(ast.parse(lesson.text("start.py"))).startswith(f"Lesson {lesson.number}: ")
    assert lesson.readme.startswith(f"# {lesson.number}. ")


@pytest.mark.parametrize("lesson", COURSE, ids=IDS)
def test_a_readme_is_short_plain_and_ends_with_the_real_agent(lesson: Lesson):
    assert len(lesson.readme.split()) < 300
    assert lesson.readme.isascii()
    assert "## Your task" in lesson.readme
    last = lesson.readme.strip().split("\n\n")[-1]
    assert last.startswith("The same thing in the real agent")
    links = LINK.findall(lesson.readme)
    assert links
    for link in links:
        assert (lesson.folder / link).exists(), link


def sentences(page: str) -> list[str]:
    """The sentences of a page's task, each on one line; what stands in a block of code is none."""
    task = page.partition("## Your task")[2].rpartition("\n\nThe same thing in the real agent")[0]
    task = re.sub(r"^```.*?^```", "", task, flags=re.MULTILINE | re.DOTALL)
    found = []
    for block in re.split(r"\n\s*\n|\n(?=- |\d\. )", task.strip()):
        text = re.sub(r"^(- |\d\. )", "", " ".join(block.split()))
        kept = re.sub(r"`[^`]*`", lambda code: code[0].replace(" ", "\0"), text)  # no sentence ends within code
        found += [part.replace("\0", " ") for part in re.split(r"(?<=[.;?])\s+", kept)]
    return [each for each in found if each]


def rules(lesson: Lesson) -> dict[str, str]:
    """Pieces of the sentences of a page's task, and what holds each: names of wrong answers, or `no rule:` and the reason."""
    lines = [line for line in lesson.text("rules.txt").split("\n") if line.strip()]
    return {line.partition("  # ")[0]: line.partition("  # ")[2] for line in lines}


@pytest.mark.parametrize("lesson", COURSE, ids=IDS)
def test_each_sentence_of_a_task_names_a_wrong_answer_that_breaks_it(lesson: Lesson):
    pieces = rules(lesson)
    for sentence in (each for each in sentences(lesson.readme) if not OPENS.fullmatch(each)):
        assert any(piece in sentence for piece in pieces), f"lessons/{lesson.key}/rules.txt says nothing of: {sentence}"


@pytest.mark.parametrize("lesson", COURSE, ids=IDS)
def test_what_is_named_for_a_sentence_is_there(lesson: Lesson):
    said, answers = sentences(lesson.readme), {answer.name for answer in wrong_answers(lesson)}
    for piece, holds in rules(lesson).items():
        assert any(piece in sentence for sentence in said), f"the page's task does not say: {piece}"
        if holds.startswith(NO_RULE):
            assert len(holds.removeprefix(NO_RULE).split()) >= 2, f"why is it no rule? {piece}"
        else:
            assert not set(holds.split(", ")) - answers, f"no such wrong answer, for {piece}: {holds}"


def test_a_sentence_that_nothing_holds_is_found():
    page = "# 1\n\n## Your task\n\n- Keep `a. b`; drop\n  `c`. Then say so.\n\n```\nx.\n```\n\nThe same thing in the real agent: x."
    assert sentences(page) == ["Keep `a. b`;", "drop `c`.", "Then say so."]


@pytest.mark.parametrize("lesson", COURSE, ids=IDS)
def test_a_lesson_asks_for_at_most_fifteen_lines(lesson: Lesson):
    before = lesson.text("start.py").splitlines()
    after = lesson.text("solution.py").splitlines()
    new = [line[1:].strip() for line in difflib.ndiff(before, after) if line.startswith("+ ")]
    assert len([line for line in new if line]) <= 15


@pytest.mark.sample(8)
@pytest.mark.parametrize("lesson", COURSE, ids=IDS)
def test_a_check_talks_and_never_asserts(lesson: Lesson, tmp_path: Path):
    tree = ast.parse(lesson.text("check.py"))
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Assert)]
    verdict = checked(lesson, written(wrong_answers(lesson)[0], tmp_path))
    for case in verdict.failed[:1]:
        assert case.got
        assert case.expected
        assert case.why or case.expected
    assert "Traceback" not in said(verdict)


@pytest.mark.parametrize("lesson", COURSE, ids=IDS)
def test_a_check_may_run_in_a_sandbox_that_has_no_network(lesson: Lesson):
    """What needs a network is asked of the walk, and the walk's servers listen on the loopback interface alone."""
    for name in ("check.py", "start.py", "solution.py"):
        modules = {
            alias.name
            for node in ast.walk(ast.parse(lesson.text(name)))
            if isinstance(node, ast.Import)
            for alias in node.names
        }
        assert not modules & {"socket", "http", "urllib", "openai", "google"}, name
    served = (LESSONS / "fake_model.py").read_text() + (PROJECT / "offline" / "wire" / "server.py").read_text()
    assert set(re.findall(r'\("(\d+\.\d+\.\d+\.\d+)", ', served)) == {"127.0.0.1"}


@pytest.mark.parametrize(
    "page",
    [*sorted((PROJECT / "docs").rglob("*.md")), *(lesson.folder / "README.md" for lesson in COURSE)],
    ids=lambda page: page.relative_to(PROJECT).as_posix(),
)
def test_the_links_of_the_pages_lead_somewhere(page: Path):
    prose = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for link in LINK.findall(prose):
        if "://" not in link:
            assert (page.parent / link).exists(), link


HOSTILE = {
    "an endless loop": "while True:\n    pass\n",
    "an endless loop in the function": "def start(system, task):\n    while True:\n        pass\n",
    "sys.exit": "import sys\nsys.exit(0)\n",
    "sys.exit in the function": "import sys\ndef start(system, task):\n    sys.exit()\n",
    "os._exit": "import os\ndef start(system, task):\n    os._exit(0)\n",
    "deletes everything around it": (
        "import os, shutil\ndef start(system, task):\n    shutil.rmtree(os.getcwd(), ignore_errors=True)\n    return []\n"
    ),
    "prints megabytes": "def start(system, task):\n    while True:\n        print('x' * 100_000)\n",
    "forks": "import os\nos.fork()\ndef start(system, task):\n    return []\n",
    "forks for ever": "import os\ndef start(system, task):\n    while True:\n        os.fork()\n",
    "no function": "begin = 1\n",
    "no Python": "def start(system, task)\n    return 1\n",
    "not text": "\x00\x00",
    "raises what is no Exception": "def start(system, task):\n    raise KeyboardInterrupt\n",
    "a repr that fails": (
        "class Odd(list):\n    def __repr__(self):\n        raise ValueError\n"
        "def start(system, task):\n    return Odd()\n"
    ),
    "recursion": "def start(system, task):\n    return start(system, task)\n",
    "signals itself": "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n",
    "a thread that never ends": (
        "import threading, time\nthreading.Thread(target=time.sleep, args=(99,)).start()\n"
        "def start(system, task):\n    return []\n"
    ),
}
SLOW_HOSTILE = {"an endless loop", "forks for ever", "prints megabytes"}


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.long] if n in SLOW_HOSTILE else []) for n in HOSTILE]
)
def test_whatever_the_learner_wrote_a_verdict_comes_within_five_seconds(name: str, tmp_path: Path):
    file = tmp_path / "messages.py"
    file.write_text(HOSTILE[name])
    lesson = COURSE[0]
    run_check(lesson, lesson.folder / "solution.py")  # the sandbox is up, the SDK imported
    began = time.monotonic()
    verdict = run_check(lesson, file)
    assert time.monotonic() - began < 20  # a hang guard on a busy machine; the bound itself is SECONDS
    assert SECONDS < 5
    assert not verdict.passed
    assert said(verdict).strip()
    assert file.read_text() == HOSTILE[name]


def test_a_verdict_spells_out_what_a_terminal_would_obey(tmp_path: Path):
    path = tmp_path / "messages.py"
    path.write_text("print('\\x1b[2K\\u202e')\n\n\ndef start(system, task):\n    raise ValueError('gone\\x9b2K\\r')\n")
    verdict = run_check(COURSE[0], path)
    assert (verdict.printed, verdict.failed[0].got) == (
        "\\x1b[2K\\u202e",
        "it raised ValueError: gone\\x9b2K\\r (line 5)",
    )


def test_a_verdict_shows_what_came_back_though_the_check_cleaned_up_after_it(tmp_path: Path):
    """A folder that may not be read is locked before the call and unlocked after it."""
    path = tmp_path / "listing.py"
    right = (COURSE[1].folder / "solution.py").read_text(encoding="utf-8")
    raising = right.replace("def list_files(", "def listed(")
    path.write_text(
        f"{raising}\n\ndef list_files(root, directory):\n    text = listed(root, directory)\n"
        "    return 'Error: no' if text.startswith('Error') else text\n"
    )
    shown = {case.title: case.got for case in run_check(COURSE[1], path).failed}
    assert "Error: no" in shown["a folder that may not be read"]


FEWER_WALLS = {"strong": ("namespaces",), "limits": pretending.all_but()}


@pytest.mark.sample(1)
@pytest.mark.parametrize("level", FEWER_WALLS)
@pytest.mark.parametrize(
    "lesson",
    [lesson if lesson.number in (1, 10) else pytest.param(lesson, marks=pytest.mark.long) for lesson in COURSE],
    ids=IDS,
)
def test_with_fewer_walls_a_lesson_passes_or_says_what_it_lacks(lesson: Lesson, level: str):
    with pretending.hidden(*FEWER_WALLS[level]):
        if lesson.number in (10, 14) and not levels.level().can_fork:
            with pytest.raises(CourseError, match=f"Lesson {lesson.number} starts programs.*as an ordinary user"):
                run_check(lesson, lesson.folder / "solution.py")
        else:
            verdict = run_check(lesson, lesson.folder / "solution.py")
            assert verdict.passed, said(verdict)


def test_where_no_wall_stands_the_learner_knows_before_anything_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    with pretending.hidden(*FEWER_WALLS["limits"]):
        main(["--my-agent", str(tmp_path), "reset", "1"])
        assert main(["--my-agent", str(tmp_path), "check", "1"]) == 1
    told = " ".join(capsys.readouterr().out.split())
    assert told.index(words.NO_WALL) < told.index("is waiting for your code")


def test_the_learners_other_parts_are_used_where_they_have_passed(tmp_path: Path):
    loop = COURSE[5]
    mine = tmp_path / "messages.py"
    mine.write_text("def start(system, task):\n    return 'mine, and broken'\n")
    assert run_check(loop, loop.folder / "solution.py").passed
    assert not run_check(loop, loop.folder / "solution.py", {"messages": mine}).passed


def test_adding_a_folder_adds_a_lesson(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    for lesson in COURSE[:2]:
        shutil.copytree(lesson.folder, tmp_path / "course" / lesson.key)
    folder = tmp_path / "course" / "03_shout"
    folder.mkdir()
    (folder / "README.md").write_text("# 3. Shout\n\n## Your task\n\nWrite `shout(text)`.\n")
    (folder / "start.py").write_text('def shout(text):\n    raise NotImplementedError("upper case")\n')
    (folder / "solution.py").write_text("def shout(text):\n    return text.upper()\n")
    (folder / "hints.md").write_text("## 1\n\na\n\n## 2\n\nb\n\n## 3\n\nc\n")
    (folder / "check.py").write_text(
        "def check(lesson):\n    with lesson.case('loud'):\n"
        "        lesson.expect(lesson.call('shout', 'hey') == 'HEY', \"'HEY'\", 'it is a shout')\n"
    )
    mine = tmp_path / "my_agent"
    arguments = ["--my-agent", str(mine)]
    assert main([*arguments, "list"], tmp_path / "course") == 0
    assert "3        Shout" in capsys.readouterr().out
    assert main([*arguments, "reset", "3"], tmp_path / "course") == 0
    assert main([*arguments, "check", "3"], tmp_path / "course") == 1
    assert "waiting for your code: upper case" in capsys.readouterr().out
    (mine / "shout.py").write_text("def shout(text):\n    return text.upper()\n")
    assert main([*arguments, "check", "3"], tmp_path / "course") == 0


def test_a_report_is_a_table_and_a_csv(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    for name, passed in {"ada": ["01_messages", "02_listing"], "bob": ["01_messages"]}.items():
        folder = tmp_path / name / "my_agent"
        folder.mkdir(parents=True)
        records = {key: {"passed": "2026-01-02 03:04", "hints": 1} for key in passed}
        (folder / "progress.json").write_text(json.dumps({"version": 1, "lessons": records}))
    (tmp_path / "eve").mkdir()
    (tmp_path / "eve" / "progress.json").write_text("{")
    folders = [str(tmp_path / "ada"), str(tmp_path / "bob" / "my_agent"), str(tmp_path / "eve"), str(tmp_path / "none")]
    assert main(["report", *folders, "--csv", str(tmp_path / "class.csv")]) == 1
    shown = capsys.readouterr().out
    rows = list(csv.DictReader((tmp_path / "class.csv").open()))
    assert [row["who"] for row in rows] == ["ada", "bob", "eve", "none"]
    assert [row["done"] for row in rows] == ["2", "1", "", ""]
    assert words.REPORT_BELIEVED in shown
    assert rows[0]["1"] == "x"
    assert rows[0]["3"] == ""
    assert [row["last step"] for row in rows[2:]] == [words.REPORT_DAMAGED, words.REPORT_NO_FOLDER]
    assert all(name in shown for name in ("ada", "bob", "eve", "none"))


def test_the_fake_model_speaks_to_both_sdks_and_records_what_they_sent():
    heard = openai([{"role": "user", "content": "hello"}], [{"text": "hi", "calls": [["read_file", {"a": 1}]]}])
    assert heard["requests"][0]["messages"] == [{"role": "user", "content": "hello"}]
    assert heard["reply"]["tool_calls"][0]["function"]["name"] == "read_file"
    heard = gemini(
        [{"role": "user", "parts": [{"text": "hello"}]}], [{"text": "hi", "calls": [["read_file", {"a": 1}]]}]
    )
    assert heard["requests"][0]["contents"] == [{"role": "user", "parts": [{"text": "hello"}]}]
    assert heard["reply"]["parts"][1]["functionCall"]["name"] == "read_file"
    assert heard["reply"]["parts"][1]["thoughtSignature"]


def test_the_fake_model_refuses_what_the_real_servers_refuse():
    call = {"id": "call_1", "type": "function", "function": {"name": "read_file", "arguments": "{}"}}
    unanswered = [{"role": "user", "content": "x"}, {"role": "assistant", "content": "", "tool_calls": [call]}]
    assert openai(unanswered, [])["problem"].startswith("400")
    orphan = [{"role": "user", "content": "x"}, {"role": "tool", "tool_call_id": "call_1", "content": "y"}]
    assert openai(orphan, [])["problem"].startswith("400")
    asked = {"role": "model", "parts": [{"functionCall": {"name": "read_file", "args": {}}}]}
    answered = {"role": "user", "parts": [{"functionResponse": {"name": "read_file", "response": {"result": "y"}}}]}
    begin = {"role": "user", "parts": [{"text": "x"}]}
    assert "thought_signature" in gemini([begin, asked, answered], [])["problem"]
    asked["parts"][0]["thoughtSignature"] = "c2lnbmVk"
    assert gemini([begin, asked, answered], [{"text": "ok"}])["problem"] == ""
    assert gemini([begin, asked, answered, answered], [])["problem"].startswith("400")


def test_a_script_may_be_a_function_of_the_request():
    with fake_model.serve(lambda body: Say(body["messages"][0]["content"].upper())) as model:
        program = (
            "import openai, sys\n"
            "client = openai.OpenAI(base_url=sys.argv[1], api_key='x')\n"
            "with client.chat.completions.create(model='m', stream=True, messages=[{'role': 'user', 'content': 'hey'}]) as s:\n"
            "    print(''.join(chunk.choices[0].delta.content or '' for chunk in s))\n"
        )
        ran = subprocess.run(
            [sys.executable, "-c", program, f"{model.address}/v1"], capture_output=True, encoding="utf-8", timeout=120
        )
    assert ran.stdout == "HEY\n"
