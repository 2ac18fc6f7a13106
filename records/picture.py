"""A run as a short animation in one SVG: its steps, line by line, as they came. It fetches nothing, and runs no script.

Two runs stand side by side; a fork and its parent are told as a story (records/story.py).
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

from agent.contracts import NOTE, readable_arguments
from records.steps import first_line, said
from records.story import GOES_BACK, LOOKS_BACK, Parting, parting_of

WIDTH, LINE, TOP, MARGIN = 760, 20, 76, 24  # of one run, in pixels
COLUMNS = 78  # characters of a line
MOST_ROWS = 44  # of one run; what is between is counted
MOST_CHANGED, MOST_ANSWER = 4, 9  # lines
SHORTEST, LONGEST = 0.12, 0.9  # seconds between two lines: long waits are cut short
STAYS = 4.0  # seconds at the end, before it begins again
CONTROL = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # what XML has no place for

STYLE = """
svg { --ground: #fffdf9; --line: #d9d4c8; --ink: #22272b; --soft: #5c6166; --model: #0b6b66; --call: #8a5200;
  --bad: #ab2b20; --good: #2b6a30; --you: #46519b; }
@media (prefers-color-scheme: dark) { svg { --ground: #1b2024; --line: #343b41; --ink: #e8e6e0; --soft: #a4abb0;
  --model: #6fcbc2; --call: #e6b063; --bad: #ff9a8d; --good: #8fd08f; --you: #aeb7f5; } }
text { font: 13px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: var(--ink); white-space: pre; }
.ground { fill: var(--ground); stroke: var(--line); } .head { font-weight: 700; }
.soft { fill: var(--soft); } .model { fill: var(--model); } .call { fill: var(--call); } .bad { fill: var(--bad); }
.good { fill: var(--good); } .you { fill: var(--you); }
.back { fill: var(--you); opacity: .18; } .past { fill: var(--ground); opacity: .6; }
"""


class Row(NamedTuple):
    """One line: when it came, in seconds since the run began, its style, its text."""

    at: float
    style: str
    text: str


class Back(NamedTuple):
    """The way back through a run's rows, from the last to the one where its fork parts, between two moments."""

    row: int
    rows: int
    from_: float
    to: float


def picture_of(runs: Sequence[Mapping[str, Any]]) -> str:
    """Return the SVG of one run or of two, each as records/page.py's `run_data` has it."""
    columns = [list(rows_of(run["events"])) for run in runs]
    parting = parting_of(*runs) if len(runs) == 2 else None
    if parting is not None and len(columns[0]) <= MOST_ROWS:
        return _drawn(runs, *_story(columns[0], parting))
    return _drawn(runs, [shortened(rows) for rows in columns])


def _story(first: list[Row], parting: Parting) -> tuple[list[list[Row]], Back]:
    """The rows of a parent, which are `first`, and of its fork, which begin where it parts; the way back to there."""
    same = len(list(rows_of(parting.before)))
    rest = list(rows_of([*parting.before, *parting.after]))[same:]
    there = first[-1].at + LOOKS_BACK + GOES_BACK
    began = min((row.at for row in rest), default=0.0)
    second = [Row(0.0, "", "")] * same
    second.append(Row(there, "you", f"↶ back to step {parting.step}, and with a change:"))
    styles = {"-": "bad", "+": "good"}
    second += [Row(there + 0.4, styles[sign], f"    {sign} {text}") for sign, text in parting.changes]
    second += [Row(there + 1.2 + row.at - began, row.style, row.text) for row in rest]
    return [first, second], Back(same, len(first), first[-1].at + LOOKS_BACK, there)


def _drawn(runs: Sequence[Mapping[str, Any]], columns: Sequence[Sequence[Row]], back: Back | None = None) -> str:
    moments = {row.at for rows in columns for row in rows} | ({back.from_, back.to} if back else set())
    times = timed(sorted(moments))
    height = TOP + LINE * max(len(rows) for rows in columns) + MARGIN
    whole = max(times.values(), default=0.0) + STAYS
    parts = [
        _column(run, rows, times, whole, number) for number, (run, rows) in enumerate(zip(runs, columns, strict=True))
    ]
    if back:
        parts.append(_way_back(back, times, whole))
    size = f'width="{WIDTH * len(runs)}" height="{height}" viewBox="0 0 {WIDTH * len(runs)} {height}"'
    ground = f'<rect class="ground" x="1" y="1" width="{WIDTH * len(runs) - 2}" height="{height - 2}" rx="12"/>'
    named = escape(CONTROL.sub("", f"Glassbox: {_prompt(runs[0])}"))
    style = STYLE + _moments(times, whole)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{named}">\n'
        f"<style>{style}</style>\n{ground}\n" + "\n".join(parts) + "\n</svg>\n"
    )


def rows_of(events: Iterable[Mapping[str, Any]]) -> Iterator[Row]:
    """What is told of a run, line by line."""
    calls: dict[str, Mapping[str, Any]] = {}
    for event in events:
        kind, at = event["kind"], float(event.get("at") or 0.0)
        if kind == "replied":
            calls = {call["id"]: call for call in event["calls"]}
            text = str(event["text"]).strip()
            if not calls:
                yield Row(at, "", "")
            lines = textwrap.wrap(text, COLUMNS, max_lines=2 if calls else MOST_ANSWER, replace_whitespace=bool(calls))
            yield from (Row(at, "model" if calls else "", each) for line in lines for each in line.splitlines())
        elif kind == "call_finished":
            yield from _called(at, event, calls.get(event["id"], event))
        elif kind in ("notice", "error"):
            yield Row(at, "bad" if kind == "error" else "soft", str(event["text"]))
        elif kind == "message" and (words := said(event["message"]) or "").startswith(NOTE):
            yield Row(at, "you", words)


def _called(at: float, ended: Mapping[str, Any], call: Mapping[str, Any]) -> Iterator[Row]:
    arguments = readable_arguments(call.get("arguments") or {})
    given = arguments if isinstance(arguments, dict) else {"": arguments}
    mark, first = ("✓" if ended["ok"] else "✗"), str(next(iter(given.values()), ""))
    yield Row(at, "call" if ended["ok"] else "bad", f"  {mark} {call['name']} {first}  {ended['seconds']:.2f}s")
    for name, sign, style in (("old_text", "-", "bad"), ("new_text", "+", "good")):
        for line in str(given.get(name) or "").splitlines()[:MOST_CHANGED]:
            yield Row(at, style, f"      {sign} {line}")
    if not given.get("old_text"):
        yield Row(at, "soft", f"      {str(ended['content']).strip().partition(chr(10))[0]}")


def shortened(rows: list[Row]) -> list[Row]:
    """The first and the last of them."""
    if len(rows) <= MOST_ROWS:
        return rows
    half, left = MOST_ROWS // 2, len(rows) - MOST_ROWS
    return [*rows[:half], Row(rows[half].at, "soft", f"  … {left:,} more lines …"), *rows[-half:]]


def timed(moments: Sequence[float]) -> dict[float, float]:
    """When each moment of a run comes in the animation."""
    times, now, before = {}, 0.3, 0.0
    for moment in moments:
        now += min(LONGEST, max(SHORTEST, moment - before))
        times[moment], before = now, moment
    return times


def _moments(times: Mapping[float, float], whole: float) -> str:
    """A class for each moment; who wants no motion sees all at once."""
    shown = []
    for number, share in enumerate(100 * time / whole for time in times.values()):
        hidden, seen = f"0%, {share:.2f}% {{ opacity: 0; }}", f"{share + 0.2:.2f}%, 100% {{ opacity: 1; }}"
        shown.append(
            f"@keyframes m{number} {{ {hidden} {seen} }}\n.m{number} {{ animation: m{number} {whole:.1f}s infinite; }}"
        )
    return "@media (prefers-reduced-motion: no-preference) {\n" + "\n".join(shown) + "\n}\n"


def _column(
    run: Mapping[str, Any], rows: Sequence[Row], times: Mapping[float, float], whole: float, number: int
) -> str:
    left, order = number * WIDTH + MARGIN, list(times)
    result = run["result"]
    ended = f"{result['stop_reason'].replace('_', ' ')}, {result['turns']} turns, {result.get('seconds', 0.0):.1f} s"
    lines = [_text(left, 34, "head", _prompt(run)), _text(left, 56, "soft", ended)]
    for row, each in enumerate(rows):
        lines.append(_text(left, TOP + 14 + row * LINE, f"{each.style} m{order.index(each.at)}", each.text))
    return "\n".join(lines)


def _way_back(back: Back, times: Mapping[float, float], whole: float) -> str:
    """A bar that goes back over the rows of the first column, and a veil over what it has passed."""
    top, height = TOP + back.row * LINE, (back.rows - back.row) * LINE
    began, there = (100 * times[moment] / whole for moment in (back.from_, back.to))
    move = (
        "@media (prefers-reduced-motion: no-preference) {\n"
        f"@keyframes back {{ 0%, {began:.2f}% {{ opacity: 0; transform: translateY({height - LINE}px); }} "
        f"{began + 0.2:.2f}% {{ opacity: .18; transform: translateY({height - LINE}px); }} "
        f"{there:.2f}%, 100% {{ opacity: .18; transform: none; }} }}\n"
        f".back {{ animation: back {whole:.1f}s infinite; }}\n"
        f"@keyframes past {{ 0%, {began:.2f}% {{ opacity: 0; }} {there:.2f}%, 100% {{ opacity: .6; }} }}\n"
        f".past {{ animation: past {whole:.1f}s infinite; }}\n}}"
    )
    at = f'x="{MARGIN // 2}" width="{WIDTH - MARGIN}"'
    return (
        f"<style>{move}</style>\n"
        f'<rect class="past" {at} y="{top + LINE}" height="{max(height - LINE, 0)}"/>\n'
        f'<rect class="back" {at} y="{top}" height="{LINE}" rx="4"/>'
    )


def _prompt(run: Mapping[str, Any]) -> str:
    return str(first_line(run["events"]).get("prompt") or run["name"])


def _text(x: int, y: int, style: str, text: str) -> str:
    shown = CONTROL.sub("", " ".join(text.split("\n"))).replace("\t", "    ")
    shown = shown if len(shown) <= COLUMNS + 8 else f"{shown[: COLUMNS + 7]}…"
    return f'<text x="{x}" y="{y}" class="{style.strip()}" xml:space="preserve">{escape(shown)}</text>'
