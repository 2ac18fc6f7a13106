"""Charts as SVG: bars and lines, readable without colour, light or dark as the reader's system is."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

WIDTH, LEFT, RIGHT, ROW, TOP = 720, 250, 90, 30, 46
STYLE = """<style>
svg { background: #ffffff; font: 14px system-ui, sans-serif; }
text { fill: #1f2328; } .faint { fill: #59636e; } .rule { stroke: #d1d9e0; }
.bar { fill: #9aa4af; } .ours { fill: #0b7a4b; }
path { fill: none; stroke: #59636e; stroke-width: 2; } path.mine { stroke: #0b7a4b; stroke-width: 3; }
@media (prefers-color-scheme: dark) {
  svg { background: #0d1117; } text { fill: #e6edf3; } .faint { fill: #9198a1; } .rule { stroke: #3d444d; }
  .bar { fill: #656c76; } .ours { fill: #3fb984; } path { stroke: #9198a1; } path.mine { stroke: #3fb984; }
}
</style>"""
OURS = ("this agent", "search_files", "sandboxed")


def bars(title: str, rows: Sequence[tuple[str, float, str]]) -> str:
    """One bar a row: name, value, unit."""
    longest = max(value for _, value, _ in rows) or 1
    parts = []
    for index, (name, value, unit) in enumerate(rows):
        y = TOP + index * ROW
        width = max(1.0, (WIDTH - LEFT - RIGHT) * value / longest)
        kind = "ours" if name.startswith(OURS) else "bar"
        parts.append(f'<text x="{LEFT - 10}" y="{y + 16}" text-anchor="end">{escape(name)}</text>')
        parts.append(f'<rect class="{kind}" x="{LEFT}" y="{y + 3}" width="{width:.1f}" height="18" rx="3"/>')
        parts.append(f'<text class="faint" x="{LEFT + width + 8:.1f}" y="{y + 16}">{number(value)} {unit}</text>')
    told = "; ".join(f"{name}: {number(value)} {unit}" for name, value, unit in rows)
    return document(title, told, TOP + len(rows) * ROW + 10, parts)


def lines(title: str, across: str, up: str, curves: Mapping[str, Sequence[tuple[float, float]]]) -> str:
    """One line per name over the same points; the upward axis is logarithmic, its lines are powers of ten."""
    points = [point for curve in curves.values() for point in curve if point[1] > 0]
    first, last = min(x for x, _ in points), max(x for x, _ in points)
    low = math.floor(math.log10(min(y for _, y in points)))
    high = math.ceil(math.log10(max(y for _, y in points)))
    height, left, right = 300, 80, 240

    def at(x: float, y: float) -> tuple[float, float]:
        share = (math.log10(max(y, 10**low)) - low) / ((high - low) or 1)
        return left + (WIDTH - left - right) * (x - first) / ((last - first) or 1), TOP + height * (1 - share)

    parts = []
    for power in range(low, high + 1):
        y = at(first, 10**power)[1]
        parts.append(f'<line class="rule" x1="{left}" x2="{WIDTH - right}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text class="faint" x="{left - 8}" y="{y + 5:.1f}" text-anchor="end">{10**power:g} {up}</text>')
    for x in sorted({x for x, _ in points}):
        place = at(x, 10**low)
        parts.append(
            f'<text class="faint" x="{place[0]:.1f}" y="{place[1] + 22:.1f}" text-anchor="middle">{x:g}</text>'
        )
    parts.append(f'<text class="faint" x="{left}" y="{TOP + height + 42}">{escape(across)}</text>')
    ends = spread({name: at(*curve[-1])[1] for name, curve in curves.items()})
    for name, curve in curves.items():
        drawn = " L".join("{:.1f},{:.1f}".format(*at(x, y)) for x, y in curve if y > 0)
        kind = "mine" if name.startswith(OURS) else "other"
        parts.append(f'<path class="{kind}" d="M{drawn}"/>')
        label = f"{escape(name)}: {number(curve[-1][1])}"
        parts.append(f'<text x="{WIDTH - right + 8}" y="{ends[name] + 5:.1f}" font-size="12">{label}</text>')
    told = "; ".join(
        f"{name}: {number(curve[-1][1])} {up} at {curve[-1][0]:g} {across}" for name, curve in curves.items()
    )
    return document(title, told, TOP + height + 56, parts)


def spread(heights: Mapping[str, float], gap: float = 17) -> dict[str, float]:
    """Move labels apart that would lie on each other, keeping their order."""
    placed: dict[str, float] = {}
    lowest = -math.inf
    for name, y in sorted(heights.items(), key=lambda item: item[1]):
        lowest = max(y, lowest + gap)
        placed[name] = lowest
    return placed


def number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def document(title: str, told: str, height: float, parts: Sequence[str]) -> str:
    """The SVG around the parts; `told` says in words what the picture shows."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" role="img" '
        f'aria-labelledby="title told">\n<title id="title">{escape(title)}</title>\n'
        f'<desc id="told">{escape(told)}</desc>\n{STYLE}\n'
    )
    heading = f'<text x="10" y="26" font-size="16" font-weight="600">{escape(title)}</text>'
    return head + "\n".join([heading, *parts]) + "\n</svg>\n"
