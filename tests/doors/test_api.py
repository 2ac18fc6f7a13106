"""The Python interface: explicit, quiet, safe from several threads, light to import."""

from __future__ import annotations

import asyncio
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from cli.reset import put_calculator
from config import PROJECT, Settings
from doors.api import Agent, AgentConfig, ConfigError, settings_of
from jobs.auditor.settings import AuditorSettings
from jobs.librarian.settings import LibrarianSettings

LIST = "what files are in the root?"


@pytest.fixture
def config(calculator: Path) -> AgentConfig:
    return AgentConfig(working_directory=calculator)


def test_importing_it_loads_no_sdk_and_no_mcp():
    program = (
        "import sys, doors.api\n"
        "heavy = {'openai', 'google', 'mcp', 'yaml', 'httpx2', 'rich', 'dotenv', 'asyncio.subprocess'} & set(sys.modules)\n"
        "sys.exit(str(heavy - {'asyncio.subprocess'}) if heavy - {'asyncio.subprocess'} else 0)"
    )
    ran = subprocess.run([sys.executable, "-c", program], cwd=PROJECT, capture_output=True, timeout=60, check=False)
    assert ran.returncode == 0, ran.stderr.decode()


def test_a_run_gives_a_result_and_prints_nothing(config: AgentConfig, capfd: pytest.CaptureFixture[str]):
    result = Agent(config).run(LIST)
    assert result.stop_reason == "answered"
    assert "main.py" in result.answer
    assert result.tool_calls[0]["name"] == "get_dir_info"
    assert capfd.readouterr() == ("", "")


def test_the_environment_changes_nothing(config: AgentConfig, monkeypatch: pytest.MonkeyPatch):
    for name, value in (("LLM_PROVIDER", "gemini"), ("MAX_ITERS", "nonsense"), ("GLASSBOX_WORKING_DIRECTORY", "/gone")):
        monkeypatch.setenv(name, value)
    assert Agent(config).run(LIST).provider == "offline"


def test_it_installs_no_signal_handlers(config: AgentConfig):
    import signal

    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    seen: list[object] = []
    Agent(
        AgentConfig(**{**vars(config), "listeners": [lambda event: seen.append(signal.getsignal(signal.SIGTERM))]})
    ).run(LIST)
    assert set(seen) == {before[1]}
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before


