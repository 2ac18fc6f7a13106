"""The built-in model and clients that are not ours: whole repairs through the tools of seven of them, as they were
recorded, and what is said where that cannot be."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest

from cli.reset import shipped
from functions.run_tests import PLAIN
from functions.tool import Catalogue
from jobs import coder
from list_functions import openai_tools
from offline import minds
from offline.foreign import OUR_PROMPT, answering, is_ours
from offline.foreign.hands import changed_piece, names_in, text_of
from offline.foreign.kit import kit_of, root_in
from offline.foreign.shell import plain
from offline.foreign.spoken import task_in
from offline.wire import openai
from offline.wire.conversation import Conversation, Decision
from offline.wire.server import serve
from prompts import EVERYBODY, system_prompt

pytestmark = pytest.mark.usefixtures("the_same_search_is_made_once")
RECORDED = json.loads(Path(__file__).with_name("foreign_clients.json").read_text("utf-8"))
OUR_TOOLS = openai_tools(Catalogue(coder.JOB.tools({})))
posix = pytest.mark.skipif(sys.platform == "win32", reason="these clients' shells are POSIX shells")


def shell(folder: Path, command: str) -> tuple[int, str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    # An edit of equal length within a second of the last run would else meet the bytecode of before.
    environment = {"PATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, timeout=60
    )
    return done.returncode, done.stdout + done.stderr


def run(folder: Path, name: str, given: dict[str, Any]) -> str:
    """What a tool of this name does, in any of the clients."""
    path = folder / str(given.get("path") or given.get("file_path") or given.get("directory") or ".")
    if name.startswith("list"):
        items = [f"[DIR] {each.name}" if each.is_dir() else each.name for each in sorted(path.iterdir())]
        return "\n".join([f"Listed {len(items)} item(s) in {path}:", "---", *items])
    if name == "read_file":
        return path.read_text("utf-8")
    if name == "write_file":
        path.write_text(given["content"], "utf-8")
        return f"wrote {path}"
    if name == "edit":
        text = path.read_text("utf-8")
        assert text.count(given["old_string"]) == 1
        path.write_text(text.replace(given["old_string"], given["new_string"]), "utf-8")
        return f"The file {path} has been updated."
    command = "python3 -m unittest tests" if name == "run_tests" else given["command"]
    return "\n".join(map(str, shell(folder, command)))


def vibes(name: str, told: str) -> str:
    key = {"bash": "stdout", "read_file": "content"}.get(name, "file")
    return json.dumps({"command": "x" * 500, "returncode": 0, key: told})


def qwens(name: str, told: str) -> str:
    return f"Command: it\nDirectory: (root)\nOutput: {told}\nError: (none)\nExit Code: 0" if "shell" in name else told


WORDS: dict[str, Callable[[str, str], str]] = {
    "mini-swe-agent": lambda name, told: json.dumps({"returncode": 0, "output": told}),
    "mistral-vibe": vibes,
    "qwen-code": lambda name, told: qwens(name, told.partition("\n")[2] if "shell" in name else told),
}


def as_text(said: str, calls: list[dict[str, Any]], results: list[str]) -> list[dict[str, Any]]:
    """A turn in the words of smolagents, which tells calls and results as text."""
    told = [
        {**call, "function": {**call["function"], "arguments": json.loads(call["function"]["arguments"])}}
        for call in calls
    ]
    return [
        {"role": "assistant", "content": f"{said}\nCalling tools:\n{told}"},
        {"role": "user", "content": "Observation:\n" + "\n".join(results)},
    ]


def play(name: str, folder: Path, prompt: str = "fix the bug") -> tuple[str, int]:
    """Be the client until the model has answered; the answer, and how many requests it took."""
    told = json.dumps(RECORDED[name]).replace("{root}", str(folder)).replace("fix the bug", prompt)
    body = json.loads(told)
    for message in body["messages"]:
        if name == "aider":
            message["content"] = message["content"].replace("{files}", files_shown(folder))
    with serve() as address:
        for requests in range(1, 25):
            reply = httpx2.post(f"{address}/v1/chat/completions", json=body, timeout=90).json()
            message = reply["choices"][0]["message"]
            calls, said = message.get("tool_calls") or [], message.get("content") or ""
            given = [json.loads(call["function"]["arguments"]) for call in calls]
            if ended := [each for each in given if "answer" in each or "COMPLETE_TASK" in str(each.get("command"))]:
                return ended[0].get("answer", said), requests
            if not calls:
                return said, requests
            names = [call["function"]["name"] for call in calls]
            word = WORDS.get(name, lambda _, told: told)
            results = [word(tool, run(folder, tool, each)) for tool, each in zip(names, given, strict=True)]
            if name == "smolagents":
                body["messages"] += as_text(said, calls, results)
                continue
            body["messages"].append(message)
            body["messages"] += [
                {"role": "tool", "tool_call_id": call["id"], "content": result}
                for call, result in zip(calls, results, strict=True)
            ]
    raise AssertionError(f"no end: {body['messages'][-2:]}")


def files_shown(folder: Path) -> str:
    names = ("main.py", "pkg/calculator.py", "tests.py")
    return "\n".join(f"{name}\n```\n{(folder / name).read_text('utf-8')}```\n" for name in names)


def at_once_or_long(name: str) -> object:
    """Of the clients with a shell one and of those with tools one; all of them with the long tests."""
    return pytest.param(name, marks=[pytest.mark.long] * (name not in ("mini-swe-agent", "qwen-code")))


@pytest.mark.long
@posix
@pytest.mark.parametrize("name", [at_once_or_long(name) for name in RECORDED if name != "aider"])
def test_the_calculator_is_repaired_through_a_recorded_clients_own_tools(name: str, calculator: Path):
    answer, requests = play(name, calculator)
    assert answer.startswith("Fixed. pkg/calculator.py, line 19"), answer
    assert "Tests now: All 9 tests passed" in answer
    assert requests < 15
    assert str(PLAIN.function(calculator)).startswith("All 9 tests passed")
    original = shipped()["pkg/calculator.py"].decode("utf-8")
    now = (calculator / "pkg/calculator.py").read_text("utf-8")
    assert now == original.replace('"+": 3', '"+": 1')


@pytest.mark.long
def test_a_client_without_tools_is_given_the_whole_file_that_changed(calculator: Path):
    answer, requests = play("aider", calculator)
    path, text = re.search(r"^(pkg/calculator\.py)\n```\n(.*?)^```", answer, re.M | re.S).groups()  # type: ignore[union-attr]
    (calculator / path).write_text(text, "utf-8")
    assert requests == 1
    assert str(PLAIN.function(calculator)).startswith("All 9 tests passed")
    assert "in my own copy" in answer


@pytest.mark.long
def test_a_client_that_wants_blocks_is_given_the_piece_that_changes(calculator: Path):
    body = json.loads(json.dumps(RECORDED["aider"]))
    for message in body["messages"]:
        message["content"] = message["content"].replace("{files}", files_shown(calculator))
    body["messages"][0]["content"] = "Give every change as a *SEARCH/REPLACE block*."
    answer = decided(body).text
    _, found = answer.split("pkg/calculator.py\n```python\n")
    assert '<<<<<<< SEARCH\n"+": 3,\n=======\n"+": 1,\n>>>>>>> REPLACE' in found


@pytest.mark.sample(1)
@posix
@pytest.mark.parametrize("name", [at_once_or_long(name) for name in ("mini-swe-agent", "qwen-code", "pydantic-ai")])
def test_a_question_changes_nothing_through_a_strangers_tools_either(name: str, calculator: Path):
    before = (calculator / "pkg/calculator.py").read_bytes()
    answer, _ = play(name, calculator, "what is wrong?")
    assert "it should be" in answer
    assert "I changed nothing" in answer
    assert (calculator / "pkg/calculator.py").read_bytes() == before


@posix
@pytest.mark.long
def test_a_block_of_commands_is_a_shell_too(calculator: Path):
    """The other way that mini-swe-agent has: one command in a block, what it printed as the next message."""
    system = "Answer with ONE command:\n\n```mswea_bash_command\nyour_command_here\n```"
    task = f"Please solve this issue: fix the bug\n\nYou can run commands.\n\n{RECORDED['mini-swe-agent']['messages'][1]['content'][-900:]}"
    messages = [
        {"role": "system", "content": system},
        {"role": "user", "content": f"{task} `echo COMPLETE_TASK_AND_SUBMIT`"},
    ]
    for _ in range(20):
        said = decided({"messages": messages}).text
        command = re.search(r"```mswea_bash_command\n(.*?)\n```", said, re.S)[1]  # type: ignore[index]
        if "COMPLETE_TASK" in command:
            break
        code, told = shell(calculator, command)
        output = f"<returncode>{code}</returncode>\n<output>\n{told}</output>"
        messages += [{"role": "assistant", "content": said}, {"role": "user", "content": output}]
    assert "Fixed. pkg/calculator.py" in said
    assert str(PLAIN.function(calculator)).startswith("All 9 tests passed")


def tool(name: str, *parameters: str, required: int | None = None, kind: str = "string") -> dict[str, Any]:
    properties = {each: {"type": kind} for each in parameters}
    schema = {"type": "object", "properties": properties, "required": list(parameters[:required])}
    return {"type": "function", "function": {"name": name, "description": name, "parameters": schema}}


def decided(body: dict[str, Any]) -> Decision:
    return minds.decide(openai.read_request(body), lambda line: None, threading.Event())


def asked(prompt: str, *tools: dict[str, Any], **more: Any) -> Decision:
    return decided({"messages": [{"role": "user", "content": prompt}], "tools": list(tools), **more})


def test_tools_that_are_not_enough_are_named_in_one_sentence_with_those_that_would_do():
    said = asked("fix the bug", tool("get_weather", "city"), tool("read_file", "path")).text
    assert said.startswith("I can't do this with the tools that I was given (get_weather, read_file), because")
    assert "a shell" in said
    assert said.count(". ") == 0
    answer = asked("fix the bug", tool("get_weather", "city"), tool("final_answer", "answer"))
    assert answer.calls[0].arguments["answer"].startswith("I can't do this")


def test_without_tools_and_files_it_is_said_what_is_missing():
    assert "neither a tool nor a file" in decided({"messages": [{"role": "user", "content": "fix the bug"}]}).text


def test_a_listing_that_cannot_be_read_is_shown_and_never_called_empty():
    tools = [tool("list_files", "path", required=0), tool("read_file", "path"), tool("write_file", "path", "content")]
    call = {"id": "a", "type": "function", "function": {"name": "list_files", "arguments": '{"path": "."}'}}
    for told in ("<dir>$$ 7 things %% here</dir>", "error: no such directory"):
        messages = [
            {"role": "user", "content": "fix the bug"},
            {"role": "assistant", "content": "", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "a", "content": told},
        ]
        answer = decided({"messages": messages, "tools": tools}).text
        assert told in answer
        assert answer.startswith("I can't")


def test_our_own_list_tool_with_another_format_is_never_called_empty_either():
    call = {"id": "a", "type": "function", "function": {"name": "get_dir_info", "arguments": "{}"}}
    messages = [
        {"role": "user", "content": "list the files"},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "a", "content": "main.py 12 bytes"},
    ]
    answer = decided({"messages": messages, "tools": OUR_TOOLS}).text
    assert answer == "I can't read the listing that get_dir_info gave: main.py 12 bytes"


def test_a_clients_own_errands_change_nothing():
    """What qwen-code asks for behind the person's back: the task before it is not done again."""
    body = json.loads(json.dumps(RECORDED["qwen-code"]))
    errand = "Managed memory directory: `/x`\n\nScan the recent conversation history and update durable managed memory."
    body["messages"] += [{"role": "assistant", "content": "Fixed."}, {"role": "user", "content": errand}]
    assert not decided(body).calls


