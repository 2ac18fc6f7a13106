"""Tool: what is out of order in the knowledge base."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterator

from functions.pages import row
from functions.tool import Tool
from index import meaning
from jobs.notekeeper.broken_links import broken
from jobs.notekeeper.corrections import is_told
from jobs.notekeeper.facts import telling
from jobs.notekeeper.folders import MODEL
from jobs.notekeeper.knowledge_base import KnowledgeBase
from jobs.notekeeper.merging import headed, lacking
from jobs.notekeeper.notes import paragraphs, shingles, title_of

NEAR = 0.5  # of two texts' threes of words in common (Jaccard): one repeats the other
NEIGHBOURS = 8
ABOUT = 600  # characters of a note that say by their words what it is about
AGREEING = 5  # of the neighbours in one other folder, and none in its own: the note belongs there
MOST_TOLD = 8  # numbers, names and "not"s that a merge would bring
MOST = 1_000  # notes whose place is looked at by words: each takes a search
MOST_BY_MEANING = 15_000  # each is compared with all others, some four seconds
SCHEMA = {
    "name": "kb_check",
    "description": "Find what is out of order: broken links, notes that repeat each other, notes in a wrong folder.",
    "parameters": {"type": "object", "properties": {}, "required": []},
}


def kb_check(kb: KnowledgeBase) -> str:
    """Return a line a finding: `broken link | note | link | nearest` ("perhaps " before one that is not sure),
    `repeated | longer note | other | share | what a merge drops and keeps`, `misplaced | note | folder`. Nothing is
    changed."""
    texts = dict(kb.notes())
    titles = {path: title_of(path, text) for path, text in texts.items()}
    found = [*broken(kb, texts, titles), *repeated(texts)]
    most = MOST_BY_MEANING if meaning.available(MODEL) else MOST
    found += misplaced(kb, texts) if len(texts) <= most else [f"[Not looked for misplaced notes among {len(texts)}]"]
    return "\n".join(found) or f"{len(texts)} notes, and nothing out of order."


def repeated(texts: dict[str, str]) -> Iterator[str]:
    """Pairs that share most of their threes of words; compared only where they share one that is rare."""
    sets = {path: shingles(" ".join(said_in(text))) for path, text in texts.items()}
    holders: dict[tuple[str, ...], list[str]] = {}
    for path, own in sets.items():
        for three in own:
            holders.setdefault(three, []).append(path)
    shared: Counter[tuple[str, str]] = Counter()
    for paths in holders.values():
        if 1 < len(paths) <= 10:
            shared.update((left, right) for at, left in enumerate(paths) for right in paths[at + 1 :])
    for (left, right), common in shared.items():
        share = common / len(sets[left] | sets[right])
        if share >= NEAR:
            longer, shorter = sorted((left, right), key=lambda path: -len(sets[path]))
            merged = merging(texts[longer], texts[shorter])
            yield row("repeated", longer, shorter, f"{share:.2f}", merged)


def merging(kept: str, other: str) -> str:
    """What a merge of the other into the first drops, and what it keeps beside what the first says."""
    title = title_of("", other)
    parts = [block for _, block in headed(other, title) if block and not is_told(block)]
    new = [block for _, block in lacking(kept, other, title) if block and not is_told(block)]
    there = set(telling(kept))
    own = list(dict.fromkeys(token for part in new for token in telling(part) if token not in there))
    drops = f"drops {count(len(parts) - len(new))} said in both word for word"
    return f"{drops}; keeps {count(len(new))} of its own" + (f": {', '.join(own[:MOST_TOLD])}" if own else "")


def said_in(text: str) -> list[str]:
    """The paragraphs of a note without those that only tell of its changes."""
    return [part for part in paragraphs(text) if not is_told(part)]


def count(paragraphs_: int) -> str:
    return f"{paragraphs_} paragraph{'' if paragraphs_ == 1 else 's'}"


def misplaced(kb: KnowledgeBase, texts: dict[str, str]) -> Iterator[str]:
    """Notes whose neighbours nearly all lie in one other folder, and none in their own: rather too few than wrong."""
    abouts = ((path, " ".join([title_of(path, text), *paragraphs(text)])[:ABOUT]) for path, text in texts.items())
    for path, near in kb.neighbours(abouts, NEIGHBOURS):
        own, folders = posixpath.dirname(path), Counter(map(posixpath.dirname, near))
        for folder, count in folders.most_common(1):
            if own and folder and own not in folders and count >= AGREEING:
                yield row("misplaced", path, folder)


TOOL = Tool(name="kb_check", function=kb_check, schema=SCHEMA, reads_only=True, resource="kb")
