"""Put the tables of attacks and of planted names into the pages in docs/: python tests/escapes/pages.py"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
sys.path.insert(0, str(Path(__file__).parents[1]))

from escapes.held_by import walls_that_hold
from escapes.table import ATTACKS, Attack
from sandbox.files.planted import BARE, KINDS, Kind
from sandbox.running.levels import LEVELS

DOCS = Path(__file__).parents[2] / "docs"
MARKS = "<!-- {}: made by tests/escapes/pages.py -->", "<!-- end of {} -->"
WALLS = ("Landlock", "seccomp", "namespaces")
TRIED = tuple(reversed(LEVELS[LEVELS.index("strong") :]))  # those of Linux that have walls


def promises() -> str:
    """For a person: what was tried, and at which level it is held."""
    rows = [f"| attack | {' | '.join(TRIED)} |", f"| --- | {' | '.join(['---'] * len(TRIED))} |"]
    for attack in ATTACKS:
        cells = ["given up" if level in attack.given_up else "held" for level in TRIED]
        rows.append(f"| {_name(attack)} | {' | '.join(cells)} |")
    return "\n".join(rows)


def walls() -> str:
    """For a learner: which wall would hold it alone."""
    rows = [f"| attack | {' | '.join(WALLS)} |", f"| --- | {' | '.join([':-:'] * len(WALLS))} |"]
    for attack in ATTACKS:
        alone = walls_that_hold(attack.name)
        cells = ["holds" if wall in alone else "" for wall in WALLS] if alone else ["·"] * len(WALLS)
        rows.append(f"| {_name(attack)} | {' | '.join(cells)} |")
    return "\n".join(rows)


def planted() -> str:
    """For a person: the names that other programs run, and what is done about each."""
    rows = ["| name, at any depth | run by | what is done |", "| --- | --- | --- |"]
    return "\n".join([*rows, *(f"| {_names(kind)} | {kind.run_by} | {kind.promise} |" for kind in KINDS)])


PAGES = {
    "sandbox-promises.md": {"planted": planted, "attacks": promises},
    "sandbox-walls.md": {"attacks": walls},
}


def up_to_date(page: str) -> str:
    """The page as it should be: its own text, with each table between its two marks made anew."""
    text = (DOCS / page).read_text(encoding="utf-8")
    for name, table in PAGES[page].items():
        begin, end = (mark.format(name) for mark in MARKS)
        before, _, rest = text.partition(begin)
        _, _, after = rest.partition(end)
        text = f"{before}{begin}\n{table()}\n{end}{after}"
    return text


def _names(kind: Kind) -> str:
    if kind is BARE:
        return "`HEAD` beside `objects` and `refs`, or beside `commondir`"
    return ", ".join(f"`{name}`" for name in kind.names.split())


def _name(attack: Attack) -> str:
    return f"{attack.group}: {attack.name}"


if __name__ == "__main__":
    for name in PAGES:
        (DOCS / name).write_text(up_to_date(name), encoding="utf-8")
