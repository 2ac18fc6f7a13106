"""The attacks of tests/escapes/table.py against each level, as root and as an ordinary user, and against no wall."""

import pytest
from escapes.pages import TRIED
from escapes.running import USERS, python_for, results
from escapes.table import ATTACKS, Attack

from sandbox.running import levels
from sandbox.running.pretending import all_but

pytestmark = pytest.mark.long

LEVELS = {
    # name: walls hidden, newest Landlock, the level that it must be then
    "full": ("", 1000, "full"),
    "strong": ("namespaces", 1000, "strong"),
    "strong with Landlock 1": ("namespaces", 1, "strong"),
    "strong with Landlock 2": ("namespaces", 2, "strong"),
    "strong with Landlock 5": ("namespaces", 5, "strong"),
    "full with Landlock 1": ("", 1, "full"),
}
# What must get out at least where these walls stand and no others (an ordinary user; also without namespaces, so that
# what one wall alone leaves open is seen). Observed on Linux 6.18: 36 without Landlock, 33 without seccomp, 85 without
# any.
FEWEST_ESCAPES = {"seccomp": 30, "landlock": 25, "seccomp,namespaces": 15, "landlock,namespaces": 12}


def test_every_level_that_has_a_column_in_the_page_is_tried() -> None:
    assert {expected for _, _, expected in LEVELS.values()} == set(TRIED)


def outcome(user: str, hidden: str, landlock: int, attack: Attack) -> tuple[bool, str]:
    """Whether it got out, and what was said and seen. Skipped by what was observed, never by what was promised."""
    if python_for(user) is None:
        pytest.skip("no interpreter that an ordinary user can reach")
    line, found = results(user, hidden, landlock)
    if attack.name not in found:
        pytest.skip(f"not tried without walls ({line})")
    said, changed = found[attack.name]
    return said.startswith("escaped") or bool(changed), f"{line}: {said}; changed outside: {changed}"


@pytest.mark.parametrize("user", USERS)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_the_walls_hold(attack: Attack, level: str, user: str) -> None:
    hidden, landlock, expected = LEVELS[level]
    if landlock < 1000 and user != USERS[-1]:
        pytest.skip("older versions of Landlock are tried as an ordinary user")
    escaped, told = outcome(user, hidden, landlock, attack)
    if f"sandbox: {expected} " not in told:
        pytest.skip(f"this system is not {expected}: {told}")
    if expected in attack.given_up:
        pytest.skip(f"given up at {expected}, as docs/sandbox-promises.md says")
    assert not escaped, told


@pytest.mark.parametrize("user", USERS)
@pytest.mark.parametrize("attack", [a for a in ATTACKS if a.bites in ("user", "root")], ids=lambda attack: attack.name)
def test_the_attacks_bite_where_there_is_no_wall(attack: Attack, user: str) -> None:
    if attack.bites == "root" and user != "root":
        pytest.skip("only root succeeds")
    escaped, told = outcome(user, ",".join(all_but()), 0, attack)
    if user == "root" and not escaped and "PermissionError" in told:
        pytest.skip("root without capabilities is less than an ordinary user who attacks a process of his own")
    assert escaped, told


@pytest.mark.parametrize("standing", FEWEST_ESCAPES)
def test_without_one_wall_attacks_get_out(standing: str) -> None:
    if python_for("ordinary user") is None:
        pytest.skip("no interpreter that an ordinary user can reach")
    line, found = results("ordinary user", ",".join(all_but(*standing.split(","))))
    assert "sandbox: limits " in line
    escaped = [name for name, (said, changed) in found.items() if said.startswith("escaped") or changed]
    assert len(escaped) >= FEWEST_ESCAPES[standing], escaped


def test_what_is_given_up_is_given_up_for_a_reason() -> None:
    """An attack that is given up and yet held would be a promise that the documentation forgets to make."""
    for user in USERS:
        for attack in (attack for attack in ATTACKS if attack.given_up):
            for level in attack.given_up:
                assert outcome(user, LEVELS[level][0], 1000, attack)[0], attack.name


def test_the_level_of_this_run_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        print(f"\n{levels.level().line}; attacks run as: {', '.join(USERS)}")
    assert levels.level().line.startswith("sandbox: ")


def test_every_attack_has_a_name_of_its_own() -> None:
    assert len({attack.name for attack in ATTACKS}) == len(ATTACKS) >= 89
