"""A working directory's AGENTS.md: used, bounded, or said why not."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox.files.root import Root
from session import MOST_CHARACTERS, read_instructions


@pytest.mark.parametrize("data", [None, b"", b" \n"])
def test_where_there_are_none_nothing_is_said(tmp_path: Path, data: bytes | None):
    if data is not None:
        (tmp_path / "AGENTS.md").write_bytes(data)
    with Root(tmp_path) as root:
        assert read_instructions(root) == ("", "")


def test_what_cannot_be_read_is_said_and_stops_nothing(tmp_path: Path):
    (tmp_path / "AGENTS.md").write_bytes(b"\xff\xfe")
    with Root(tmp_path) as root:
        assert read_instructions(root) == (
            "",
            'AGENTS.md is not used. Cannot read "AGENTS.md" as it is not UTF-8 text.',
        )


def test_as_many_characters_as_may_be_are_used_whole_and_more_are_cut(tmp_path: Path):
    with Root(tmp_path) as root:
        (tmp_path / "AGENTS.md").write_text("x" * MOST_CHARACTERS)
        said = "AGENTS.md is read into the system prompt (8,000 characters)."
        assert read_instructions(root) == ("x" * MOST_CHARACTERS, said)
        (tmp_path / "AGENTS.md").write_text("x" * (MOST_CHARACTERS + 1))
        said = "AGENTS.md is long: its first 8,000 of 8,001 characters are used."
        assert read_instructions(root) == ("x" * MOST_CHARACTERS + "\n[cut here]", said)
