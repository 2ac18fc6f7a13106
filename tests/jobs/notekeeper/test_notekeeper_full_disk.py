"""A disk that is full while messages come: each is kept whole and acknowledged, or refused with what to do."""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from repositories import act, git

from bench.notekeeper import words_of
from config import Settings
from doors.people.kept import load
from doors.people.notekeeper import AgentError, Notekeeper
from doors.people.notekeepers import Notekeepers
from index import meaning
from jobs.notekeeper.notes import split_note
from jobs.notekeeper.settings import NotekeeperSettings
from offline.wire.server import serve
from sandbox.files.root import Refusal

SIZE = 24 << 20
PAGE = 4096  # bytes: what such a disk gives at a time
ROOM = (0, 1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 24)  # pages that are left, for an index, a history, a trace and a note


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small disk of its own."""
    place = tmp_path / "disk"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(place)]
    if sys.platform != "linux" or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("no disk can be mounted here: that takes root")
    yield place
    subprocess.run(["umount", "--lazy", str(place)], check=True)


def leave(disk: Path, pages: int) -> Path:
    """Fill the disk so that so much room is left; delete the file that is returned, and there is room again."""
    filling = disk / "filling"
    status = os.statvfs(disk)
    with filling.open("wb") as file:
        file.write(bytes(max(0, status.f_bavail * status.f_frsize - pages * PAGE)))
    return filling


async def told(agent: Notekeeper, text: str) -> dict[str, Any] | str:
    """The result, or the sentence with which it is refused, by the agent or in its model's words; anything else is a
    defect."""
    try:
        result = await agent.process([{"role": "user", "content": text}])
    except AgentError as error:
        return str(error)
    is_kept = result["files_created"] or result["files_edited"] or "says this already" in result["answer"]
    return result if is_kept else str(result["answer"])


@pytest.mark.parametrize("kind", ["offline", pytest.param("autonomous", marks=pytest.mark.long)])
def test_at_every_amount_of_room_a_message_is_kept_whole_or_refused_and_goes_in_once_there_is_room(
    disk: Path, kind: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(meaning, "available", lambda model: False)
    draw, refused, without_history = random.Random(31), 0, 0
    kept = list[str]()

    def whole() -> str:
        """All that the notes say, each of them a whole one; and nothing else lies beside them."""
        texts = {path: path.read_text(encoding="utf-8") for path in agent.folder.rglob("*") if path.is_file()}
        assert {path.suffix for path in texts} <= {".md"}
        for text in texts.values():
            assert split_note(text)[0]["title"] in split_note(text)[1]
            assert text.endswith("\n")
        return "\n".join(texts.values())

    async def story(makers: Notekeepers) -> None:
        nonlocal agent, refused, without_history
        agent = await makers.get_agent("ann")
        for pages in ROOM if kind == "offline" else map((8).__mul__, ROOM):  # a run is kept too, with its undo
            sign = f"sign{pages}end"
            text = f"# Topic {pages % 5 if pages % 2 else pages}\n\n{words_of(draw, 40)} {sign}."
            filling = leave(disk, pages)
            result = await told(agent, text)
            if isinstance(result, str):
                refused += 1
                assert "make room" in result, result
                assert whole().count(sign) == 0, result
            else:
                notices = result["metadata"].get("notices", [])
                without_history += any("conversation could not be kept" in each for each in notices)
                kept.append(sign)
                assert whole().count(sign) == 1, result
            filling.unlink()
            again = await told(agent, text)
            assert not isinstance(again, str), again
            kept.append(sign)
            assert whole().count(sign) == 1, again
            assert load(agent.state / "history.json").said == []
        await makers.close()

    agent: Any = None
    with serve() as address:
        jobs = (NotekeeperSettings("kb,files"),)
        settings = replace(Settings(), lmstudio_base_url=f"{address}/v1", lmstudio_model="built-in", jobs=jobs)
        asyncio.run(story(Notekeepers(settings, disk / "people", kind=kind)))
        print(f"{len(ROOM)} amounts of room: {refused} refused, {without_history} kept without the conversation")
        assert 0 < refused < len(ROOM)
        makers = Notekeepers(settings, disk / "people", kind="offline")
        found = asyncio.run(one_search(makers))
    assert found == [], "the index is not damaged"
    counted = {sign: whole().count(sign) for sign in kept}
    assert {sign: count for sign, count in counted.items() if count != 1} == {}


async def one_search(makers: Notekeepers) -> list[str]:
    agent = await makers.get_agent("ann")
    result = await told(agent, "# Last\n\nThe last message of them all.")
    await makers.close()
    assert not isinstance(result, str), result
    return result["metadata"].get("notices", [])


def refusal_of(folder: Path) -> str:
    """How a commit is refused, "" where it is made."""
    try:
        act(folder, lambda it: it.commit("new"))
    except Refusal as refusal:
        return str(refusal)
    return ""


def test_a_commit_on_a_full_disk_is_refused_and_done_once_there_is_room(disk: Path):
    folder = disk / "notes"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    (folder / "one.md").write_text("one\n", encoding="utf-8")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "first")
    refused = 0
    for pages in range(12):
        text = words_of(random.Random(pages), 3_000)
        (folder / f"new-{pages}.md").write_text(text, encoding="utf-8")
        before = git(folder, "rev-parse", "HEAD")
        filling = leave(disk, pages)
        if why := refusal_of(folder):
            refused += 1
            assert "make room" in why
            assert git(folder, "rev-parse", "HEAD") == before
        assert (folder / f"new-{pages}.md").read_text(encoding="utf-8") == text
        filling.unlink()
        act(folder, lambda it: it.commit("new"))
        assert git(folder, "show", f"HEAD:new-{pages}.md") == text
        git(folder, "fsck", "--strict")
    assert refused > 0
