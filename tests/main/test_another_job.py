"""A job that somebody adds: one folder in jobs/, its tools, its workplace, and no other file changes."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from scripted import Scripted, scripted
from test_command_line import FOLDERS, PARTS

from config import PROJECT
from jobs.job import names

OTHERS = names()[1:]  # beside the coder
posix = pytest.mark.skipif(os.name == "nt", reason="a pseudo-terminal")

JOB = '''"""The weigher: weighs what is put on its scale, and writes down what it weighed."""

from contextlib import contextmanager

from functions.tool import Tool
from jobs.job import Job

CAPACITY = {"type": "object", "properties": {}, "required": []}


class Scale:
    def __init__(self, most, secret):
        self.most, self.secret, self.closed = most, secret, False


@contextmanager
def opens(settings, root, tell):
    scale = Scale(500, "the scale's secret")
    tell("The scale is switched on.")
    yield {"scale": scale}
    tell("The scale is switched off.")


def tools(resources):
    from jobs.weigher.tools import weigh

    schema = {"name": "capacity", "description": "How much the scale takes", "parameters": CAPACITY}
    return [weigh.TOOL, Tool("capacity", lambda scale: f"{scale.most} kg", schema, True, resource="scale")]


JOB = Job(
    name="weigher",
    does="weighs things",
    example='python main.py --job weigher "weigh a pear"',
    prompt="You weigh things with the tools.",
    tools=tools,
    opens=opens,
    workplace="samples/scale",
    report=lambda run, answer: {"weighed": sum(call["name"] == "weigh" for call in run.trajectory)},
)
'''
TOOL = '''"""Tool: weigh something and write it down."""

from sandbox.files.root import Refusal, hold
from functions import ToolError
from functions.tool import Tool

SCHEMA = {
    "name": "weigh",
    "description": "Weigh a thing and write it down.",
    "parameters": {
        "type": "object",
        "properties": {
            "file_path": {"type": "string"},
            "weight": {"type": "number", "minimum": 0},
            "unit": {"type": "string", "enum": ["g", "kg"], "default": "g"},
            "label": {
                "type": "object",
                "properties": {"colour": {"type": "string"}, "copies": {"type": "integer"}},
                "required": ["colour"],
            },
        },
        "required": ["file_path", "weight"],
    },
}

def weigh(working_directory, file_path, weight, unit, label=None):
    text = f"{weight} {unit} {(label or {}).get('colour', 'plain')}\\n"
    try:
        with hold(working_directory) as root:
            root.write_text(file_path, text)
    except Refusal as refusal:
        return ToolError(refusal)
    return f"weighed {text}"


def change(root, arguments):
    return "", f"{arguments['weight']} on the scale"


TOOL = Tool(
    name="weigh",
    function=weigh,
    schema=SCHEMA,
    reads_only=False,
    path="file_path",
    changes_files=True,
    change=change,
)
'''
GOOD = ("weigh", {"file_path": "pear.txt", "weight": 180.5, "label": {"colour": "green", "copies": 2.0}})
BAD = [
    ("weigh", {"file_path": "a", "weight": "heavy"}),
    ("weigh", {"file_path": "a", "weight": -1}),
    ("weigh", {"file_path": "a", "weight": 1, "unit": "stone"}),
    ("weigh", {"file_path": "a", "weight": 1, "label": {"copies": 1}}),
]
PROBLEMS = ["'weight' is text", "'weight' is -1", "one of g, kg", "in 'label', it needs 'colour'"]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A copy of the program with the new job in it."""
    home = tmp_path / "glassbox"
    home.mkdir()
    for name in PARTS:
        shutil.copy(PROJECT / name, home)
    for name in FOLDERS:
        shutil.copytree(PROJECT / name, home / name, ignore=shutil.ignore_patterns("*.pyc.*"))
    (home / "jobs" / "weigher" / "tools").mkdir(parents=True)
    (home / "jobs" / "weigher" / "job.py").write_text(JOB, encoding="utf-8")
    (home / "jobs" / "weigher" / "tools" / "weigh.py").write_text(TOOL, encoding="utf-8")
    (home / "samples" / "scale").mkdir(parents=True)
    return home


