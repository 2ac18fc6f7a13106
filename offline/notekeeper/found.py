"""What the search tells of the notes: which are near, in which folder they lie, and what a note made from that is."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import unquote

from offline.notekeeper.extract import COMMON, best, front_in, note_of, sentences, tags, title, words
from offline.notekeeper.topics import Topic, in_the_table, topic_of
from offline.wire.conversation import Step, fields_of

LONGEST_QUERY = 1_500  # characters of a text that similar notes are looked for with
NEIGHBOURS = 8
NEAR = 0.25  # likeness in meaning from which a note is near at all
CLOSE = 0.2
NEAR_FOLDER = 0.25  # a folder's likeness from which a text is its
NEW, WORD = 0.2, 0.3  # the likeness of a topic that has no folder yet; what each word that tells a topic adds
CLOSE_FORMS = 0.08
LINKED = 3  # related notes at most
LINK_NEAR = 0.30
AGREED = 0.6  # of all that was found, by weight
TOLD = re.compile(r"(?:Supersedes|Contradicts|Compare)(?::| \[)|Superseded by \[")  # how a note tells its changes
_SIDES = re.compile(r"(?P<kind>Compare|Contradicts|Superseded by)(?: \[.*?\]\((?P<link>[^)]*)\))?: (?P<old>.+)")
TOLD_TWICE = 2  # words that tell a topic: against the folder of a few near notes
NO_TOPIC = Topic()
BEGINNING = 5  # letters of a word that kb_vector_search names where a text is not English
COMMON_FORMS = COMMON | {word[:BEGINNING] for word in COMMON if len(word) > BEGINNING}
_NUMBERS = re.compile("[〇一二三四五六七八九十百千万零两半年月日时時分点周週回次个個円元号]+")
ADDRESS = re.compile(r"https?://[^\s)>\]]+")


@dataclass(frozen=True)
class Hit:
    """A line of kb_vector_search: place, title, score, likeness in meaning (None without embeddings), words met."""

    place: str
    title: str
    score: float
    likeness: float | None
    met: tuple[str, ...]
    forms: float | None = None  # likeness in the beginnings of words, for a text that is not English

    @property
    def path(self) -> str:
        return self.place.split("#")[0]

    @property
    def folder(self) -> str:
        return posixpath.dirname(self.path)

    @property
    def close(self) -> bool:
        """Near enough to be of one topic, where there is no folder yet to tell."""
        return len(self.met) >= 2 or (self.likeness or 0.0) >= CLOSE or (self.forms or 0.0) >= CLOSE_FORMS

    @property
    def near(self) -> bool:
        return len(self.met) >= 2 or (self.likeness or 0.0) >= NEAR


def note_for(text: str, found: str, source: str = "", structure: str = "") -> dict[str, Any]:
    """The arguments of save_note for a text, of which kb_vector_search `found` the neighbours; `structure` is what
    get_kb_structure says. What its front matter says beside title, tags and source stands at its end."""
    front, text = front_in(text)
    name, own = " ".join(front.pop("title", [])) or title(text), ",".join(front.pop("tags", [])).split(",")
    body = text if name == title(text) else f"# {name}\n\n{text}"  # whose own heading is not its title
    source = source or " ".join(front.pop("source", []))
    rest = "\n".join(f"{key}: {', '.join(parts)}" for key, parts in front.items() if any(parts))
    topic_told = topic_of(text)
    hits, likeness, folders = telling(hits_in(found)), likeness_in(found), folders_in(structure)
    category, mates = nearest(hits, likeness, topic_told, folders) or category_among(hits, topic_told, folders), []
    if category == "general" or category not in {hit.folder for hit in hits}:
        mates = [hit for hit in hits if hit.folder in ("general", "") and hit.close]
    if category == "general" and mates:
        category = topic(text, mates)
    related = [hit.path for hit in hits if hit.folder == category and (hit.likeness or 1.0) >= LINK_NEAR and hit.near]
    related = related or [hit.path for hit in mates]
    return {
        "title": name,
        "content": f"{note_of(body)}\n\n{rest}".strip(),
        "category": category,
        "tags": [tag.strip() for tag in own if tag.strip()] or tags(text),
        "source": source or next(iter(ADDRESS.findall(text)), ""),
        "related": related[:LINKED],
    }


def mates_of(note: Mapping[str, Any], found: str) -> list[str]:
    """The notes of no topic that a new one makes a topic with: they go into its folder."""
    loose = {hit.path for hit in telling(hits_in(found)) if hit.folder == "general" and hit.close}
    return [path for path in note["related"] if path in loose and note["category"] != "general"]


def topic(text: str, mates: list[Hit]) -> str:
    """A name for what a text and other notes are about: the word of the text that most of them share."""
    shared = Counter(word for hit in mates for word in hit.met if not word.isdigit())
    for form, _ in shared.most_common():
        if form > "\u3040":  # a pair of signs
            return form
        if word := next((word for word in words(text) if word.startswith(form.casefold())), ""):
            return word
    return next(iter(shared), "") or next(iter(tags(text)), "general")


def hits_in(result: str) -> list[Hit]:
    """What a search found."""
    found = []
    for line in result.split("\n"):
        fields = fields_of(line)
        if len(fields) >= 5 and re.fullmatch(r"-?\d+\.\d+", fields[2], re.ASCII):
            place, title, score, why = fields[:4]
            met = re.search(r"words: ([^;]*)", why)
            several = tuple(word.strip() for word in met[1].split(",")) if met else ()
            found.append(Hit(place, title, float(score), told("meaning", why), several, told("forms", why)))
    return found


def told(kind: str, why: str) -> float | None:
    number = re.search(rf"{kind} (-?\d+\.\d+)", why, re.ASCII)
    return float(number[1]) if number else None


def folders_in(structure: str) -> list[str]:
    """The folders that get_kb_structure tells of."""
    return re.findall(r"^(.+)/ \(\d+ notes\): ", structure, re.MULTILINE)


def likeness_in(result: str) -> dict[str, float]:
    """The folders that kb_vector_search calls near in meaning; none where it searches by words alone."""
    line = re.search(r"^\[Folders by likeness: (.+)\]$", result, re.MULTILINE)
    each = re.findall(r"(.+?) (-?\d+\.\d\d)(?:; |$)", line[1], re.ASCII) if line else ()
    return {folder: float(number) for folder, number in each}


def nearest(hits: list[Hit], likeness: Mapping[str, float], topic: Topic, folders: Iterable[str] = ()) -> str:
    """The folder that is nearest in meaning: at once where most of what was found lies there; else words of the `topic`
    count for a folder of it, and for the topic's own name where it has none. "" where none is near enough, or meaning
    is not known."""
    first = max(likeness, key=lambda name: likeness[name], default="")
    if sum(hit.folder == first and hit.near for hit in hits) >= max(LINKED, len(hits) / 2):
        return first
    weighed = dict(likeness)
    if likeness and topic.name:
        own = next((name for name in (*likeness, *folders) if topic.names(name)), "")
        weighed[own or topic.name] = likeness.get(own, NEW) + WORD * min(LINKED, topic.words)
    folder = max(weighed, key=lambda name: weighed[name], default="")
    return folder if weighed.get(folder, 0.0) >= NEAR_FOLDER else ""


def asked(hits: list[Hit], question: str) -> list[Hit]:
    """Those of the hits that may answer a question: near it in meaning, or with a word of it that is no date and none
    of the commonest. Where it has no other words, as "What is on Thursday?", those do."""
    dates = r"\d\d?|(?:19|20)\d\d"
    if any(word < "\u3040" for word in words(question)):
        met = {word for hit in hits for word in hit.met}
        more = {word for word in met if word.casefold() not in COMMON_FORMS and not re.fullmatch(dates, word)}
        hits = [replace(hit, met=tuple(word for word in hit.met if word in more)) for hit in hits]
    return [hit for hit in hits if hit.near or hit.met]


def telling(hits: list[Hit]) -> list[Hit]:
    """The same hits by what tells that they are of one topic with a text: not that both hold "two" or "euros"."""
    return [
        replace(
            hit,
            met=tuple(word for word in hit.met if tells_topic(word)),
            forms=hit.forms if hit.forms is None or any(map(tells_topic, hit.met)) else 0.0,
        )
        for hit in hits
    ]


def tells_topic(word: str) -> bool:
    """Whether a word, or the beginning of one, is none of the commonest."""
    if word > "\u3040":
        return not _NUMBERS.fullmatch(word)
    return len(word) > 2 and not word.isdigit() and word.casefold() not in COMMON_FORMS


def category_among(hits: list[Hit], topic: Topic = NO_TOPIC, folders: Iterable[str] = ()) -> str:
    """The folder where several near notes lie and hardly any elsewhere; else that of the topic that the text itself
    tells; else the folder where the nearest lie; else the one that nearly all that was found agrees on; else
    "general"."""
    near, votes, several = Counter[str](), Counter[str](), Counter[str]()
    found = Counter(hit.folder for hit in hits)
    for rank, hit in enumerate(hits, 1):
        weight = (hit.likeness or NEAR) / rank**0.5
        votes[hit.folder] += weight
        several[hit.folder] += hit.near or hit.close
        near[hit.folder] += weight if hit.close or (hit.near and len(hits) >= NEIGHBOURS) else 0.0
    folder, weight = next(iter(near.most_common(1)), ("", 0.0))
    if topic.name and not (several[folder] >= LINKED and weight > AGREED * near.total()):
        alias = next((name for name in (*(hit.folder for hit in hits), *folders) if topic.names(name)), "")
        if alias or topic.words >= TOLD_TWICE or not weight or in_the_table(folder):
            return alias or topic.name
    if folder not in ("", "general") and weight > 0:
        return folder
    folder, weight = next(iter(votes.most_common(1)), ("", 0.0))
    agreed = weight > AGREED * votes.total() and found[folder] >= LINKED
    return folder if agreed and folder not in ("", "general") and not topic.name else topic.name or "general"


def files_in(step: Step) -> dict[str, str]:
    """The notes that one kb_read_file shows, as they stand."""
    parts = re.split(r"^=== (.+)$", step.result, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def notes_in(step: Step) -> dict[str, str]:
    """The same without their front matter, their lists of links, and a summary of what stands below it."""
    notes = {}
    for path, text in files_in(step).items():
        text = re.sub(r"\A\s*---\n.*?\n---\n", "", text, flags=re.DOTALL)
        left_out = r"^(?:#+ .*|See (?:also )?\[.*|\*\*In short:\*\* .*(?=\n\n## Key points$))$"
        text = re.sub(left_out, "", text.partition("\n## Related")[0], flags=re.MULTILINE)
        notes[path] = "" if text.strip().startswith("Error: ") else "\n".join(dict.fromkeys(sentences(text)))
    return notes


def current(text: str) -> tuple[str, list[str]]:
    """What a note says now, without the sentences that a later one of it supersedes and without how it tells of its
    changes; and the lines that say which of its sentences another note supersedes, and what is to be compared."""
    lines = text.split("\n")
    gone = [line.partition(": ")[2] for line in lines if line.startswith("Supersedes:")]
    elsewhere = [line for line in lines if _SIDES.fullmatch(line)]
    kept = [line for line in lines if not TOLD.match(line) and not any(line in old for old in gone)]
    return "\n".join(kept), elsewhere


def both_sides(step: Step, read: Mapping[str, tuple[str, list[str]]], lines: list[str]) -> tuple[list[str], list[str]]:
    """Where one of these lines is a side of what a note says against another (as `current` read them): both sides, the
    newer first, each with its note and its date; and the lines that are none."""
    sides, files = [], files_in(step)
    for path, change in ((path, _SIDES.fullmatch(line)) for path, (_, told) in read.items() for line in told):
        if not change:
            continue
        link = unquote(change["link"] or posixpath.basename(path))
        other = posixpath.normpath(posixpath.join(posixpath.dirname(path), link))
        newer, older = (other, path) if change["kind"] == "Superseded by" else (path, other)
        old, text = change["old"], read.get(newer, ("", []))[0]
        if older in read and old not in read[older][0]:
            continue  # it says another thing by now
        now = next(iter(best(text.replace(old, ""), 1, about=old)), "")
        if any(old in line or line == now != "" and change["kind"] != "Superseded by" for line in lines):
            lines = [line for line in lines if line != now and old not in line]
            sides += [f"{now} ({newer}{dated(files.get(newer, ''), now)})"] if now else []
            sides += [f"{change['kind'].removesuffix(' by')}: {old} ({older}{dated(files.get(older, ''), old)})"]
    return sides, lines


def dated(text: str, sentence: str) -> str:
    """ ", " and the date under which a note says a sentence: of the heading above it, else of the note."""
    dates = re.findall(r"^(?:date:|## Added) (\d{4}-\d\d-\d\d)", text[: max(0, text.find(sentence))], re.MULTILINE)
    return f", {dates[-1]}" if dates else ""


def meant(name: str, files: str, found: str) -> tuple[list[str], list[str]]:
    """The notes that a name in words may mean, of what kb_search_files and kb_vector_search say: those of just this
    title or path; and those in which all its words stand, in the title where there is such a one."""
    hits, own = telling(hits_in(found)), set(words(name))
    titles = dict(re.findall(r"^(.+?\.md): (.+)$", files, re.MULTILINE)) | {hit.path: hit.title for hit in hits}
    stems = {path: posixpath.basename(path).removesuffix(".md") for path in titles}
    titled = [path for path, title in titles.items() if own and own <= set(words(f"{title} {path}"))]
    said = [hit.path for hit in hits if own and len(hit.met) >= len(own)]
    same = [path for path in titles if name.casefold() in (titles[path].casefold(), path, path[:-3], stems[path])]
    return same, titled or said
