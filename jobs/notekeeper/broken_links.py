"""Links that lead to nothing, and the note that each may mean. A link to a note that is not written yet is one as well:
what is not sure is only told."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from difflib import get_close_matches
from functools import lru_cache

from functions.pages import row
from jobs.notekeeper.knowledge_base import GENERIC, KnowledgeBase
from jobs.notekeeper.notes import Link, links_in, resolver, way_from
from sandbox.files.root import IGNORED, Refusal, Root

LIKE = 0.8  # of two names' signs
TELLING = 3  # words of a title by which it is told from any other
_GLUED = re.compile(r"[\w!)\]]", re.ASCII)  # what shows a file stands behind "!", and x[[1]] is R


def broken(kb: KnowledgeBase, texts: dict[str, str], titles: dict[str, str]) -> Iterator[str]:
    """A line for each, `broken link | note | link | nearest`. What leads to a file of any kind is none."""
    there: dict[str, list[str]] = {}  # looked at with the first that leads to no note
    resolved = resolver(titles)
    for path, text in texts.items():
        for link in links_in(text):
            if resolved(link, path) is None and (link.wiki or link.target.endswith(".md")):
                there = there or by_name(kb.root)
                wanted = link.target if link.wiki else way_from(path, link.target)
                if not is_named(wanted, there, anywhere=link.wiki):
                    is_plain = "\n" not in link.raw and not _GLUED.match(text[: link.start][-1:])
                    sure = is_plain and not wanted.startswith("../")  # of what lies outside nothing is known
                    yield row("broken link", path, link.raw, nearest(link, wanted, titles) if sure else "")


def is_named(wanted: str, there: dict[str, list[str]], *, anywhere: bool) -> bool:
    """Whether a path is the wanted one, or with `anywhere`, as in a wiki link, ends so in whatever capitals."""
    for end in (f"/{wanted}", f"/{wanted}.md", f"/{wanted}.markdown"):
        like = there.get(posixpath.basename(end).casefold(), [])
        if any(path.casefold().endswith(end.casefold()) if anywhere else path == end for path in like):
            return True
    return False


def by_name(root: Root) -> dict[str, list[str]]:
    """The paths of all files and folders, each behind "/", by their last name in small letters."""
    found = defaultdict[str, list[str]](list)
    for path in every_name(root):
        found[posixpath.basename(path).casefold()].append(f"/{path}")
    return found


def every_name(root: Root, folder: str = "") -> Iterator[str]:
    """The paths of all files and folders, also of those that no tool here may open."""
    for entry in root.entries(folder):
        path = posixpath.join(folder, entry.name)
        yield path
        if entry.kind == "directory" and entry.name not in IGNORED:
            with suppress(Refusal):
                yield from every_name(root, path)


def nearest(link: Link, wanted: str, titles: dict[str, str]) -> str:
    """The path of the note that a broken link to `wanted` means: as it is where that is sure, which is where nothing
    differs but capitals, spaces and hyphens, or where the words of the link are a whole title too; else with "perhaps "
    before it. "" for none: what differs in a number is another note."""
    names = {other: [other, *([title, posixpath.basename(other)] * link.wiki)] for other, title in titles.items()}
    same = [other for other, several in names.items() if folded(wanted) in map(folded, several)]
    if same:
        return same[0] if len(same) == 1 else ""
    spelled = {title.casefold() if link.wiki else other: other for other, title in titles.items()}
    last = posixpath.basename(wanted)
    close = [name for name, other in spelled.items() if posixpath.basename(other) == last]
    close = close or get_close_matches(wanted.casefold() if link.wiki else wanted, spelled, 1, LIKE)
    if len(close) != 1 or re.findall(r"\d+", wanted) != re.findall(r"\d+", close[0]):
        return ""
    other, says = spelled[close[0]], set(re.findall(r"\w+", link.shown.casefold())) - GENERIC
    sure = not link.wiki and len(says) >= TELLING and folded(link.shown) == folded(titles[other])
    return other if sure else f"perhaps {other}"


@lru_cache(maxsize=2**17)  # each broken link is compared with the name of every note
def folded(name: str) -> str:
    """A name without what people spell in several ways."""
    return re.sub(r"(?<=\w)(?:\s+|[_-])(?=\w)", " ", name.strip().casefold().removesuffix(".md"))
