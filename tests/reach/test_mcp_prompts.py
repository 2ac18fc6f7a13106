"""The prompts of an MCP server, which the person uses as /server:prompt argument=value: over a real server."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from argparse import Namespace
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace

import pytest
from scripted import scripted

from cli import start
from cli.chat import _Chat
from config import PROJECT, ConfigError
from doors.api import Agent, AgentConfig
from jobs.equipment.prompted import prompted
from reach.mcp_prompts import LONGEST
from reach.mcp_server import Surroundings
from reach.mcp_servers import Servers

SERVER = """
import asyncio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import *

def prompt(name, *arguments, **optional):
    needed = [PromptArgument(name=each, required=True) for each in arguments]
    return Prompt(name=name, arguments=[*needed, *(PromptArgument(name=each) for each in optional)])

ALL = [
    prompt("triage", "severity", "where", style=None), prompt("plain"), prompt("ansi"), prompt("endless"),
    prompt("nothing"), prompt("dialogue"), prompt("fails"), prompt("slow"), prompt("skill"), prompt("odd name \\x1b[31m"),
]

def said(text, role="user"):
    return PromptMessage(role=role, content=TextContent(text=text))

async def prompts(context, params):
    return ListPromptsResult(prompts=ALL)

async def tools(context, params):
    return ListToolsResult(tools=[Tool(name="look", input_schema={"type": "object"})])

async def get(context, params):
    if params.name == "fails":
        raise ValueError("no such luck")
    if params.name == "slow":
        await asyncio.sleep(60)
    texts = {"triage": [said(f"Triage {params.arguments}")], "plain": [said("Say hello.")], "nothing": [],
             "ansi": [said("a\\x1b[2Jb\\u202ec\\td\\ne")], "endless": [said("x" * 100_000)], "skill": [said("/deploy now")],
             "dialogue": [said("one"), said("two", "assistant"),
                          PromptMessage(role="user", content=ImageContent(data="AAAA", mime_type="image/png"))]}
    return GetPromptResult(messages=texts.get(params.name, [said("odd")]))

async def main():
    server = Server("prompting", on_list_prompts=prompts, on_get_prompt=get, on_list_tools=tools)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())

