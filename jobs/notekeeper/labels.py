"""The labels by which a note defines its links and footnotes elsewhere: `[1]: plan.md`, `[^1]: In May.`"""

from __future__ import annotations

import re
from itertools import count

from jobs.notekeeper.code import without_code
from jobs.notekeeper.notes import split_note

_DEFINED = re.compile(r"^ {0,3}\[(?P<label>\^?[^\[\]\n]+)\]:(?P<says>.*(?:\n(?![ \t]*$| {0,3}\[).+)*)", re.MULTILINE)
_USED = re.compile(r"(?<![\\\[])\[(?P<label>\^?[^\[\]\n]+)\](?:\[\])?")


def relabelled(text: str, kept: str) -> str:
    """A text that becomes a part of a note, with another name for each label that the note defines otherwise: `[1-2]`
    for `[1]`, of which a reader sees the words that they saw. No code is changed."""
    own, there, names = defined(text), defined(kept), dict[str, str]()
    for label, says in own.items():
        if there.get(label, says) != says:
            several = (f"{label}-{number}" for number in count(2))
            names[label] = next(name for name in several if name not in own and there.get(name, says) == says)
    body = split_note(text)[1]
    plain, made, end = without_code(body), text[: len(text) - len(body)], 0
    for found in _USED.finditer(plain):
        label, name, after = found["label"], names.get(folded(found["label"])), plain[found.end() : found.end() + 1]
        if not name:
            continue
        line = plain[plain.rfind("\n", 0, found.start()) + 1 : found.start()]
        is_shown = not (label.startswith("^") or line.endswith("]") or (after == ":" and not line.strip()))
        if is_shown and after and after in "[(":
            continue  # a link that names its path, or the words of one with another label
        made += f"{body[end : found.start()]}{f'[{label}]' if is_shown else ''}[{name}]"
        end = found.end()
    return made + body[end:]


def defined(text: str) -> dict[str, str]:
    """What each label of a note stands for, by its name in small letters; the first of several."""
    body = split_note(text)[1]
    found = list(_DEFINED.finditer(without_code(body)))
    return {folded(each["label"]): " ".join(body[slice(*each.span("says"))].split()) for each in reversed(found)}


def folded(label: str) -> str:
    return " ".join(label.split()).casefold()