def test_several_threads_may_use_one_agent(config: AgentConfig):
    agent, results = Agent(config), []
    threads = [threading.Thread(target=lambda: results.append(agent.run("read main.py"))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert [result.stop_reason for result in results] == ["answered"] * 4
    assert len({result.answer for result in results}) == 1
    assert all(len(result.tool_calls) == 1 for result in results)


def test_arun_leaves_the_event_loop_free(config: AgentConfig):
    async def several() -> tuple[list[str], int]:
        agent, ticks = Agent(config), 0
        running = [asyncio.create_task(agent.arun(LIST)) for _ in range(2)]
        while not all(task.done() for task in running):
            ticks += 1
            await asyncio.sleep(0.005)
        return [(await task).stop_reason for task in running], ticks

    reasons, ticks = asyncio.run(several())
    assert reasons == ["answered", "answered"]
    assert ticks > 5


def test_events_tell_the_run_and_end_with_its_result(config: AgentConfig):
    events = list(Agent(config).events(LIST))
    kinds = [event.kind for event in events]
    assert kinds[0] == "started"
    assert kinds.index("call_started") < kinds.index("call_finished")
    assert kinds[-1] == "finished"
    assert events[-1].result.stop_reason == "answered"


def test_closing_the_events_interrupts_the_run(config: AgentConfig):
    last: list[str] = []
    agent = Agent(AgentConfig(**{**vars(config), "listeners": [lambda event: last.append(event.kind)]}))
    for event in agent.events("fix the bug"):
        if event.kind == "call_started":
            break
    assert last[-1] == "finished"
    assert not any(thread.name == "glassbox" for thread in threading.enumerate())


def test_a_listener_that_fails_ends_no_run_and_hears_no_more_of_it(config: AgentConfig):
    first: list[str] = []
    second: list[str] = []

    def fails(event: object) -> None:
        first.append(event.kind)  # type: ignore[attr-defined]
        raise ValueError("mine")

    listeners = [fails, lambda event: second.append(event.kind)]
    result = Agent(AgentConfig(**{**vars(config), "listeners": listeners})).run(LIST)
    assert result.stop_reason == "answered"
    assert first == second[:1], "the others hear each event, and once"
    assert second[-1] == "finished"
    assert any("fails failed and hears no more of this run (ValueError: mine)" in error for error in result.errors)


def test_cancelling_arun_interrupts_the_run(config: AgentConfig):
    happened: list[object] = []

    async def cancel() -> None:
        loop, begun = asyncio.get_running_loop(), asyncio.Event()
        listen = lambda event: (happened.append(event), loop.call_soon_threadsafe(begun.set))  # noqa: E731
        task = asyncio.create_task(Agent(AgentConfig(**{**vars(config), "listeners": [listen]})).arun("fix the bug"))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancel())
    assert happened[-1].kind == "finished"  # type: ignore[attr-defined]
    assert happened[-1].result.stop_reason == "interrupted"  # type: ignore[attr-defined]


def test_a_call_that_changes_something_is_asked_for(config: AgentConfig):
    asked: list[str] = []
    config = AgentConfig(**{**vars(config), "approve": lambda call: asked.append(call.name) or "the person said no"})
    result = Agent(config).run("run the tests")
    assert asked == ["run_tests"]
    assert "the person said no" in result.tool_calls[0]["result"]


def test_the_examples_of_the_page_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    put_calculator(tmp_path / "calculator")
    shutil.copytree(PROJECT / "samples" / "operator", tmp_path / "samples" / "operator")
    monkeypatch.chdir(tmp_path)
    page = (PROJECT / "docs" / "python.md").read_text(encoding="utf-8")
    examples = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    for example in examples:
        exec(compile(example, "docs/python.md", "exec"), {"__name__": "example"})
    said = capsys.readouterr().out
    assert len(examples) >= 5
    assert "answered 2" in said
    assert "get_dir_info" in said
    assert "['answered', 'answered']" in said
    assert "error Error: not during the day" in said
    assert "error 10" in said


@pytest.mark.parametrize(
    "wrong",
    [
        {"provider": "nobody"},
        {"job": "nothing"},
        {"settings": {"no_such_setting": 1}},
        {"provider": "gemini", "api_key": "\u201ck\u201d"},
    ],
)
def test_what_cannot_be_is_said_when_the_agent_is_made(wrong: dict):
    with pytest.raises(ConfigError):
        Agent(AgentConfig(**wrong))


@pytest.mark.parametrize(("provider", "prefix"), [("lmstudio", "lmstudio"), ("cli", "lmstudio"), ("gemini", "gemini")])
def test_what_a_config_names_is_set_and_the_rest_has_its_default(tmp_path: Path, provider: str, prefix: str):
    given = {"model": "m", "api_key": "k"} | ({"base_url": "http://x/v1/"} if prefix == "lmstudio" else {})
    limits = {"max_iters": 3, "max_calls": 4, "max_seconds": 5}
    named = AgentConfig(provider=provider, mcp=["files"], skills=[tmp_path], **given, **limits)
    settings = settings_of(named, tmp_path / "workplace")
    expected = {f"{prefix}_{name}": value.rstrip("/") for name, value in given.items()} | limits
    expected |= {"llm_provider": provider, "working_directory": tmp_path / "workplace"}
    expected |= {"mcp": ("files",), "skills_paths": (str(tmp_path),)}
    assert vars(settings) == vars(Settings()) | expected
    bare = settings_of(AgentConfig(provider=provider, working_directory="~/x", settings={"max_repeats": 7}), tmp_path)
    assert (bare.max_repeats, bare.working_directory) == (7, Path("~/x").expanduser())
    assert bare.lmstudio_base_url == Settings().lmstudio_base_url


def test_what_a_job_alone_has_of_settings_is_given_by_name_and_checked_when_the_agent_is_made(tmp_path: Path):
    named = AgentConfig(job="coder", settings={"api_writes": True, "run_gate": "OFF", "max_repeats": 7})
    settings = settings_of(named, tmp_path)
    assert settings.of(LibrarianSettings) == LibrarianSettings(api_writes=True)
    assert (settings.of(AuditorSettings).run_gate, settings.max_repeats) == ("off", 7)
    with pytest.raises(ConfigError, match="the setting audit_compare is 'many', but"):
        Agent(AgentConfig(job="auditor", settings={"audit_compare": "many"}))


def test_what_cannot_be_used_is_said_when_it_runs(config: AgentConfig, tmp_path: Path):
    with pytest.raises(ConfigError, match="does not exist"):
        Agent(AgentConfig(working_directory=tmp_path / "gone")).run(LIST)
    with pytest.raises(ConfigError, match="prompt is empty"):
        Agent(config).run("  ")
    with pytest.raises(ConfigError, match="no such folder"):
        Agent(AgentConfig(**{**vars(config), "skills": [tmp_path / "gone"]})).run(LIST)
    with pytest.raises(ConfigError, match="GEMINI_API_KEY"):
        Agent(AgentConfig(**{**vars(config), "provider": "gemini"})).run(LIST)