@pytest.mark.parametrize(
    ("schema", "role"),
    [
        (tool("bash", "command"), "shell"),
        (tool("Execute", "cmd", "cwd", required=1), "shell"),
        (tool("shell", "command", kind="array"), "shell"),
        (tool("monitor", "command"), ""),
        (tool("run_query", "query"), ""),
        (tool("ls", "path"), "list"),
        (tool("list_dir", required=0), "list"),
        (tool("view_file", "file_path", "offset", required=1), "read"),
        (tool("read_many_files", "paths"), ""),
        (tool("str_replace", "path", "old_str", "new_str"), "edit"),
        (tool("create_file", "path", "content"), "write"),
        (tool("append_file", "path", "content"), ""),
        (tool("run_tests", required=0), "test"),
        (tool("attempt_completion", "result"), "answer"),
    ],
)
def test_a_tool_is_recognised_by_what_it_takes(schema: dict[str, Any], role: str):
    name = schema["function"]["name"]
    assert kit_of({name: schema["function"]}, "").role_of(name) == role


@pytest.mark.parametrize(
    "listing",
    [
        "pkg/\nmain.py",
        '["pkg/", "main.py"]',
        "['pkg', 'main.py']",
        "[DIR] pkg\n[FILE] main.py (20 bytes)",
        ".\n├── pkg/\n└── main.py",
        "total 8\ndrwxr-xr-x 2 me me 4096 Nov 23 19:00 pkg\n-rw-r--r-- 1 me me   20 Nov 23 19:00 main.py",
        "- pkg: file_size=0 bytes, is_dir=True\n- main.py: file_size=20 bytes, is_dir=False",
    ],
)
def test_listings_are_read_however_they_are_laid_out(listing: str):
    found = names_in(listing)
    assert found.keys() == {"pkg", "main.py"}
    assert found["pkg"] is None
    assert found["main.py"] is not None