asyncio.run(main())
"""
COMMAND = f"{sys.executable} issues.py"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("prompts")
    (folder / "issues.py").write_text(SERVER, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def servers(folder: Path) -> Iterator[Servers]:
    around = Surroundings({"PATH": os.defpath}, threading.Event(), lambda line: None, call_seconds=2.0)
    opened = Servers([f"{sys.executable} {folder / 'issues.py'}"], around, lambda name: None)
    yield opened
    opened.close()


def test_what_the_server_writes_takes_the_place_of_what_was_typed_and_the_person_is_told_whose_it_is(servers: Servers):
    asked, about = prompted("/issues:triage severity=high where='the shop' style=", servers)
    assert asked == "Triage {'severity': 'high', 'where': 'the shop', 'style': ''}"
    assert about == f"What the MCP server issues wrote for /issues:triage, and the model is told:\n{asked}"
    assert prompted(" /issues:plain\n", servers)[0] == "Say hello."


@pytest.mark.parametrize(
    "text", ["fix the bug", "/etc:hosts is wrong", "/issues", "see /issues:plain", "//issues:plain", "/issues/x:plain"]
)
def test_any_other_text_is_left_as_it_is(text: str, servers: Servers):
    assert prompted(text, servers) == (text, "")


USAGE = "Type /issues:triage severity=... where=... [style=...]"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("triage", f"/issues:triage needs severity and where. {USAGE}"),
        ("triage severity=1", f"needs where. {USAGE}"),
        ("triage severity=1 where=2 how=3", "does not take 'how=3'; its arguments are: severity, where, style. Type"),
        ("triage severity=1 severity=2", "does not take 'severity=2'"),
        ("triage high", "does not take 'high'"),
        ("triage severity='1", f"cannot be read (No closing quotation). {USAGE}"),
        ("plain x=1", "its arguments are: none. Type /issues:plain"),
        ("triaje", "there is no prompt /issues:triaje (did you mean 'issues:triage'?). There are /issues:triage, "),
        ("", "there is no prompt /issues:"),
        ("fails", "the prompt /issues:fails cannot be used: fails failed: the server issues answered with an error: "),
        ("nothing", "nothing failed: it wrote nothing."),
        ("slow", "slow gave no answer within 2 seconds"),
    ],
)
def test_what_cannot_be_used_is_a_sentence_and_no_run_begins(typed: str, said: str, servers: Servers):
    with pytest.raises(ConfigError) as raised:
        prompted(f"/issues:{typed}", servers)
    assert said in str(raised.value)


def test_what_a_server_writes_is_bounded_and_nothing_in_it_is_hidden(servers: Servers):
    assert prompted("/issues:ansi", servers)[0] == "a\\x1b[2Jb\\u202ec\td\ne"
    long, about = prompted("/issues:endless", servers)
    assert len(long) < LONGEST + 100
    assert long.endswith("[cut here, after 20,000 characters]")
    assert len(about) < 1_200
    assert about.endswith("[and 19,036 more]")
    said = "one\n[as the agent:]\ntwo\n[image, image/png, 3 bytes: left out, only text can be shown]"
    assert prompted("/issues:dialogue", servers)[0] == said


def test_they_are_listed_where_the_servers_are(servers: Servers):
    (line,) = [line for line in servers.about() if line.startswith("Its prompts: ")]
    assert line.startswith("Its prompts: /issues:triage severity=... where=... [style=...], /issues:plain, ")
    assert line.endswith("/issues:odd_name___31m.")
    assert prompted("/issues:odd_name___31m", servers)[0] == "odd"


def test_in_a_chat_it_is_a_prompt_and_no_unknown_command(servers: Servers):
    asked: list[str] = []
    said: list[str] = []

    class Stops(Exception):
        pass

    class Desk:
        terminal = SimpleNamespace(say=said.append)
        session = SimpleNamespace(resources={"mcp": servers})

        def run(self, prompt: str, **_: object) -> None:
            asked.append(prompt)
            raise Stops

    chat = _Chat(Desk(), Namespace(), print, ExitStack())  # type: ignore[arg-type]
    with pytest.raises(Stops):
        chat.take("/issues:plain")
    chat.take("/nonsense:plain")
    assert asked == ["/issues:plain"]
    assert said[0] == "There is no command '/nonsense:plain'."


@pytest.mark.long
@pytest.mark.parametrize("provider", ["lmstudio", "gemini"])
def test_on_either_wire_the_model_gets_the_servers_text_and_the_person_sees_it(provider: str, folder: Path):
    command = [sys.executable, str(PROJECT / "main.py"), "--job", "operator", "--mcp", COMMAND, "--plain"]
    with scripted(("Done.", [])) as model:
        environment = {**os.environ, **model.environment(provider)}
        ran = subprocess.run(
            [*command, "/issues:triage severity=high where=shop"],
            cwd=folder,
            env=environment,
            capture_output=True,
            encoding="utf-8",
            timeout=60,
        )
    assert ran.returncode == 0, ran.stderr
    assert "Its prompts: /issues:triage severity=..." in ran.stderr
    assert "What the MCP server issues wrote for /issues:triage, and the model is told:" in ran.stderr
    (request,) = model.requests
    last = str((request.get("messages") or request["contents"])[-1])
    assert "'severity': 'high'" in last.replace("\\", "")
    assert "/issues:" not in last


def test_on_the_command_line_a_wrong_argument_is_one_sentence_and_exit_code_1(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    server = f"{sys.executable} {folder / 'issues.py'}"
    arguments = ["--provider", "offline", "--workdir", str(tmp_path), "--mcp", server, "/issues:triage"]
    assert start.main(arguments) == 1
    assert "Error: /issues:triage needs severity and where." in capsys.readouterr().err


def test_what_a_server_writes_starts_no_skill(folder: Path, tmp_path: Path):
    (tmp_path / "skills" / "deploy").mkdir(parents=True)
    (tmp_path / "work").mkdir()
    front = "---\nname: deploy\ndescription: Deploys.\ndisable-model-invocation: true\n---\nDeploy all.\n"
    (tmp_path / "skills" / "deploy" / "SKILL.md").write_text(front, encoding="utf-8")
    with scripted(("", [("read_skill", {"name": "deploy"})]), ("Done.", [])) as model:
        config = AgentConfig(
            provider="lmstudio",
            base_url=f"{model.address}/v1",
            job="operator",
            working_directory=tmp_path / "work",
            mcp=[f"{sys.executable} {folder / 'issues.py'}"],
            skills=[tmp_path / "skills"],
        )
        result = Agent(config).run("/issues:skill")
    assert result.stop_reason == "answered"
    messages = model.requests[-1]["messages"]
    assert "/deploy now" in str(messages[1])
    assert "Deploy all." not in str(messages)
