"""The report as one page that needs nothing else. What stands in the data is text on it, and never code: everything is
escaped, and the page's own policy allows no script but the one that copies a query."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from jobs.auditor.report import unflagged

Report = Mapping[str, Any]
STYLE = """
:root{color-scheme:light dark}
body{font:15px/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem;color:#1c2330;background:#fff}
h1{margin-bottom:0}.score{font-size:2.6rem;font-weight:600}.muted{color:#5c6676}
.card{border:1px solid #d6dce5;border-left-width:6px;border-radius:6px;padding:.6rem 1rem;margin:1rem 0}
.low{border-left-color:#8a9bb0}.medium{border-left-color:#c98a00}.high{border-left-color:#c8442b}
.critical{border-left-color:#8d0f2b}
pre{background:#f3f5f8;padding:.6rem;overflow:auto;white-space:pre-wrap;word-break:break-word}
button{font:inherit;padding:.1rem .6rem}table{border-collapse:collapse;width:100%}
td,th{text-align:left;padding:.25rem .6rem;border-bottom:1px solid #e4e8ee;vertical-align:top;overflow-wrap:anywhere}
.wide{overflow-x:auto}.wide td{min-width:4rem}
svg{display:block}.fields{display:grid;grid-template-columns:repeat(auto-fill,minmax(14rem,1fr));gap:.8rem}
.field{border:1px solid #d6dce5;border-radius:6px;padding:.5rem .7rem;overflow-wrap:anywhere}
@media(prefers-color-scheme:dark){body{background:#12161d;color:#dfe5ee}pre{background:#1c222c}.muted{color:#98a4b5}
.card,.field{border-color:#333d4c}td,th{border-color:#2a323e}}
"""
SCRIPT = """
for (const button of document.querySelectorAll("button")) button.addEventListener("click", async () => {
  const query = button.closest(".card").querySelector("pre");
  try { await navigator.clipboard.writeText(query.textContent); button.textContent = "Copied"; }
  catch { getSelection().selectAllChildren(query); button.textContent = "Selected"; }
});
"""


def page(told: Report) -> str:
    """Return the page: an overview, a card a finding, a picture a field, what has no finding, dismissed, compared."""
    policy = f"default-src 'none'; style-src {digest(STYLE)}; script-src {digest(SCRIPT)}; base-uri 'none'"
    title = f"Audit of {told.get('collection', 'a collection')}"
    parts = [overview(told), *(card(number, each) for number, each in enumerate(told["findings"], 1))]
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
        f'<p><span class="score">{score["value"]}</span> of 100 ({score["low"]} to {score["high"]}), '
        f"{len(findings)} findings. "
        f'<span class="muted">{escape(score["explained"])}</span></p>{usage(told)}'
    )


def usage(told: Report) -> str:
    """A bar an iteration: the tokens that the model read."""
    read = [each[0] or 0 for each in told.get("tokens", {}).get("by_iteration", ())]
    most = max(read, default=0)
    if not most:
        return ""
    bars = "".join(
        f'<rect x="{12 * at}" y="{40 - 40 * tokens / most:.1f}" width="10" height="{40 * tokens / most:.1f}" '
        f'fill="#8fa7c4"><title>{tokens:,} tokens read in iteration {at + 1}</title></rect>'
        for at, tokens in enumerate(read)
    )
    label = f"Tokens read an iteration, {most:,} at most"
    picture = f'<svg width="{12 * len(read)}" height="40" role="img" aria-label="{label}">{bars}</svg>'
    return f'{picture}<p class="muted">{label}</p>'


def card(number: int, each: Mapping[str, Any]) -> str:
    rows = ", ".join(str(row) for row in each["rows"][:30]) + (" ..." if each["affected"] > 30 else "")
    return (
        f'<section class="card {escape(each["severity"])}"><h2>{number}. {escape(each["claim"])}</h2>'
        f"<p>{escape(each['category'])}, {escape(each['severity'])}, confidence {each['confidence']:.0%}; "
        f"fields {escape(', '.join(each['fields']))}. {escape(each['suggestion'])}</p>"
        f"<p>{each['affected']:,} rows: {escape(rows)}</p>{examples(each['examples'])}"
        f"<pre>{escape(each['query'])}</pre><button>Copy the query</button></section>"
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
        bars.append(f'<rect x="0" y="{y}" width="{80 * times / most:.1f}" height="10" fill="#8fa7c4"/>')
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