def test_a_file_that_was_written_whole_counts_as_the_piece_that_changed():
    assert changed_piece("a\nb\nc\n", "a\nB\nc\n") == ("b\n", "B\n")
    assert changed_piece("a\nb\n", "a\nx\nb\n") == ("a\nb\n", "a\nx\nb\n")
    assert changed_piece("p\np\nq\n", "p\nr\nq\n") == ("p\np\nq\n", "p\nr\nq\n")


def test_what_clients_put_around_a_text_is_taken_off():
    assert text_of("     1\tx = 1\n     2\t\n     3\ty = 2", "a.py") == "x = 1\n\ny = 2\n"
    assert text_of("1 apple\n1 pear", "a.txt") == "1 apple\n1 pear"
    assert [text_of(words, "a.py") for words in ("(see attached image)", "<file is empty>", "(no output)")] == [""] * 3
    assert text_of("EMPTY = ()\n", "a.py") == "EMPTY = ()\n"
    assert text_of("print(empty)", "a.py") == "print(empty)"
    assert plain('{"path": "a/long/path.py", "content": ""}') == ""
    assert plain('{"content": "x = 1", "was_truncated": true}') == "x = 1\n[cut by the client]"
    assert root_in("Example: project root is /path/to/project. I'm working in the directory: /srv/app\n") == "/srv/app"


