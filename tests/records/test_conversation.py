"""Going on: with an earlier run, over either wire; with the person's instructions, consent and words in between."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scripted import Scripted, scripted

from agent.contracts import NOTE
from providers import gemini_wire, openai_wire
from records.folders import folders, read_events
from records.history import NO_ANSWER, NO_RESULT, history_of

Main = Callable[..., subprocess.CompletedProcess[str]]
READ = ("get_file_content", {"file_path": "pkg/render.py"})
LIST = ("get_dir_info", {"directory": "."})


@pytest.fixture
def go(run_main: Main, calculator: Path, tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs main.py on a scripted server, with the runs kept in `tmp_path / "kept"`."""

    def run(server: Scripted, provider: str, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        environment = {**server.environment(provider), "RUNS_DIRECTORY": str(tmp_path / "kept"), **more}
        ran = run_main(*arguments, "--workdir", str(calculator), **environment)
        assert ran.returncode == 0, ran.stderr
        return ran

    return run


def test_a_run_goes_on_over_the_other_wire_and_back_with_every_call_beside_its_result(go, tmp_path: Path):
    with (
        scripted(("I look.", [LIST, READ]), ("First answer.", []), ("Second answer.", [])) as lmstudio,
        scripted(("", [READ, READ, LIST]), ("Gemini's answer.", []), ("Its second.", [])) as gemini,
    ):
        go(lmstudio, "lmstudio", "first prompt")
        go(gemini, "gemini", "--continue", "second prompt")
        go(lmstudio, "lmstudio", "--continue", "third prompt")
        go(gemini, "gemini", "--continue", "fourth prompt")
    third = lmstudio.requests[-1]["messages"]
    paired(third)
    assert [m["content"] for m in third if m["role"] == "user"] == ["first prompt", "second prompt", "third prompt"]
    assert [m["content"] for m in third if m["role"] == "assistant"][-1] == "Gemini's answer."
    assert "Signature" not in json.dumps(third)
    # What came over this wire went back as it came, ids included; the others' calls got ids of their own.
    own = [call["id"] for m in third[:4] for call in m.get("tool_calls", ())]
    assert own == ["id-0-0", "id-0-1"]
    fourth = gemini.requests[-1]["contents"]
    answered_at_once(fourth)
    signed = [part.get("thoughtSignature") for c in fourth for part in c["parts"] if "functionCall" in part]
    assert signed[:2] == [None, None], "a foreign call has no signature"
    assert signed[2:] == [part["thoughtSignature"] for part in gemini.requests[1]["contents"][-2]["parts"]]
    assert all(signed[2:])
    kept = folders(tmp_path / "kept")
    assert len(kept) == 4
    assert len(history_of(kept[0])) == 12


def paired(messages: list[dict[str, Any]]) -> None:
    """Every call has its tool message directly after it, in order, and no id stands twice."""
    ids: list[str] = []
    for index, message in enumerate(messages):
        asked = [call["id"] for call in message.get("tool_calls", ())]
        answers = [m.get("tool_call_id") for m in messages[index + 1 : index + 1 + len(asked)]]
        assert answers == asked
        ids += asked
    assert len(set(ids)) == len(ids) == sum(message["role"] == "tool" for message in messages)


def answered_at_once(contents: list[dict[str, Any]]) -> None:
    """Every content with calls is followed by one of the role user with a response for each, in order."""
    for index, content in enumerate(contents):
        calls = [part["functionCall"]["name"] for part in content["parts"] if "functionCall" in part]
        if calls:
            following = contents[index + 1]
            assert following["role"] == "user"
            assert [part["functionResponse"]["name"] for part in following["parts"]] == calls


def test_continue_without_a_prompt_asks_the_last_one_again(go):
    with scripted(("One.", []), ("Two.", [])) as server:
        go(server, "lmstudio", "the only prompt")
        assert go(server, "lmstudio", "--continue").stdout == "Two.\n"
    said = [m["content"] for m in server.requests[-1]["messages"] if m["role"] != "system"]
    assert said == ["the only prompt", "One.", "the only prompt"]


@pytest.mark.parametrize("provider", ["lmstudio", "gemini"])
def test_what_a_gate_said_is_nobodys_prompt(go, calculator: Path, tmp_path: Path, provider: str):
    edit = ("edit_file", {"file_path": "pkg/calculator.py", "old_text": '"+": 3,', "new_text": '"+": 1,'})
    with scripted(("", [edit]), ("Done.", []), ("Done again.", []), ("Really.", []), ("Yes.", [])) as server:
        go(server, provider, "change it")
        go(server, provider, "--continue")
    entries = [entry for entry in history_of(folders(tmp_path / "kept")[0]) if entry["role"] == "user"]
    assert [entry["text"] for entry in entries if entry["by"] == "person"] == ["change it", "change it"]
    gates = [entry["text"] for entry in entries if entry["by"] == "glassbox"]
    assert len(gates) == 2
    assert all(text.startswith(NOTE) for text in gates)


def test_calls_that_were_written_as_text_stand_once_in_what_goes_on(go, tmp_path: Path):
    text = '<tool_call>{"name": "get_file_content", "arguments": {"file_path": "pkg/render.py"}}</tool_call>'
    with scripted((text, []), ("It draws a box.", []), ("You are welcome.", [])) as server:
        go(server, "lmstudio", "what is in it?")
        go(server, "lmstudio", "--continue", "thanks")
    said = [message for message in server.requests[-1]["messages"] if message["role"] != "system"]
    assert [message["role"] for message in said] == ["user", "assistant", "tool", "assistant", "user"]
    assert "tool_call>" not in json.dumps(said)
    paired(said)


def test_the_built_in_model_takes_no_objection_for_the_persons_wish():
    from offline.wire import conversation, gemini, openai

    assert NOTE.startswith(conversation.REMARK)
    said = ["list the files", f"{NOTE}You changed a.py."]
    chat = {"messages": [{"role": "user", "content": text} for text in said]}
    contents = {"contents": [{"role": "user", "parts": [{"text": text}]} for text in said]}
    for read in (openai.read_request(chat), gemini.read_request(contents)):
        assert (read.prompt, read.remarks) == ("list the files", ("You changed a.py.",))


def test_continue_needs_a_run_of_this_directory(run_main: Main, calculator: Path, tmp_path: Path):
    ran = run_main("--continue", "x", "--workdir", str(calculator), RUNS_DIRECTORY=str(tmp_path / "none"))
    assert ran.returncode == 1
    assert "no run of this working directory" in ran.stderr


def test_continue_elsewhere_names_the_command_that_goes_on_with_the_last_run(
    run_main: Main, calculator: Path, tmp_path: Path
):
    kept = {"RUNS_DIRECTORY": str(tmp_path / "kept")}
    notes = tmp_path / "my notes"
    notes.mkdir()
    ran = run_main("--job", "notekeeper", "The key hangs behind the door.", "--workdir", str(notes), **kept)
    assert ran.returncode == 0, ran.stderr
    ran = run_main("--continue", "where is the key?", "--workdir", str(calculator), **kept)
    assert ran.returncode == 1
    assert f"--job notekeeper --workdir '{notes}' --continue" in ran.stderr


def killed(tmp_path: Path, *lines: dict[str, Any]) -> Path:
    (tmp_path / "trace.jsonl").write_text("\n".join(json.dumps({"at": 0, **line}) for line in lines))
    return tmp_path


def test_a_killed_runs_calls_get_a_result_that_says_what_is_known(tmp_path: Path):
    calls = [
        {"id": "a", "name": "write_file", "arguments": '{"x": 1}'},
        {"id": "b", "name": "run_tests", "arguments": "["},
    ]
    message = {"role": "assistant", "content": "", "tool_calls": [{"id": "a"}, {"id": "b"}]}
    usage = {"input": None, "output": None}
    folder = killed(
        tmp_path,
        {"kind": "run"},
        {"kind": "message", "number": 0, "message": {"role": "user", "content": "go"}},
        {"kind": "request", "wire": "openai", "history": "messages", "messages": [[0, 1]], "set": {}, "unset": []},
        {"kind": "message", "number": 1, "message": message},
        {"kind": "replied", "text": "", "calls": calls, "message": 1, "usage": usage, "finish_reason": "tool_calls"},
        {"kind": "call_finished", "id": "a", "content": "written", "ok": True, "seconds": 0.1},
    )
    entries = history_of(folder)
    assert [result["content"] for result in entries[2]["results"]] == ["written", NO_RESULT]
    assert entries[-1]["text"] == NO_ANSWER
    paired(openai_wire.history(entries))
    answered_at_once(gemini_wire.history(entries))
    assert gemini_wire.history(entries)[1]["parts"][1]["functionCall"]["args"] == {}


def test_agents_md_is_read_into_the_system_prompt_bounded_and_told(go, calculator: Path, tmp_path: Path):
    (calculator / "AGENTS.md").write_text("Always answer in rhyme.\n" + "x" * 20_000)
    with scripted(("Done.", [])) as server:
        ran = go(server, "lmstudio", "go")
        go(server, "gemini", "go")
    system = server.requests[0]["messages"][0]["content"]
    assert "Always answer in rhyme." in system
    assert len(system) < 10_000
    assert "Always answer in rhyme." in json.dumps(server.requests[1]["systemInstruction"])
    assert "AGENTS.md is long: its first 8,000 of 20,024 characters are used." in ran.stderr
    assert next(read_events(folders(tmp_path / "kept")[0]))["instructions"].startswith("Always answer")


@pytest.mark.parametrize("provider", ["lmstudio", "gemini"])
def test_ask_without_a_terminal_refuses_what_writes_or_runs_and_lets_reading_be(go, calculator: Path, provider: str):
    write = ("write_file", {"file_path": "new.txt", "content": "n"})
    with scripted(("", [READ, write]), ("Done.", [])) as server:
        ran = go(server, provider, "--ask", "go")
    results = json.dumps(server.requests[1])
    assert "needs the person's consent" in results
    assert "def render_result" in results
    assert "Refused without a terminal" in ran.stderr
    assert not (calculator / "new.txt").exists()


@pytest.mark.long
def test_the_built_in_model_goes_on_over_either_wire(
    run_main: Main, calculator: Path, built_in_model: str, tmp_path: Path
):
    lmstudio = {"LLM_PROVIDER": "lmstudio", "LMSTUDIO_BASE_URL": f"{built_in_model}/v1"}
    gemini = {"LLM_PROVIDER": "gemini", "GEMINI_API_KEY": "a-secret-key", "GEMINI_BASE_URL": built_in_model}
    kept = {"RUNS_DIRECTORY": str(tmp_path / "kept")}
    place = ["--workdir", str(calculator)]
    assert "2 of 9" in run_main("run the tests", *place, **lmstudio, **kept).stdout
    assert "lorem.txt" in run_main("--continue", "what files are in the root?", *place, **gemini, **kept).stdout
    assert "def render_result" in run_main("--continue", "read pkg/render.py", *place, **lmstudio, **kept).stdout
