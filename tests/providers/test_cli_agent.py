"""Another command-line agent as the agent: a stand-in that prints what Qwen Code prints, and Qwen Code itself."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from catalogue import CATALOGUE, run_on

from agent.contracts import TokenUsage
from agent.events import Event
from bench.clients.table import CLIENTS as TABLE
from config import Settings
from functions.tool import Catalogue
from offline.wire.conversation import Call, Conversation, Decision
from offline.wire.server import serve
from providers import cli_agent
from sandbox.files.root import Root

Run = Callable[..., subprocess.CompletedProcess[str]]
CLIENTS = {client.name: client for client in TABLE}

# What it prints was taken from Qwen Code 0.15.10; what it does to the file is real.
STAND_IN = """
import json, pathlib, sys
path = pathlib.Path("pkg/calculator.py").resolve()
def say(**event): print(json.dumps(event), flush=True)
def assistant(*blocks, **usage):
    say(type="assistant", message={"role": "assistant", "content": list(blocks), "usage": usage})
say(type="system", subtype="init", tools=["read_file", "edit", "run_shell_command"])
assistant({"type": "text", "text": "I edit."}, input_tokens=10, output_tokens=2)
assistant({"type": "tool_use", "id": "a", "name": "edit", "input": {"file_path": str(path)}}, input_tokens=20, output_tokens=3)
path.write_text(path.read_text().replace('"+": 3,', '"+": 1,'))
say(type="user", message={"content": [{"type": "tool_result", "tool_use_id": "a", "is_error": False, "content": "updated"}]})
say(type="user", message={"content": [{"type": "tool_result", "tool_use_id": "ghost", "content": "boo"}]})
assistant({"type": "tool_use", "id": "b", "name": "read_file", "input": {}}, input_tokens=1, output_tokens=1)
END
"""
GOOD = 'say(type="result", subtype="success", is_error=False, result="Fixed it.")'


@pytest.fixture
def stand_in(tmp_path: Path) -> Callable[[str], str]:
    def make(end: str) -> str:
        path = tmp_path / "stand_in.py"
        path.write_text(STAND_IN.replace("END", end), encoding="utf-8")
        return f"{sys.executable} {path}"

    return make


def test_what_it_did_is_read_and_what_it_changed_can_be_undone(
    stand_in: Callable[[str], str], run_main: Run, calculator: Path, tmp_path: Path
):
    before = (calculator / "pkg" / "calculator.py").read_bytes()
    settings = {"AGENT_CLI": stand_in(GOOD), "GLASSBOX_RUNS_DIRECTORY": str(tmp_path / "runs")}
    ran = run_main("fix the bug", "--provider", "cli", "--json", "--workdir", str(calculator), **settings)
    result = json.loads(ran.stdout)
    assert ran.returncode == 0, ran.stderr
    assert result["answer"] == "Fixed it."
    assert [(call["name"], call["status"]) for call in result["tool_calls"]] == [
        ("edit", "completed"),
        ("read_file", "called"),
    ]
    assert result["tool_calls"][0]["arguments"] == {"file_path": "pkg/calculator.py"}
    assert result["tokens"] == {"input": 31, "output": 6}
    assert any("without a call" in error for error in result["errors"])
    assert any("Not verified" in error for error in result["errors"])
    assert "outside this program's sandbox" in ran.stderr
    assert '+            "+": 1,' in run_main("--diff", "--workdir", str(calculator), **settings).stdout
    assert run_main("--undo", "--force", "--workdir", str(calculator), **settings).returncode == 0
    assert (calculator / "pkg" / "calculator.py").read_bytes() == before


@pytest.mark.parametrize(
    ("end", "said"),
    [
        ('say(type="result", is_error=True, error={"message": "no login"})', "no login"),
        ('print("cannot reach the model", file=sys.stderr); sys.exit(4)', ""),
    ],
)
def test_one_that_fails_is_one_clear_line(
    end: str, said: str, stand_in: Callable[[str], str], run_main: Run, calculator: Path
):
    ran = run_main("fix the bug", "--provider", "cli", "--json", "--workdir", str(calculator), AGENT_CLI=stand_in(end))
    assert "Traceback" not in ran.stderr
    assert said in json.loads(ran.stdout)["errors"][-1] if said else ran.returncode in (0, 2)


@pytest.mark.long
def test_one_that_does_not_end_is_ended_with_the_time(stand_in: Callable[[str], str], run_main: Run, calculator: Path):
    settings = {"AGENT_CLI": stand_in("import time; time.sleep(100)"), "GLASSBOX_MAX_SECONDS": "2"}
    ran = run_main("fix the bug", "--provider", "cli", "--json", "--workdir", str(calculator), **settings)
    assert json.loads(ran.stdout)["stop_reason"] == "time_budget"
    assert ran.returncode == 3


def test_one_that_is_not_there_is_said_with_the_command_that_installs_one(run_main: Run, calculator: Path):
    ran = run_main("fix the bug", "--provider", "cli", "--workdir", str(calculator), AGENT_CLI="no-such-agent")
    assert ran.returncode == 1
    assert "npm install -g" in ran.stderr


@pytest.mark.parametrize(
    ("program", "allowed", "may"),
    [
        ("qwen", False, "It may edit files here; "),
        ("qwen", True, "It may edit files here and run commands; "),
        ("qwen --yolo", False, "What it may do its own options say; "),
        ("another", True, "What it may do its own options say; "),
    ],
)
@pytest.mark.parametrize(
    ("end", "answer", "stop", "errors"),
    [
        (GOOD, "Fixed it.", "answered", []),
        ("", "I edit.", "answered", []),
        ('print("plain words")', "I edit.plain words\n", "answered", []),
        ('say(type="result", is_error=True, error={"message": "no quota"})', "I edit.", "provider_error", ["no quota"]),
        ('say(type="result", is_error=True, error="no key")', "I edit.", "provider_error", ["no key"]),
        ('say(type="result", is_error=True, result="so far")', "so far", "provider_error", ["so far"]),
        ("sys.exit(3)", "I edit.", "answered", []),
    ],
)
def test_its_story_becomes_a_run_of_ours(
    end: str, answer: str, stop: str, errors: list[str], program: str, allowed: bool, may: str,
    stand_in: Callable[[str], str], calculator: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
):  # fmt: skip
    monkeypatch.setattr(cli_agent, "model_for", lambda settings: {})
    told: list[Event] = []
    name = program.split()[0]
    script = Path(stand_in(end).removeprefix(f"{sys.executable} ")).read_text(encoding="utf-8")
    (tmp_path / name).write_text(f"#!{sys.executable}\n{script}", encoding="utf-8")
    (tmp_path / name).chmod(0o700)
    with Root(calculator) as root:
        root.allow_unconfined = allowed
        result = cli_agent.run_agent(
            "Do it.",
            Settings(agent_cli=str(tmp_path / program)),
            run_on(root, [told.append], catalogue=Catalogue(CATALOGUE.values())),
        )
    assert (result.answer, result.stop_reason) == (answer, stop)
    assert [error.rpartition(": ")[2] for error in result.errors if "without a call" not in error] == errors
    assert "A result without a call was dropped." in result.errors
    notice = next(event.text for event in told if event.kind == "notice")
    assert notice.startswith(f"{name} runs outside this program's sandbox, with your own rights. {may}")
    assert result.tokens == TokenUsage(31, 6)
    calls = [(call["name"], call["status"], call["arguments"]) for call in result.tool_calls]
    assert ("edit", "completed", {"file_path": "pkg/calculator.py"}) in calls
    assert ("read_file", "called", {}) in calls


@pytest.mark.parametrize("agent", ["qwen", "gemini --yolo", "another"])
def test_an_agent_gets_the_key_of_its_own_wire_and_no_other(agent: str):
    keys = {"lmstudio_api_key": "for-openai", "gemini_api_key": "for-gemini", "gemini_base_url": "http://127.0.0.1:9"}
    told = cli_agent.model_for(
        Settings(agent_cli=agent, lmstudio_model="m", lmstudio_base_url="http://127.0.0.1:9/v1", **keys)
    )
    assert told["OPENAI_API_KEY"] == "for-openai"
    assert ("for-gemini" in told.values()) is agent.startswith("gemini")


@pytest.mark.parametrize(
    ("end", "why"),
    [
        ("import os; os._exit(3)", "exit code 3"),
        ("print()", "exit code 0"),
        ("print('went wrong', file=sys.stderr); sys.exit(1)", "went wrong"),
    ],
)
def test_one_that_says_nothing_and_fails_is_told_by_its_last_words(
    end: str, why: str, tmp_path: Path, calculator: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(cli_agent, "model_for", lambda settings: {})
    (tmp_path / "silent.py").write_text(f"import sys\n{end}\n")
    settings = Settings(agent_cli=f"{sys.executable} {tmp_path / 'silent.py'}")
    with Root(calculator) as root:
        result = cli_agent.run_agent("Do it.", settings, run_on(root, catalogue=Catalogue(CATALOGUE.values())))
    assert result.stop_reason == "provider_error"
    assert result.errors[-1].endswith(f"ended without an answer: {why}")


@pytest.mark.long
def test_qwen_code_itself_edits_runs_and_is_recorded(run_main: Run, calculator: Path, tmp_path: Path):
    if shutil.which("npm") is None:
        pytest.skip("npm is not there")
    install = ["npm", "install", "--silent", "--prefix", str(tmp_path / "npm"), "@qwen-code/qwen-code@0.15.10"]
    assert subprocess.run(install, capture_output=True, timeout=300, check=False).returncode == 0
    path = str(calculator / "pkg" / "calculator.py")
    script = [
        Call("read_file", {"file_path": path}),
        Call("edit", {"file_path": path, "old_string": '"+": 3,', "new_string": '"+": 1,'}),
        Call("run_shell_command", {"command": f"{sys.executable} tests.py", "is_background": False}),
    ]

    def decide(conversation: Conversation, *_: object) -> Decision:
        made = len(conversation.steps)
        return Decision("Fixed.") if made >= len(script) else Decision("", (script[made],))

    home = tmp_path / "home"
    home.mkdir()
    with serve(decide=decide) as address:
        ran = run_main(
            *("fix the bug", "--provider", "cli", "--json", "--allow-unconfined", "--workdir", str(calculator)),
            AGENT_CLI="qwen",
            LMSTUDIO_BASE_URL=f"{address}/v1",
            HOME=str(home),
            PATH=f"{tmp_path / 'npm' / 'node_modules' / '.bin'}:{':'.join(paths())}",
        )
    result = json.loads(ran.stdout)
    assert result["answer"] == "Fixed.", ran.stderr
    assert [call["name"] for call in result["tool_calls"]] == ["read_file", "edit", "run_shell_command"]
    assert {call["status"] for call in result["tool_calls"]} == {"completed"}
    assert "OK" in result["tool_calls"][2]["result"]
    assert result["errors"] == []
    assert '"+": 1,' in Path(path).read_text(encoding="utf-8")


@pytest.mark.long
@pytest.mark.parametrize(
    ("package", "command", "kept"),
    [
        ("@qwen-code/qwen-code@0.15.10", "qwen", ""),
        ("@google/gemini-cli@0.61.0", "gemini --skip-trust -m gemini-2.5-pro --approval-mode yolo -p", "gemini-cli"),
        ("@mariozechner/pi-coding-agent@0.73.1", "pi --provider glassbox --model glassbox-offline -p", "pi"),
    ],
)
def test_other_agents_repair_with_the_built_in_model_and_what_they_changed_can_be_undone(
    package: str, command: str, kept: str, run_main: Run, calculator: Path, tmp_path: Path
):
    if shutil.which("npm") is None:
        pytest.skip("npm is not there")
    install = ["npm", "install", "--silent", "--prefix", str(tmp_path / "npm"), package]
    assert subprocess.run(install, capture_output=True, timeout=300, check=False).returncode == 0
    before = (calculator / "pkg" / "calculator.py").read_bytes()
    settings = {"AGENT_CLI": command, "HOME": str(tmp_path / "home"), "GEMINI_API_KEY": "none", "PI_OFFLINE": "1"}
    settings["PATH"] = f"{tmp_path / 'npm' / 'node_modules' / '.bin'}:{':'.join(paths())}"
    with serve() as address:
        settings |= {"LMSTUDIO_BASE_URL": f"{address}/v1", "GEMINI_BASE_URL": address}
        for path, text in CLIENTS[kept].files.items() if kept else ():
            (tmp_path / "home" / path).parent.mkdir(parents=True)
            (tmp_path / "home" / path).write_text(text.format(address=address), encoding="utf-8")
        (tmp_path / "home").mkdir(exist_ok=True)
        asked = ("fix the bug", "--provider", "cli", "--json", "--allow-unconfined", "--workdir", str(calculator))
        ran = run_main(*asked, **settings)
    result = json.loads(ran.stdout)
    assert result["stop_reason"] == "answered", ran.stderr
    assert "All 9 tests passed" in result["answer"]
    assert '"+": 1,' in (calculator / "pkg" / "calculator.py").read_text(encoding="utf-8")
    assert run_main("--undo", "--force", **settings).returncode == 0
    assert (calculator / "pkg" / "calculator.py").read_bytes() == before


def paths() -> list[str]:
    import os

    return os.environ["PATH"].split(os.pathsep)