@pytest.mark.parametrize(
    ("prompt", "task"),
    [
        ("New task:\nfix the bug", "fix the bug"),
        ("Please solve this issue: fix the bug\n\nYou can run commands.\n\nDo not change tests.", "fix the bug"),
        ("fix the bug\n\nTo suggest changes you MUST return the file.", "fix the bug"),
        ("Look around.\n\nFix the bug.", "Look around.\n\nFix the bug."),
        ("<context>\nToday is <b>Monday</b>.\n</context>\n<rules>No bugs.</rules>fix the bug", "fix the bug"),
        ("<task>fix the bug</task>", "<task>fix the bug</task>"),
    ],
)
def test_the_task_is_what_the_person_said_and_not_what_stands_further_down(prompt: str, task: str):
    assert task_in(prompt) == task


SHELL = tool("bash", "command")["function"]


def test_conversations_of_our_own_go_the_way_they_went():
    for wanted in ("fix the bug", "what is the weather?"):
        body = {"messages": [{"role": "user", "content": wanted}], "tools": OUR_TOOLS}
        assert is_ours(openai.read_request(body))
    assert OUR_PROMPT == EVERYBODY
    ours = Conversation("fix the bug", system=system_prompt("A job.", "And more."), schemas={"bash": SHELL})
    assert is_ours(ours)
    assert not is_ours(replace(ours, system=""))
    assert answering.is_foreign(replace(ours, system=""), is_strange=True)
    strange = Conversation("restart billing", schemas={"restart": {"name": "restart"}})
    assert not answering.is_foreign(strange, is_strange=True)


def test_where_results_come_as_one_text_calls_are_made_one_at_a_time(calculator: Path):
    tools = RECORDED["pydantic-ai"]["tools"]
    listed = {"id": "a", "type": "function", "function": {"name": "list_files", "arguments": "{}"}}
    messages = [
        {"role": "user", "content": "fix the bug"},
        {"role": "assistant", "content": "", "tool_calls": [listed]},
        {"role": "tool", "tool_call_id": "a", "content": "a.py\nb.py\ntests.py"},
    ]
    assert len(decided({"messages": messages, "tools": tools}).calls) == 3
    assert len(decided({"messages": messages, "tools": tools, "parallel_tool_calls": False}).calls) == 1


def test_the_recorded_calls_are_python_where_smolagents_writes_them():
    told = as_text("x", [{"id": "a", "function": {"name": "read_file", "arguments": '{"path": "a"}'}}], ["it"])
    assert ast.literal_eval(told[0]["content"].partition("tools:\n")[2])[0]["function"]["arguments"] == {"path": "a"}
