"""A run as one page that needs nothing else: trace.html with the run's data in it.

What a model, a file or a tool says is data in the page and never code: it stands in a JSON block in which no "<" is
left, the script puts it on the screen as text alone, and the page's own policy allows this script, this style sheet and
nothing else, from anywhere.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from agent.contracts import STOP_REASONS
from config import ConfigError
from records.explain import explained
from records.folders import read_events, result_of
from records.share import events_to_share, to_share
from records.steps import forked_from

TEMPLATE = Path(__file__).with_name("trace.html")
POLICY = "default-src 'none'; script-src {script}; style-src {style}; base-uri 'none'; form-action 'none'"
LARGEST_PATCH = 2 * 2**20  # bytes that are shown


def write_page(folders: Sequence[Path], found: Counter[str] | None = None, **data: Any) -> Path:
    """Write the page of one run, or of two side by side, into the first one's folder; return its path. `found` counts
    what was taken out of it; `data` as in `page_of`.

    Raises ConfigError when a trace cannot be read, OSError when the page cannot be written.
    """
    name = "trace.html" if len(folders) == 1 else f"trace-against-{folders[1].name}.html"
    page = folders[0] / name
    page.write_text(page_of(parent_first(shareable(folders, found)), **data), encoding="utf-8")
    return page


def write_picture(folders: Sequence[Path], found: Counter[str] | None = None) -> Path:
    """Write the animation of one run, or of two side by side, into the first one's folder; return its path."""
    from records.picture import picture_of

    name = "run.svg" if len(folders) == 1 else f"run-against-{folders[1].name}.svg"
    picture = folders[0] / name
    picture.write_text(picture_of(parent_first(shareable(folders, found))), encoding="utf-8", errors="replace")
    return picture


def shareable(folders: Sequence[Path], found: Counter[str] | None = None) -> list[dict[str, Any]]:
    """The data of runs without what is nobody else's."""
    return [
        {**to_share({**data, "events": []}, found), "events": events_to_share(data["events"], found)}
        for data in map(run_data, folders)
    ]


def parent_first(runs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Two runs in the order in which they are read: a fork after what it was forked from."""
    return runs[::-1] if len(runs) == 2 and forked_from(runs[0]) == runs[1]["name"] else runs


def page_of(runs: Sequence[dict[str, Any]], more: str = "", **data: Any) -> str:
    """Return the page of one run, or of two. `more` is a script that lets it ask for events where it came from (live/),
    with `data` beside the runs; an `explained` there stands in the place of what is said of Glassbox's own loop."""
    return filled(TEMPLATE, {"runs": runs, "explained": explained(), "ends": STOP_REASONS, **data}, more)


def filled(path: Path, data: dict[str, Any], more: str = "", *, connects: bool = False) -> str:
    """Return a page: a template with the data and the policy in it, and with a second script, where there is one. Such
    a page, and one that `connects`, may ask where it came from."""
    template = path.read_text(encoding="utf-8")
    policy = _policy(template, more, connects=connects)
    if more:
        template = template.replace("</body>", f"<script>{more}</script>\n</body>")
    text = json.dumps(data).replace("<", "\\u003c")
    return template.replace("{{policy}}", policy).replace("{{data}}", text)


def policy_of(more: str = "") -> str:
    """The policy of the player's page."""
    return policy_in(TEMPLATE, more)


def policy_in(path: Path, more: str = "", *, connects: bool = False) -> str:
    """The policy of a page: its own script and style, and with `more` that script and where it came from."""
    return _policy(path.read_text(encoding="utf-8"), more, connects=connects)


def _policy(template: str, more: str, *, connects: bool) -> str:
    style, script = (_hash(_only(rf"<{tag}>(.*?)</{tag}>", template)) for tag in ("style", "script"))
    scripts = f"{script} {_hash(more)}" if more else script
    return POLICY.format(script=scripts, style=style) + ("; connect-src 'self'" if more or connects else "")


def run_data(folder: Path) -> dict[str, Any]:
    """Return what the page needs of a run: its events, without what stands in them twice, its result and its patch."""
    result = result_of(folder)
    return {
        "name": folder.name,
        "events": list(_slim(folder)),
        "result": _without_calls(result),
        "patch": patch_of(folder),
        "files": files_of(folder),
    }


def _slim(folder: Path) -> Iterator[dict[str, Any]]:
    return (slimmed(event) for event in read_events(folder) if event["kind"] != "finished")


def slimmed(event: dict[str, Any]) -> dict[str, Any]:
    """An event without what the page has from others."""
    if event["kind"] == "call_started":
        return {**event, "call": event["call"]["id"]}
    if event["kind"] == "finished":
        return {**event, "result": _without_calls(event["result"])}
    return event


def _without_calls(result: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in result.items() if name != "tool_calls"}


def patch_of(folder: Path) -> str:
    from records.undo.undo import diff

    try:
        patch = diff(folder)
    except (ConfigError, OSError):  # it changed nothing, or its directory is gone
        return ""
    text = patch[:LARGEST_PATCH].decode("utf-8", "backslashreplace")
    return text if len(patch) <= LARGEST_PATCH else f"{text}\n[...the patch is longer; see: python main.py --diff]\n"


def files_of(folder: Path) -> dict[str, Any]:
    """What the run's files were: `before` it, and what each of its `calls`, by number among those that ended, made of
    them, as kind and digest; and the `texts` by digest, of those that are text, up to LARGEST_PATCH in all."""
    from records.undo.load import by_call, load
    from records.undo.tree import Entry

    def plain(entries: Mapping[str, Entry | None]) -> dict[str, Any]:
        return {path: entry and [entry.kind, entry.digest] for path, entry in entries.items()}

    try:
        kept = load(folder)
        calls = by_call(kept) if kept else {}
    except ConfigError:  # an older run, or a damaged one: its page has no files
        kept, calls = None, {}
    if kept is None:
        return {"before": {}, "calls": [], "texts": {}}
    entries = [*kept.before.values(), *(entry for changed in calls.values() for entry in changed.values())]
    texts: dict[str, str] = {}
    room = LARGEST_PATCH
    for digest in {entry.digest: None for entry in entries if entry and entry.kind == "file" and entry.digest}:
        with contextlib.suppress(OSError, UnicodeDecodeError):  # not kept, or no text
            data = kept.bytes_of(digest) if (kept.folder / digest).stat().st_size <= room else b"\0"
            if b"\0" not in data:
                texts[digest] = data.decode()
                room -= len(data)
    return {"before": plain(kept.before), "calls": [[n, plain(calls[n])] for n in sorted(calls)], "texts": texts}


def _only(pattern: str, template: str) -> str:
    found = re.findall(pattern, template, re.DOTALL)
    assert len(found) == 1, f"the template must hold {pattern} once"
    return str(found[0])


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"