def command(home: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    surroundings = {**os.environ, **environment, "GLASSBOX_RUNS_DIRECTORY": str(home / "runs")}
    return subprocess.run(
        [sys.executable, str(home / "main.py"), *arguments],
        env=surroundings,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )


def test_it_is_listed_and_helped_with(home: Path):
    assert "weigher      weighs things" in command(home, "--jobs").stdout
    assert command(home, "--job", "weigher", "--help").returncode == 0
    wrong = command(home, "--job", "wiegher", "x")
    assert wrong.returncode == 1
    assert "coder" in wrong.stderr
    assert "weigher" in wrong.stderr


def test_a_wrong_value_of_a_jobs_own_setting_stops_that_job_before_anybody_is_asked_and_no_other(home: Path):
    with scripted(("It is done.", [])) as server:
        given = {**server.environment("openai"), "AUDIT_COMPARE": "many"}
        stopped = command(home, "--job", "auditor", "look", **given)
        assert not server.requests
        went_on = command(home, "look", "--workdir", str(home / "samples" / "scale"), **given)
    assert stopped.returncode == 1
    assert stopped.stderr.startswith("Error: AUDIT_COMPARE is 'many', but it must be a whole number")
    assert (went_on.returncode, went_on.stdout) == (0, "It is done.\n"), went_on.stderr


@pytest.mark.long
@posix
@pytest.mark.parametrize("provider", ["lmstudio", "gemini"])
def test_it_runs_with_approval_trace_undo_and_the_page_on_both_wires(home: Path, provider: str):
    from pseudo_terminal import in_terminal

    pear = home / "samples" / "scale" / "pear.txt"
    with scripted(("", [*BAD, ("capacity", {})]), ("", [GOOD]), ("It weighs 180.5 g.", [])) as server:
        environment = {**server.environment(provider), "GLASSBOX_RUNS_DIRECTORY": str(home / "runs")}
        asked = [("say what to do instead: ", "y")] * 5
        says = [(what, f"{answer}\r") for what, answer in asked]
        arguments = ["--job", "weigher", "--ask", "weigh a pear"]
        written, code = in_terminal(arguments, says=says, main=home / "main.py", **environment)
    assert code == 0, written
    assert "180.5 on the scale" in written, "what is about to change is shown"
    assert "switched on" in written
    assert "switched off" in written
    assert offered(server) == ["weigh", "capacity"]
    assert pear.read_text() == "180.5 g green\n", "the default unit, the nested object"

    result = json.loads(command(home, "--result", "weigh-a-pear").stdout)
    assert [call["status"] for call in result["tool_calls"]] == ["error"] * 4 + ["completed"] * 2
    for call, problem in zip(result["tool_calls"], PROBLEMS, strict=False):
        assert problem in call["result"]
    assert result["tool_calls"][4]["result"] == "500 kg", "a tool that was made at run time"
    assert (result["job"], result["report"]) == ("weigher", {"weighed": 5})
    trace = next((home / "runs").glob("*/trace.jsonl")).read_text(encoding="utf-8")
    assert "secret" not in trace

    page = "from pathlib import Path; from records.page import write_page; print(write_page([Path({!r})]))"
    folder = str(next((home / "runs").iterdir()))
    ran = subprocess.run([sys.executable, "-c", page.format(folder)], cwd=home, capture_output=True, encoding="utf-8")
    assert "pear.txt" in Path(ran.stdout.strip()).read_text(encoding="utf-8"), ran.stderr
    assert "pear.txt" in command(home, "--diff").stdout
    assert command(home, "--undo").returncode == 0
    assert not pear.exists()


def offered(server: Scripted) -> list[str]:
    tools: list[dict[str, Any]] = server.requests[0]["tools"]
    if "functionDeclarations" in tools[0]:
        return [each["name"] for each in tools[0]["functionDeclarations"]]
    return [each["function"]["name"] for each in tools]


@pytest.mark.long
@pytest.mark.parametrize("job", OTHERS)
def test_a_job_is_taken_out_by_deleting_its_folder_and_its_mind(home: Path, job: str):
    shutil.rmtree(home / "jobs" / job)
    if (home / "offline" / job).exists():  # a job can do without one
        shutil.rmtree(home / "offline" / job)
    listed = command(home, "--jobs")
    assert job not in listed.stdout.split()
    assert listed.stdout.count("python main.py") == 2 + len(OTHERS) - 1  # the coder, the weigher, and the others left
    left = {path.parent.name for path in (home / "jobs").glob("*/settings.py")}
    asked = "from jobs.job import own_settings; print({each.__module__.split('.')[1] for each in own_settings()})"
    names = subprocess.run([sys.executable, "-c", asked], cwd=home, capture_output=True, encoding="utf-8")
    assert ast.literal_eval(names.stdout) == left, names.stderr
    work = home / "samples" / "scale"
    (work / "a.txt").write_text("hello\n", encoding="utf-8")
    ran = command(home, "what files are in the root?", "--provider", "offline", "--workdir", str(work))
    assert ran.returncode == 0, ran.stderr
    assert "a.txt" in ran.stdout
