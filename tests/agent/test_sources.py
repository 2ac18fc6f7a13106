"""What an answer rests on: files in the order in which they came up, with ranges of lines merged."""

from __future__ import annotations

import pytest
from catalogue import CATALOGUE

from agent.contracts import ToolCall, ToolResult
from agent.sources import drawn_by, merged, sources


@pytest.mark.parametrize(
    ("ranges", "joined"),
    [
        ([], []),
        ([(5, 6), (1, 2)], [(1, 2), (5, 6)]),
        ([(1, 2), (3, 4)], [(1, 4)]),
        ([(1, 2), (4, 5)], [(1, 2), (4, 5)]),
        ([(1, 9), (2, 3)], [(1, 9)]),
        ([(1, 2), (5, 9), (6, 7)], [(1, 2), (5, 9)]),
        ([(1, 2), (5, 9), (6, 12), (20, 21)], [(1, 2), (5, 12), (20, 21)]),
    ],
)
def test_ranges_that_touch_or_overlap_are_one(ranges: list[tuple[int, int]], joined: list[tuple[int, int]]):
    assert merged(ranges) == joined


def test_a_file_stands_once_however_it_is_spelt_and_one_that_ran_has_no_lines():
    drawn = [[("./b.py", [(4, 5)])], [("a.py", [])], [("b.py", [(1, 3), (9, 9)])], []]
    assert sources(drawn) == [{"path": "b.py", "lines": [[1, 5], [9, 9]]}, {"path": "a.py", "lines": []}]


def test_a_call_that_failed_or_has_no_tool_or_no_arguments_rests_on_nothing():
    tool = CATALOGUE["get_file_content"]
    call = ToolCall("a", "get_file_content", {"file_path": "x"})
    assert drawn_by(tool, ToolResult(call, "one\ntwo\n", True, 0.0)) == [("x", [(1, 2)])]
    assert drawn_by(tool, ToolResult(call, "one\ntwo\n", False, 0.0)) == []
    assert drawn_by(None, ToolResult(call, "one", True, 0.0)) == []
    listed = ToolResult(ToolCall("a", "get_dir_info", {}), "- a", True, 0.0)
    assert drawn_by(CATALOGUE["get_dir_info"], listed) == []
    assert drawn_by(tool, ToolResult(ToolCall("a", "get_file_content", "{cut"), "one", True, 0.0)) == []
