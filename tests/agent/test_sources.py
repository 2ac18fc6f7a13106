"""What an answer rests on: files in the order in which they came up, with ranges of lines merged."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from catalogue import run_alone

from agent.contracts import ToolCall, files_and_lines, merged


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
    assert files_and_lines(drawn) == [{"path": "b.py", "lines": [[1, 5], [9, 9]]}, {"path": "a.py", "lines": []}]


def test_a_call_that_failed_or_has_no_tool_or_no_arguments_rests_on_nothing(project: Callable[[dict[str, str]], Path]):
    root = project({"x": "one\ntwo\n"})

    def drawn(name: str, arguments: Any) -> list[tuple[str, list[tuple[int, int]]]]:
        return list(run_alone(ToolCall("a", name, arguments), root).sources)

    assert drawn("get_file_content", {"file_path": "x"}) == [("x", [(1, 2)])]
    assert drawn("get_file_content", {"file_path": "y"}) == []
    assert drawn("no_such_tool", {"file_path": "x"}) == []
    assert drawn("get_dir_info", {}) == []
    assert drawn("get_file_content", "{cut") == []
