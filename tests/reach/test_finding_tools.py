"""Servers with many tools: some are picked by the person, or all are found by search and not sent with each request."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

from config import ConfigError, load_settings
from doors.api import Agent, AgentConfig
from functions.tool import Tool
from jobs.equipment.find_tools import MOST_FOUND, MOST_SENT, Shelf, find_tools, words_in
from offline.wire.conversation import Call, Conversation, Decision
from offline.wire.server import serve
from reach.handed_on import plain_environment
from reach.mcp_server import Surroundings
from reach.mcp_servers import Servers

HOSTILE = Path(__file__).with_name("hostile_mcp_server.py")
THOUSAND = f"{sys.executable} {HOSTILE} 'a thousand tools'"


def tool(name: str, description: str = "") -> Tool:
    schema = {"name": name, "description": description, "parameters": {"type": "object", "properties": {}}}
    return Tool(name=name, function=lambda: "", schema=schema, reads_only=True)


MANY = [tool(f"files__spare_{number}") for number in range(MOST_SENT)]


@pytest.mark.long
@pytest.mark.parametrize("provider", ["lmstudio", "gemini"])
def test_of_a_thousand_tools_one_is_sent_that_finds_the_others_and_what_was_found_can_be_called(
    provider: str, tmp_path: Path
):
    offered: list[frozenset[str]] = []
    calls = (("find_tools", {"query": "act upon it"}), ("hostile_mcp_server__act", {"n": 1}))

    def decide(conversation: Conversation, *_: object) -> Decision:
        offered.append(conversation.tools)
        made = len(conversation.steps)
        return Decision("", (Call(*calls[made]),)) if made < 2 else Decision("done")

    with serve(decide=decide) as address:
        config = AgentConfig(
            provider,
            api_key="none",
            base_url=f"{address}/v1" if provider == "lmstudio" else address,
            job="operator",
            mcp=[THOUSAND],
            working_directory=tmp_path,
        )
        result = Agent(config).run("go")
    assert [call["status"] for call in result.tool_calls] == ["completed", "completed"], result.tool_calls
    assert [tool for tool in offered[0] if "__" in tool] == []
    assert "find_tools" in offered[0]
    assert offered[1] - offered[0] == offered[2] - offered[0] == {"hostile_mcp_server__act"}


def test_the_person_picks_tools_by_pattern_and_hears_of_one_that_no_server_has():
    around = Surroundings(plain_environment(), threading.Event(), print, wanted=("*__tool99?", "*__nothing"))
    servers = Servers([THOUSAND], around, lambda name: None)
    try:
        [server] = servers
        assert {tool.name for tool in server.tools} == {f"hostile_mcp_server__tool99{last}" for last in range(10)}
        expected = "--mcp-tools *__nothing: no server has such a tool (they are called SERVER__TOOL)."
        assert expected in servers.about()
    finally:
        servers.close()


def test_patterns_come_from_the_command_line_or_the_environment_and_never_by_a_plain_name():
    assert load_settings({"mcp_tools": ["a__* b__c", "d__e"]}, {}).mcp_tools == ("a__*", "b__c", "d__e")
    assert load_settings({}, {"GLASSBOX_MCP_TOOLS": "a__*"}).mcp_tools == ("a__*",)
    assert load_settings({}, {"MCP_TOOLS": "a__*"}).mcp_tools == ()


def test_few_tools_are_all_sent_and_tools_with_long_schemas_are_not():
    assert Shelf().offered(MANY) == MANY
    assert [each.name for each in Shelf().offered([*MANY, tool("files__read")])] == ["find_tools"]
    assert [each.name for each in Shelf().offered([tool("a__b", "x" * 40_000)])] == ["find_tools"]


def test_a_word_in_a_name_counts_more_than_one_in_a_description_and_what_was_found_stays_in_its_place():
    shelf = Shelf()
    tools = [*MANY, tool("files__other", "It can read files."), tool("files__readFiles"), tool("files__write", "reads")]
    shelf.offered(tools)
    assert [each.name for each in shelf.find("read a file")][:2] == ["files__readFiles", "files__other"]
    before = [each.name for each in shelf.offered(tools)]
    assert before[:3] == ["find_tools", "files__readFiles", "files__other"]
    assert len(before) == 1 + MOST_FOUND
    assert len(shelf.find("spare 7")) == MOST_FOUND
    assert [each.name for each in shelf.offered(tools)][: len(before)] == before
    assert [each.name for each in shelf.offered(tools[:MOST_SENT])] == [each.name for each in MANY]


def test_what_nothing_fits_is_a_sentence_with_the_servers_and_how_much_they_have():
    shelf = Shelf()
    shelf.offered([*MANY, tool("git__log")])
    said = find_tools(shelf, "qqq")
    assert said == (
        "Error: no tool has a word of 'qqq'. There are tools of files (40 tools), git (1 tools): try other words"
    )
    assert words_in("listAllFiles boxes_of-USB2 as is") == ["list", "all", "file", "box", "of", "usb2", "as", "is"]


def test_without_servers_a_pattern_is_no_trouble(tmp_path: Path):
    with pytest.raises(ConfigError, match="no such|there is no program|cannot be used"):
        Servers(["/no/such/program"], Surroundings({}, threading.Event(), print, wanted=("a",)), lambda name: None)
