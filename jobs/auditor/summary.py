"""The state of an audit as text, which a model gets instead of a transcript: the same sections in the same order.

Each section has a share of the room, so that the summary costs the same at the fifth iteration and at the fiftieth.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from jobs.auditor.audit import OWN, SEVERITIES, Audit

NAMES = 500  # characters of a list of names
SCHEMA, ACTIONS, FINDINGS, DISMISSED, HISTORY, CRITIQUE = 1_900, 700, 1_000, 350, 350, 300  # characters
LAST_ACTIONS = 10


def summary(audit: Audit, iteration: int, budget: int, tokens: tuple[int, int]) -> str:
    """Return the state, at most about 1,500 tokens. `tokens` are those read and written so far."""
    todo = [name for name in audit.fields if name not in audit.investigated]
    sections = {
        "Last critique": [audit.critique[:CRITIQUE] or "(none)"],
        "Run": run_lines(audit, iteration, budget, tokens),
        f"Schema ({len(audit.fields)} fields)": fit(schema_lines(audit), SCHEMA, "fields; get_stats tells of each"),
        "Investigation": [
            f"done ({len(audit.investigated)}): {names(audit.investigated[::-1])}",
            f"to do ({len(todo)}): {names(todo)}",
        ],
        f"Last actions (of {len(audit.actions)})": fit(audit.actions[-LAST_ACTIONS:], ACTIONS, "actions"),
        f"Findings so far ({len(audit.causes)}), the worst first": fit(
            finding_lines(audit), FINDINGS, "findings", first=True
        ),
        f"Dismissed ({len(audit.dismissed)}), not to be proposed again": fit(
            dismissed_lines(audit), DISMISSED, "others"
        ),
        "Earlier audits": fit(history_lines(audit), HISTORY, "others"),
    }
    return "\n".join(line for title, lines in sections.items() for line in (f"## {title}", *(lines or ["(none)"]), ""))


def run_lines(audit: Audit, iteration: int, budget: int, tokens: tuple[int, int]) -> list[str]:
    database = audit.database
    others = [name for name in database.collections() if name != audit.collection]
    return [
        f"collection: {audit.collection}" + (f" (others: {names(others)})" if others else ""),
        f"table: {database.name(audit.collection)}",
        f"dialect: {database.dialect}",
        f"rows: {audit.size:,} (sampled: {audit.sampled:,})",
        f"key: {listed(database.key(audit.collection))}",
        *alike_lines(audit),
        f"iteration: {iteration} of {budget}" if budget else f"iteration: {iteration}",
        f"tokens so far: {tokens[0]:,} read, {tokens[1]:,} written",
    ]


def alike_lines(audit: Audit) -> list[str]:
    """What copies are to be held against, once all fields were looked at."""
    if not audit.investigated or len(audit.investigated) < len(audit.fields) or audit.database.dialect == "mongo":
        return []
    everywhere, shared = audit.alike()
    here = [(path, audit.profiles.get(path)) for path, each in audit.fields.items() if each.table == audit.collection]
    own = names([path for path, seen in here if seen and seen.distinct > OWN * audit.size])
    without = f"without fields of which each row has its own, {own}: {shared:.2f}"
    return [f"rows alike by chance: {everywhere:.2f}, {without}"]


def schema_lines(audit: Audit) -> list[str]:
    """Fields that were looked at closely come with what was seen, the others by name and type."""
    seen = []
    for path, field in audit.fields.items():
        profile = audit.profiles.get(path)
        if profile and path in audit.investigated:
            kind = "/".join(profile.kinds).replace(" ", "-") or "nothing"
            samples = ", ".join(str(value)[:16] for value, _ in profile.top[:2])
            share = f"{100 * profile.null_share:.1f} % missing"
            seen.append(f"- {path}: {kind}, {share}, {profile.distinct} different; {samples}")
        elif audit.sampled:
            seen.append(f"- {path} ({field.declared or 'any type'})")
    return seen


def finding_lines(audit: Audit) -> list[str]:
    """A line a cause: the worst of what has one."""
    worst = [max(cause, key=lambda found: SEVERITIES.index(found.severity)) for cause in audit.causes]
    worst.sort(key=lambda found: -SEVERITIES.index(found.severity))
    return [f"{number}. [{each.category}, {each.severity}] {each.claim[:130]}" for number, each in enumerate(worst, 1)]


def dismissed_lines(audit: Audit) -> list[str]:
    return [
        f"- {', '.join(each.finding.fields)} ({each.finding.category}): {each.reason[:100]}" for each in audit.dismissed
    ]


def history_lines(audit: Audit) -> list[str]:
    return [f"- {each['pattern']}: {', '.join(each['fields'])} ({each['category']})" for each in audit.history]


def fit(lines: Sequence[str], room: int, what: str, *, first: bool = False) -> list[str]:
    """The last lines that find room (or the first), in their order; how many do not is said where they would stand."""
    kept: list[str] = []
    for line in lines if first else reversed(lines):
        room -= len(line) + 1
        if room < 0:
            break
        kept.append(line)
    left = [f"(+ {len(lines) - len(kept)} {what})"] if len(kept) < len(lines) else []
    return [*kept, *left] if first else [*left, *reversed(kept)]


def names(all_names: list[str]) -> str:
    shown, room = [], NAMES
    for name in all_names:
        room -= len(listed([name]))
        if room < 0:
            break
        shown.append(name)
    return listed(shown)


def listed(names: Sequence[str]) -> str:
    """As JSON: a name may hold any sign, and a line end."""
    return json.dumps(names, ensure_ascii=False)
