"""The ten small programs of the page, each run as it stands there."""

from __future__ import annotations

import ast
import importlib
import json
import re
import shutil
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli.reset import put_calculator
from config import PROJECT
from offline.script import OPENAI, Call, Step, call, say
from offline.scripted import ScriptedServer, serving

PAGE = (PROJECT / "docs" / "programs.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```python( title=\"\w+\.py\")?\n(.*?)^```", re.MULTILINE | re.DOTALL)


def program(number: int) -> str:
    section = re.split(r"^## \d+\. ", PAGE, flags=re.MULTILINE)[number]
    return next(code for title, code in BLOCK.findall(section) if not title)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory of one's own, with a calculator and the operator's sample in it."""
    put_calculator(tmp_path / "calculator")
    shutil.copytree(PROJECT / "samples" / "operator", tmp_path / "samples" / "operator")
    monkeypatch.chdir(tmp_path)
    return tmp_path


Run = Callable[..., tuple[list[str], list[dict[str, Any]]]]


@pytest.fixture
def run(place: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a program with a model that says this; what it printed, and the requests that the model got."""

    def run(number: int, *steps: Step, script: Any = ()) -> tuple[list[str], list[dict[str, Any]]]:
        with serving(*steps, script=script) as model:
            code = served(program(number), model)
            exec(compile(code, f"program {number}", "exec", dont_inherit=True), {"__name__": "program"})
            return capsys.readouterr().out.splitlines(), model.requests

    return run


def served(code: str, model: ScriptedServer) -> str:
    code = code.replace("http://localhost:1234/v1", f"{model.address}/v1")
    return code.replace("https://generativelanguage.googleapis.com", model.address)


def test_1_an_own_tool_is_offered_called_and_answered(run: Run):
    said, requests = run(1, call(Call("in_stock", {"article": "tea"})), say("12 of tea"))
    offered = requests[0]["tools"][-1]["function"]
    assert offered["description"] == "How many of an article are in stock."
    assert offered["parameters"]["properties"] == {
        "article": {"type": "string", "description": "its name, in lower case"}
    }
    assert requests[1]["messages"][-1]["content"] == "12"
    assert said == ["12 of tea"]


def test_2_a_job_of_another_package(run: Run, place: Path, monkeypatch: pytest.MonkeyPatch):
    packages = place / "site-packages"
    information = packages / "shop_agent-1.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: shop-agent\nVersion: 1\n")
    declared = re.search(r"^```toml\n\[project\.entry-points\.\"(.*?)\"\]\n(.*?)\n```", PAGE, re.MULTILINE | re.DOTALL)
    assert declared
    entry = declared[2].replace('"', "")
    (information / "entry_points.txt").write_text(f"[{declared[1]}]\n{entry}\n")
    code = next(code for title, code in BLOCK.findall(PAGE) if "shop_agent" in title)
    (packages / "shop_agent.py").write_text(code)
    monkeypatch.syspath_prepend(str(packages))
    importlib.invalidate_caches()
    said, requests = run(2, call(Call("order", {"article": "salt", "count": 2})), say("ordered"))
    assert [each["function"]["name"] for each in requests[0]["tools"]] == ["order"]
    assert "ToolCall" in said[0], "approve is asked"
    assert said[-1] == "2 of salt ordered"


def test_3_an_answer_is_an_instance_and_is_asked_for_once_more(run: Run):
    bug = {"file": "pkg/calculator.py", "line": 11, "cause": "precedence"}
    said, requests = run(3, say("It is in line 11."), say(json.dumps(bug)))
    assert said == ["pkg/calculator.py:11"]
    assert "holds no JSON object" in requests[1]["messages"][-1]["content"]
    assert "response_format" not in requests[0]
    schema = requests[1]["response_format"]["json_schema"]["schema"]
    assert schema["required"] == ["file", "line", "cause"]


def test_3_an_answer_that_never_fits_is_none(run: Run):
    assert run(3, say("It is in line 11."))[0] == ["It did not say."]


def test_4_a_conversation_goes_on_and_is_kept_under_its_name(run: Run, place: Path):
    said, requests = run(4, say("yes"), say("12"))
    told = [message["content"] for message in requests[1]["messages"][1:]]
    assert told == ["Remember the number 12.", "yes", "Which number?"]
    assert said == ["12", "4 4"]
    kept = place / "kept" / "conversations" / "about-tea.json"
    assert [entry["text"] for entry in json.loads(kept.read_text())][-1] == "12"


def test_5_a_subagent_has_its_own_tools_and_its_tokens_count(run: Run):
    def script(wire: str, body: dict[str, Any]) -> Step:
        names = [each["function"]["name"] for each in body["tools"]]
        answered = body["messages"][-1]["role"] == "tool"
        if names == ["ask_reader"]:
            return say("It calculates.") if answered else call(Call("ask_reader", {"task": "What does main.py do?"}))
        assert "edit_file" not in names
        return say("It calculates.") if answered else call(Call("get_file_content", {"file_path": "main.py"}))

    said, requests = run(5, script=script)
    assert said == ["It calculates. 40"]
    assert len(requests) == 4


def test_6_it_is_stopped(run: Run):
    assert run(6, say(""))[0] == ["interrupted"]


def test_7_several_at_once(run: Run):
    assert run(7, say(""))[0] == ["['answered', 'answered']"]


def test_8_both_wires(run: Run):
    said, _ = run(8, script=lambda wire, body: say("hello" if wire == OPENAI else "hallo"))
    assert said == ["lmstudio hello", "gemini hallo"]


def test_9_an_mcp_servers_tools(run: Run):
    assert "billing" in run(9, say(""))[0][0]


@pytest.mark.long
def test_10_a_run_is_watched_looked_at_and_taken_back(run: Run, place: Path):
    before = (place / "calculator" / "pkg" / "calculator.py").read_text()
    said, _ = run(10, say(""))
    assert "run_tests" in said
    assert any(line.startswith("+") for line in said)
    assert said[-2].endswith("trace.html True")
    assert said[-1] == "['pkg/calculator.py']"
    assert (place / "calculator" / "pkg" / "calculator.py").read_text() == before


def lines_of(code: str) -> int:
    """Lines of code without imports, blank ones and comments."""
    nodes = [node for node in ast.walk(ast.parse(code)) if isinstance(node, (ast.Import, ast.ImportFrom))]
    imports = {line for node in nodes for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    counted = [line.strip() for number, line in enumerate(code.splitlines(), 1) if number not in imports]
    return len([line for line in counted if line and not line.startswith("#")])


def row(counts: list[int]) -> str:
    return " | ".join(map(str, [*counts, sum(counts)]))


def test_the_lines_that_the_page_counts_are_those_that_are_there():
    sections = re.split(r"^## \d+\. ", PAGE.partition("## The same in")[0], flags=re.MULTILINE)[1:]
    ours = [sum(lines_of(code) for _, code in BLOCK.findall(section)) for section in sections]
    source = (PROJECT / "bench" / "peers" / "ten_in_pydantic_ai.py").read_text(encoding="utf-8")
    programs = [node for node in ast.parse(source).body if getattr(node, "name", "").startswith("program_")]
    whole = [textwrap.dedent("\n".join(source.splitlines()[node.lineno : node.end_lineno])) for node in programs]
    theirs = [lines_of(text.partition('"""')[2].partition('"""')[2]) for text in whole]
    assert f"| Glassbox | {row(ours)} |" in PAGE
    assert f"| pydantic-ai | {row(theirs)} |" in PAGE
