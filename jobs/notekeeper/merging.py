"""What a note lacks of what another text says, and the two as one. The same is only what stands there word for word
below the same headings: "the rent" below "Paid" is not said by "the rent" below "Not paid"."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from jobs.notekeeper.code import without_code
from jobs.notekeeper.facts import says
from jobs.notekeeper.front import comments, entries
from jobs.notekeeper.labels import relabelled
from jobs.notekeeper.notes import (
    blocks,
    front_of,
    link_to,
    links_in,
    parted,
    resolver,
    split_note,
    title_of,
    with_front,
    with_link,
    with_paragraphs,
)

DIVIDES = re.compile(r"##? Key points|## In full|## Added \d{4}-\d\d-\d\d")  # headings that say nothing themselves
LEADS_IN = 7  # the level below all headings

Part = tuple[tuple[str, ...], str]


def headed(text: str, title: str) -> Iterator[Part]:
    """Each block of a text, behind the headings that it stands below; "" for a heading with nothing behind it in its
    block. What leads in to the next block ("Paid:", a line in bold) is a heading as well; the title is none."""
    levels: dict[int, str] = {}
    for block in blocks(text):
        starts = [0, *(found.end() for found in re.finditer(r"\n(?=#{1,6} )", without_code(block)))]
        for start, end in zip(starts, [*starts[1:], len(block)], strict=True):
            part = block[start:end].rstrip()
            found = re.match(r"(?P<marks>#{1,6}) .*|.+\n(?P<below>=|-)(?P=below)*[ \t]*$", part, re.MULTILINE)
            found = found or re.fullmatch(r"[\s\S]*:|(?:\*\*|__)[^\n]+(?:\*\*|__)", part)
            if not found:
                yield tuple(levels.values()), part
                continue
            marks = found.groupdict()
            level = len(marks["marks"] or "") or {"=": 1, "-": 2}.get(marks["below"], 0) if marks else LEADS_IN
            levels = {at: heading for at, heading in levels.items() if at < level}
            if levels or level > 1 or found[0].strip("# ") != title.strip("# "):
                levels[level] = found[0]
            yield tuple(levels.values()), part[found.end() :].strip("\n")


def lacking(old: str, new: str, title: str | None = None) -> list[Part]:
    """What a note does not say of a text. With `title` the text is another note of that title, which goes: each block
    must stand to the letter below the same headings. Else it may stand below others above those, as `says` compares,
    and what only divides a note is no heading."""
    there = defaultdict[tuple[str, ...], list[str]](list)
    for above, block in headed(old, title_of("", old)):
        there[above if title is not None else telling(above)].append(block)

    def said(above: tuple[str, ...], block: str) -> bool:
        if title is not None:
            known = [*there.get(above, ()), *there.get((f"## {title}", *above), ())]
            return block in known if block else bool(known)
        above = telling(above)
        places = [place for place in there if place[len(place) - len(above) :] == above]
        return any(not block or says("\n\n".join(there[place]), block) for place in places)

    return [part for part in headed(new, title_of("", old) if title is None else title) if not said(*part)]


def telling(above: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(heading for heading in above if not DIVIDES.fullmatch(heading))


def told(parts: list[Part]) -> list[str]:
    """The parts as blocks of a text, each behind its headings."""
    shown, found = (), list[str]()
    for above, block in parts:
        found += [heading for at, heading in enumerate(above, 1) if above[:at] != shown[:at]]
        found += [block] * bool(block)
        shown = above
    return found


def merged_with(kept: str, text: str, path: str, to: str, titles: Mapping[str, str]) -> str:
    """The note at `to` with all that another says, under its title, with the rest of its front matter and its links.
    `text` is the other, from `path`, with its links as they must be at `to`."""
    title, text = title_of(path, text), relabelled(text, kept)
    kept = with_tags(kept, listed(split_note(text)[0].get("tags", [])))
    front = [block for block in front_told(kept, text, title, path, to) if block not in blocks(kept)]
    new = told(lacking(kept, text, title))
    if new or front or title != title_of(to, kept) and f"## {title}" not in blocks(kept):
        kept = with_paragraphs(kept, [f"## {title}", *front, *new])
    resolved = resolver(titles)
    there = {resolved(link, to) for link in links_in(kept)} | {to}
    for line in re.findall(r"^[-*] (.+?)\s*$", parted(text)[1], re.MULTILINE):
        goal = next((resolved(link, to) for link in links_in(line) if link.raw == line), None)
        names = [link_to(to, goal, titles[goal]), f"[[{titles[goal]}]]"] if goal else []
        if goal != to and not (goal in there and line in names) and f"- {line}" not in kept.splitlines():
            kept = with_link(kept, line)
    return kept


def front_told(kept: str, text: str, title: str, path: str = "", to: str = "") -> list[str]:
    """What the front matter of another text says and the kept note's does not, but for its `title` and its folder: each
    text as a line, and what is more than that, or has a comment, as code, as it stands."""
    there = {entry.lines.strip() for entry in entries(front_of(kept))} | {""}
    tags, folders = listed(split_note(kept)[0].get("tags", [])), (posixpath.dirname(path), posixpath.dirname(to))
    lines, raw = "", ""
    for entry in entries(front_of(text)):
        value, is_plain = entry.says, not comments(entry.lines)
        elsewhere = is_plain and (
            value in ("", [])
            or (entry.key == "title" and value == title)
            or (entry.key == "category" and value in folders)
            or (entry.key == "tags" and value is not None and set(listed(value)) <= set(tags))
        )
        if elsewhere or entry.lines.strip() in there:
            continue
        if is_plain and isinstance(value, str) and "\n" not in value:
            lines += f"{entry.lines.partition(':')[0]}: {value}\n"
        else:
            raw += entry.lines
    fence = max(re.findall("`{3,}", raw), default="``") + "`"
    return [*([lines.strip()] if lines else []), *([f"{fence}yaml\n{raw}{fence}"] if raw else [])]


def with_tags(text: str, tags: list[str]) -> str:
    """The text with more tags; as it is where its front matter cannot be read."""
    known = listed(split_note(text)[0].get("tags", []))
    more = [tag for tag in tags if tag not in known]
    return with_front(text, "tags", [*known, *more]) if more else text


def listed(tags: str | list[str]) -> list[str]:
    """Tags, also where they stand in one text with commas."""
    return tags if isinstance(tags, list) else [tag.strip() for tag in tags.split(",") if tag.strip()]
