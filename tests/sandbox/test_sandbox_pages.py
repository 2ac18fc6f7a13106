"""The pages about the sandbox say what the tests hold."""

import re
import sys

import pytest
from escapes.held_by import ALONE, walls_that_hold
from escapes.pages import DOCS, PAGES, WALLS, up_to_date
from escapes.running import python_for, results
from escapes.table import ATTACKS

from sandbox.running import disk, links, process, repositories
from sandbox.running.pretending import all_but
from sandbox.running.process import Limits
from sandbox.walls.syscalls import ALLOWED


@pytest.mark.parametrize("page", PAGES)
def test_the_tables_in_the_page_are_made_from_the_tests(page: str) -> None:
    again = "run: python tests/escapes/pages.py"
    assert (DOCS / page).read_text(encoding="utf-8") == up_to_date(page), again


def test_every_attack_in_the_lists_exists() -> None:
    assert {name for names in ALONE.values() for name in names} <= {attack.name for attack in ATTACKS}


def test_the_number_of_attacks_that_bite_is_the_one_in_the_page() -> None:
    bite = sum(attack.bites == "user" and not attack.alone for attack in ATTACKS)
    assert f"where {bite} of them must succeed" in (DOCS / "sandbox-promises.md").read_text(encoding="utf-8")


def test_the_page_names_the_limits_of_a_run_as_they_are() -> None:
    page = " ".join((DOCS / "sandbox-promises.md").read_text(encoding="utf-8").split())
    limits, mib = Limits(), 2**20
    assert f"after {limits.seconds:g} seconds, above {limits.memory_bytes / mib:g} MiB of memory" in page
    assert f"{limits.processes:g} processes and threads, {limits.file_bytes / mib:g} MiB in one file" in page
    assert (disk.FACTOR, disk._NAME_BYTES, process.TIMES_TOO_MUCH) == (4, 1024, 100)
    for said in ("four times that in all", "each name counts as a kibibyte", "a hundred times the output"):
        assert said in page
    assert f"up to {links.MOST_COPIED / mib:g} MiB in all" in page
    assert page.count(f"{repositories._MOST_BYTES / mib:g} MiB of ") == 2
    assert process.SLICE_SECONDS == 0.05, "the output is looked at as often as the rest"


@pytest.mark.skipif(sys.platform != "linux", reason="who watches asks /proc")
def test_the_page_names_the_moments_of_a_run_as_they_are() -> None:
    from sandbox.running import runner, watch

    page = " ".join((DOCS / "sandbox-promises.md").read_text(encoding="utf-8").split())
    assert f"dead {runner.AFTER_INTERRUPT_SECONDS:g} seconds later" in page
    assert f"counted every {watch.TICK_SECONDS * 1000:g} milliseconds, the disk every second" in page
    assert watch._BUFFERS_OF_ALL_SECONDS == 0.25
    assert "pipes every quarter of a second" in page


def test_the_page_says_how_many_system_calls_there_are() -> None:
    allowed = [name for group in ALLOWED for name in group.split()]
    assert f"(`sandbox/walls/syscalls.py`: {len(allowed)}, " in (DOCS / "sandbox-promises.md").read_text(
        encoding="utf-8"
    )


PROMISES = ("At levels full and strong", "What would run later", "git, queries and pages")


def test_each_promise_names_the_test_that_holds_it() -> None:
    """Whether a test of that name exists is tested for every page (tests/main/test_docs.py)."""
    page = (DOCS / "sandbox-promises.md").read_text(encoding="utf-8")
    sections = {part.split("\n", 1)[0]: part for part in re.split(r"^##+ ", page, flags=re.MULTILINE)}
    for title in PROMISES:
        text = next(part for name, part in sections.items() if name.startswith(title))
        promises = re.findall(r"^- (\*\*.+?)(?=^- |^\S|^$|\Z)", text, re.MULTILINE | re.DOTALL)
        assert len(promises) > 3
        for promise in promises:
            assert re.search(r"`test_\w+`", promise), promise


@pytest.mark.long
@pytest.mark.parametrize("wall", WALLS)
def test_a_wall_alone_holds_what_the_page_says(wall: str) -> None:
    if python_for("ordinary user") is None:
        pytest.skip("no interpreter that an ordinary user can reach")
    hidden = ",".join(all_but(wall.casefold()))
    line, found = results("ordinary user", hidden)
    if wall not in line:
        pytest.skip(f"this system has no {wall}: {line}")
    escaped = {name for name, (said, changed) in found.items() if said.startswith("escaped") or changed}
    assert not [name for name in sorted(escaped) if wall in walls_that_hold(name)]
