"""A server's tools in a run: kept apart, alone unless trusted, long results in pages, a list that changes."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

import pytest

from config import MAX_CHARACTERS, PROJECT
from doors.api import Agent, AgentConfig
from functions import ToolError
from jobs.equipment.read_more import read_more
from jobs.equipment.server_tools import tools_of
from offline.wire.conversation import Call, Conversation, Decision
from offline.wire.server import serve
from reach.mcp_server import McpServer, Surroundings
from reach.mcp_settings import ServerSettings
from reach.pages import Pages

HOSTILE = Path(__file__).with_name("hostile_mcp_server.py")
FLEET = PROJECT / "samples" / "operator" / "fleet.py"


@pytest.mark.long
def test_what_a_server_says_of_its_tools_counts_only_where_the_person_trusts_it():
    around = Surroundings({"PATH": os.defpath}, threading.Event(), lambda line: None)
    seen = {}
    for trusted in (False, True):
        server = McpServer(ServerSettings("fleet", sys.executable, (str(FLEET),), trusted=trusted), around)
        seen[trusted] = {tool.name for tool in tools_of([server], Pages()) if tool.reads_only is True}
        server.close()
    assert seen == {False: set(), True: {"fleet__list_services", "fleet__get_service", "fleet__get_logs"}}


def test_a_list_that_changes_in_a_run_is_offered_in_the_next_request(tmp_path: Path):
    offered: list[frozenset[str]] = []

    def decide(conversation: Conversation, *_: object) -> Decision:
        offered.append(conversation.tools)
        made = len(conversation.steps)
        calls = ("hostile_mcp_server__act", "hostile_mcp_server__new")
        return Decision("", (Call(calls[made], {}),)) if made < 2 else Decision("done")

    command = f"{sys.executable} {HOSTILE} 'changes its list'"
    with serve(decide=decide) as address:
        config = AgentConfig(
            "lmstudio", base_url=f"{address}/v1", job="operator", mcp=[command], working_directory=tmp_path
        )
        result = Agent(config).run("go")
    assert [call["status"] for call in result.tool_calls] == ["completed", "completed"]
    assert "hostile_mcp_server__new" not in offered[0]
    assert "hostile_mcp_server__new" in offered[1]


def test_a_tool_that_fails_is_an_error_in_the_trajectory_and_the_run_goes_on(tmp_path: Path):
    def decide(conversation: Conversation, *_: object) -> Decision:
        made = len(conversation.steps)
        return Decision("", (Call("hostile_mcp_server__act", {"n": made}),)) if made < 2 else Decision("I gave up.")

    command = f"{sys.executable} {HOSTILE} 'dies in a call'"
    with serve(decide=decide) as address:
        config = AgentConfig(
            "lmstudio", base_url=f"{address}/v1", job="operator", mcp=[command], working_directory=tmp_path
        )
        result = Agent(config).run("go")
    assert result.stop_reason == "answered"
    assert [call["status"] for call in result.tool_calls] == ["error", "error"]
    assert "Segmentation fault" in result.tool_calls[0]["result"]


def test_a_long_result_comes_in_pages_that_together_are_the_whole():
    text = "".join(f"line {number}\n" for number in range(5_000))
    pages = Pages()
    first = pages.first(text)
    assert len(first) < MAX_CHARACTERS + 300
    assert 'read_more(result="r1", page=2)' in first
    bodies = [read_more(pages, "r1", number).rpartition("\n[page")[0] for number in range(1, 6)]
    assert "\n".join(bodies) == text.rstrip()
    assert isinstance(read_more(pages, "r1", 6), ToolError)
    assert isinstance(read_more(pages, "r9", 1), ToolError)
    assert pages.first("short") == "short"


def test_only_the_last_long_results_are_kept():
    pages = Pages()
    for _ in range(40):
        pages.first("x" * 20_000)
    assert isinstance(read_more(pages, "r1", 1), ToolError)
    assert not isinstance(read_more(pages, "r40", 2), ToolError)
