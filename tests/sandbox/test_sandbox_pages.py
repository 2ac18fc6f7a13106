"""The pages about the sandbox say what the tests hold."""

import pytest
from escapes.held_by import ALONE, walls_that_hold
from escapes.pages import DOCS, PAGES, up_to_date
from escapes.running import python_for, results
from escapes.table import ATTACKS

WALLS = ("Landlock", "seccomp", "namespaces")


@pytest.mark.parametrize("page", PAGES)
def test_the_tables_in_the_page_are_made_from_the_tests(page: str) -> None:
    again = "run: python tests/escapes/pages.py"
    assert (DOCS / page).read_text(encoding="utf-8") == up_to_date(page), again


def test_every_attack_in_the_lists_exists() -> None:
    assert {name for names in ALONE.values() for name in names} <= {attack.name for attack in ATTACKS}


def test_the_number_of_attacks_that_bite_is_the_one_in_the_page() -> None:
    bite = sum(attack.bites == "user" and not attack.alone for attack in ATTACKS)
    assert f"where {bite} of them must succeed" in (DOCS / "sandbox-promises.md").read_text(encoding="utf-8")


@pytest.mark.long
@pytest.mark.parametrize("wall", WALLS)
def test_a_wall_alone_holds_what_the_page_says(wall: str) -> None:
    if python_for("ordinary user") is None:
        pytest.skip("no interpreter that an ordinary user can reach")
    hidden = ",".join(sorted({"landlock", "seccomp", "namespaces"} - {wall.casefold()}))
    line, found = results("ordinary user", hidden)
    if wall not in line:
        pytest.skip(f"this system has no {wall}: {line}")
    escaped = {name for name, (said, changed) in found.items() if said.startswith("escaped") or changed}
    assert not [name for name in sorted(escaped) if wall in walls_that_hold(name)]
