"""A folder of notes, empty, as the tools hold it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from jobs.notekeeper.knowledge_base import KnowledgeBase
from sandbox.files.root import Root


@pytest.fixture
def kb(tmp_path: Path) -> Iterator[KnowledgeBase]:
    (tmp_path / "notes").mkdir()
    with Root(tmp_path / "notes") as root:
        base = KnowledgeBase(root, tmp_path / "index")
        yield base
        base.close()
