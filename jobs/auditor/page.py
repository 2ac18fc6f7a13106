"""The report as one page that needs nothing else. What stands in the data is text on it, and never code: everything is
escaped, and the page's own policy allows no script but the one that copies a query."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from jobs.auditor.causes import every, with_others
from jobs.auditor.report import SEVERITIES, unflagged

Report = Mapping[str, Any]
STYLE = """
/* The colours are those of a run's page (records/trace.html). */
:root{color-scheme:light dark;--ground:#f6f4ef;--sheet:#fffdf9;--sunk:#f0ede6;--line:#d9d4c8;--ink:#22272b;
--soft:#5c6166;--accent:#0b6b66;--low:#5c6166;--medium:#8a5200;--high:#ab2b20;--critical:#8d0f2b;--bar:#8fa7c4}
@media(prefers-color-scheme:dark){:root{--ground:#14181b;--sheet:#1b2024;--sunk:#12161a;--line:#343b41;
--ink:#e8e6e0;--soft:#a4abb0;--accent:#6fcbc2;--low:#a4abb0;--medium:#e6b063;--high:#ff9a8d;--critical:#ff7d9c}}
*{box-sizing:border-box}html{background:var(--ground);color:var(--ink)}[hidden]{display:none!important}
body{font:1rem/1.5 system-ui,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;max-width:70rem;margin:0 auto;
padding:1rem clamp(.75rem,2vw,2rem) 3rem;overflow-wrap:anywhere}
h1{font-size:1.5rem;margin:0}h2{font-size:1.15rem;margin:1.6rem 0 .4rem}h3{font-size:1.05rem;margin:0}p{margin:.3rem 0}
.score{font-size:2.2rem;font-weight:600}.muted{color:var(--soft)}a{color:var(--accent)}
.card{background:var(--sheet);border:1px solid var(--line);border-left:6px solid var(--low);border-radius:.7rem;
padding:.7rem 1rem;margin:.9rem 0}
.medium{border-left-color:var(--medium)}.high{border-left-color:var(--high)}.critical{border-left-color:var(--critical)}
code,pre{font:.85rem/1.5 ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;
background:var(--sunk);border-radius:.3rem}
code{padding:0 .2rem}pre{padding:.6rem;overflow:auto;white-space:pre-wrap}
button,select{font:inherit;color:inherit;background:var(--sheet);border:1px solid var(--soft);border-radius:.5rem;
padding:.3rem .7rem;max-width:100%}:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
table{border-collapse:collapse;width:100%}
td,th{text-align:left;padding:.25rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}
.wide{overflow-x:auto}.wide td{min-width:4rem}.asked{display:flex;flex-wrap:wrap;gap:.4rem 1rem;margin:.6rem 0}
#index td:first-child{white-space:nowrap}#index a{text-decoration-color:var(--line)}
#index td:nth-child(n+3),#index th:nth-child(n+3){white-space:nowrap;text-align:right}
@media(max-width:40rem){#index :is(td,th):nth-child(n+5),
#index :is(td,th):nth-child(3){display:none}#index td,#index th{padding:.25rem .3rem}}
svg{display:block}.fields{display:grid;grid-template-columns:repeat(auto-fill,minmax(14rem,1fr));gap:.8rem}
.field{background:var(--sheet);border:1px solid var(--line);border-radius:.7rem;padding:.5rem .7rem}
"""
SCRIPT = """
for (const button of document.querySelectorAll("button")) button.addEventListener("click", async () => {
  const query = button.closest(".card").querySelector("pre");
  try { await navigator.clipboard.writeText(query.textContent); button.textContent = "Copied"; }
  catch { getSelection().selectAllChildren(query); button.textContent = "Selected"; }
});
const asked = [...document.querySelectorAll("select")], found = [...document.querySelectorAll("[data-fields]")];
for (const select of asked) select.addEventListener("change", () => {
  const [severity, field] = asked.map((each) => each.value);
  const holds = ({ dataset }) => (!severity || dataset.severity === severity)
    && (!field || JSON.parse(dataset.fields).includes(field));
  for (const each of found) each.hidden = !holds(each);
});
"""


def page(told: Report) -> str:
    """Return the page: an overview, an index with filters, a card a finding, a picture a field, what has no finding,
    dismissed, compared."""
    policy = f"default-src 'none'; style-src {digest(STYLE)}; script-src {digest(SCRIPT)}; base-uri 'none'"
    title = f"Audit of {told.get('collection', 'a collection')}"
    parts = [
        overview(told),
        index(told["findings"]),
        *(card(number, each) for number, each in enumerate(told["findings"], 1)),
    ]
    parts += [fields(told), without(told), dismissed(told), against(told)]
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}"><title>{escape(title)}</title>'
        f"<style>{STYLE}</style><h1>{escape(title)}</h1>{''.join(parts)}<script>{SCRIPT}</script></html>"
    )


def overview(told: Report) -> str:
    score, findings = told["score"], told["findings"]
    about = "The audit was stopped before its end: this is what it had found."
    if not told.get("partial"):
        tokens = told["tokens"]
        read = tokens["input"] and f", {tokens['input'] // max(1, told['iterations']):,} tokens read an iteration" or ""
        sampled = "; statistics from a sample" if told["sampled"]["statistics"] else ""
        about = (
            f"{told['source']}: {told['rows']:,} rows, {len(told['fields'])} fields{sampled}; "
            f"{told['iterations']} iterations, {told['queries']} queries{read}"
        )
    return (
        f'<p class="muted">{escape(about)} <a href="trace.html">Step through the run</a></p>'
        f'<p><span class="score">{score["value"]}</span> of 100 (likely between {score["low"]} and {score["high"]}), '
        f"{len(findings)} {'finding' if len(findings) == 1 else 'findings'}{by_severity(findings)}.</p>"
        f'<p class="muted">How the score is made: {escape(score["explained"])}</p>{usage(told)}'
    )


def by_severity(findings: Sequence[Report]) -> str:
    """How many there are of each severity, the worst first: ": 2 high, 5 low"."""
    many = [(sum(each["severity"] == name for each in findings), name) for name in reversed(SEVERITIES)]
    told = ", ".join(f"{count} {name}" for count, name in many if count)
    return f": {told}" if told else ""


def index(findings: Sequence[Report]) -> str:
    """A line a finding, the worst first, and what leaves some of them out."""
    if len(findings) < 2:
        return ""
    names = sorted({name for each in findings for name in fields_of(each)})
    severities = [name for name in reversed(SEVERITIES) if any(each["severity"] == name for each in findings)]
    asked = "".join(
        f'<label>{title} <select><option value="">all</option>'
        f"{''.join(f'<option>{escape(each)}</option>' for each in choices)}</select></label>"
        for title, choices in (("Severity", severities), ("Field", names))
    )
    lines = "".join(
        f'<tr {marks(each)}><td>{number}</td><td><a href="#finding-{number}">{marked(with_others(each))}</a></td>'
        f"<td>{escape(each['severity'])}</td><td>{each['affected']:,}</td><td>{each['confidence']:.0%}</td></tr>"
        for number, each in enumerate(findings, 1)
    )
    head = "".join(f"<th>{name}</th>" for name in ("", "Finding", "Severity", "Rows", "Confidence"))
    return (
        f'<h2>What was found, the worst first</h2><div class="asked">{asked}</div>'
        f'<table id="index"><tr>{head}</tr>{lines}</table>'
    )


def fields_of(each: Mapping[str, Any]) -> list[str]:
    """The fields of a finding and of what is told with it."""
    return list(dict.fromkeys(name for one in every([each]) for name in one["fields"]))


def marks(each: Report) -> str:
    """What the filters look at."""
    return f'data-severity="{escape(each["severity"])}" data-fields="{escape(json.dumps(fields_of(each)))}"'


def marked(text: str) -> str:
    """A text with what stands between backticks as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def usage(told: Report) -> str:
    """A bar an iteration: the tokens that the model read."""
    read = [each[0] or 0 for each in told.get("tokens", {}).get("by_iteration", ())]
    most = max(read, default=0)
    if not most:
        return ""
    bars = "".join(
        f'<rect x="{12 * at}" y="{40 - 40 * tokens / most:.1f}" width="10" height="{40 * tokens / most:.1f}" '
        f'fill="var(--bar)"><title>{tokens:,} tokens read in iteration {at + 1}</title></rect>'
        for at, tokens in enumerate(read)
    )
    label = f"Tokens that the model read, by iteration: {most:,} at most"
    picture = f'<svg width="{12 * len(read)}" height="40" role="img" aria-label="{label}">{bars}</svg>'
    return f'{picture}<p class="muted">{label}</p>'


def card(number: int, each: Mapping[str, Any]) -> str:
    rows = ", ".join(str(row) for row in each["rows"][:30]) + (" ..." if each["affected"] > 30 else "")
    affected, some = each["affected"], len(each["examples"])
    also = "".join(
        f"<p>The same rows: {marked(one['claim'])}</p><pre>{escape(one['query'])}</pre>" for one in each.get("also", ())
    )
    few = f"; {some} of them" if 0 < some < affected else ""
    return (
        f'<section class="card {escape(each["severity"])}" id="finding-{number}" {marks(each)}>'
        f"<h3>{number}. {marked(each['claim'])}</h3>"
        f'<p class="muted">{escape(each["category"])}, {escape(each["severity"])}, '
        f"confidence {each['confidence']:.0%}; {escape(', '.join(each['fields']))}</p>"
        f"<p>{marked(each['suggestion'])}</p>"
        f"<p>{affected:,} {'row' if affected == 1 else 'rows'}: {escape(rows)}{few}</p>{examples(each['examples'])}"
        f"<p>The query that shows it:</p><pre>{escape(each['query'])}</pre><button>Copy the query</button>"
        f"{also}</section>"
    )


def examples(rows: Iterable[Mapping[str, Any]]) -> str:
    rows = list(rows)
    if not rows:
        return ""
    head = "".join(f"<th>{escape(str(name))}</th>" for name in rows[0])
    body = "".join("<tr>" + "".join(f"<td>{escape(shown(v))}</td>" for v in row.values()) + "</tr>" for row in rows)
    # What is wider than the screen is moved by the arrow keys, too, and the page stays as it is.
    return f'<div class="wide" tabindex="0" role="region" aria-label="Rows"><table><tr>{head}</tr>{body}</table></div>'


def shown(value: Any) -> str:
    return "(none)" if value is None else str(value)[:120]


def fields(told: Report) -> str:
    cards = "".join(field(each) for each in told.get("fields", ()) if "rows" in each)
    return f'<h2>The fields</h2><div class="fields">{cards}</div>' if cards else ""


def field(each: Mapping[str, Any]) -> str:
    """A bar of missing and kinds, the most frequent values or the range, the patterns."""
    total = max(1, each["rows"])
    x, bars = 0.0, []
    shades = ("#4677b8", "#7fa6d6", "#b5cdea", "#d9b38c")
    for colour, count in [*zip(shades, each["kinds"].values(), strict=False), ("#c8442b", each["null"])]:
        width = 200 * count / total
        bars.append(f'<rect x="{x:.1f}" y="0" width="{width:.1f}" height="8" fill="{colour}"/>')
        x += width
    most = max((times for _, times in each["top"]), default=1)
    for at, (value, times) in enumerate(each["top"]):
        y = 14 + 14 * at
        bars.append(f'<rect x="0" y="{y}" width="{80 * times / most:.1f}" height="10" fill="var(--bar)"/>')
        bars.append(f'<text x="86" y="{y + 9}" font-size="10" fill="currentColor">{escape(value[:20])}</text>')
    kinds = ", ".join(f"{kind} {count / total:.0%}" for kind, count in each["kinds"].items())
    limits = f"{shown(each['range']['min'])} to {shown(each['range']['max'])}" if each["range"] else ""
    patterns = ", ".join(pattern for pattern, _ in each["patterns"][:3])
    return (
        f'<div class="field"><b>{escape(each["field"])}</b><svg viewBox="0 0 200 72" width="100%" role="img" '
        f'aria-label="{escape(each["field"])}">{"".join(bars)}</svg><span class="muted">{escape(kinds)}; missing '
        f"{each['null'] / total:.1%}; {each['distinct']:,} different<br>{escape(limits)}<br>{escape(patterns)}"
        "</span></div>"
    )


def without(told: Report) -> str:
    return "".join(f"<h2>{title}</h2><p>{escape(text)}</p>" for title, text in unflagged(told))


def dismissed(told: Report) -> str:
    items = "".join(f"<li>{escape(each['claim'])} <i>{escape(each['reason'])}</i></li>" for each in told["dismissed"])
    return f"<h2>Dismissed, and why</h2><ul>{items}</ul>" if items else ""


def against(told: Report) -> str:
    compared = told.get("compared")
    if not compared:
        return ""
    kinds = ("new", "persisting", "gone")
    items = "".join(f"<li><b>{kind}</b>: {escape(each['claim'])}</li>" for kind in kinds for each in compared[kind])
    return f"<h2>Against audit {compared['against']}</h2><ul>{items}</ul>"


def digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
