"""The front matter of a note, entry by entry: what can be read here, which is texts and lists of texts, and what cannot
be, which nothing writes over."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

_STRING = r"\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*'"
_ITEM = re.compile(rf"({_STRING}|[^\s,\[\]{{}}\"'][^,\[\]{{}}]*?)\s*(?:,|$)")
_FLOW = re.compile(rf"\s*(?:(?:{_STRING}|[^\s,\[\]{{}}\"'][^,\[\]{{}}]*)\s*(?:,\s*|$))*+")


@dataclass(frozen=True)
class Entry:
    """A key in small letters, "" for what has none; its lines as they stand; and what it says, None where that is
    neither a text nor a list of texts, or where it is not certain that this is all of it."""

    key: str
    lines: str
    says: str | list[str] | None


def entries(block: str) -> list[Entry]:
    """The entries of front matter, one after the other; comments and blank lines between them are entries as well."""
    found = list[Entry]()
    for piece in re.split(r"^(?=[^\s#-]|-\S)", block, flags=re.MULTILINE):
        lines = piece.splitlines(keepends=True)
        end = next((at for at in range(len(lines), 0, -1) if not says_nothing(lines[at - 1])), 0)
        if own := "".join(lines[:end]):
            key = re.match(r"([\w-]+):|[\"']?(\w.*?)[\"']?\s*:(?:\s|$)", own)
            named = (key[1] or key[2]).lower() if key else ""
            found.append(Entry(named, own, _value(lines[:end]) if key and key[1] else None))
        if end < len(lines):
            found.append(Entry("", "".join(lines[end:]), None))
    return found


def says_nothing(lines: str) -> bool:
    """Whether there is no more than blank lines, or a comment to begin with."""
    return not lines.strip() or lines.lstrip().startswith("#")


def comments(lines: str) -> str:
    """The comments behind what an entry says, as lines of their own."""
    return "".join(f"{each}\n" for each in re.findall(r"(?<=\s)#.*", re.sub(_STRING, "", lines)))


def _value(lines: list[str]) -> str | list[str] | None:
    """What an entry of front matter says, None where it is not certain that this is all of it."""
    value = lines[0].partition(":")[2].strip()
    listed = re.fullmatch(r"\[(.*)\](?:\s+#.*)?", value)
    if len(lines) > 1:
        items = [re.fullmatch(r"([ \t]*)-[ \t]+(.*)\n?", line) for line in lines[1:]]
        if not re.match(r"#|$", value) or len({item[1] if item else None for item in items}) > 1:
            return None
        several = [item and _scalar(item[2], inside=True) for item in items]
    elif listed and _FLOW.fullmatch(listed[1]):
        several = [_scalar(part, inside=True) for part in _ITEM.findall(listed[1])]
    else:
        return _scalar(value)
    texts = [text for text in several if text is not None]
    return texts if len(texts) == len(several) else None


def _scalar(text: str, *, inside: bool = False) -> str | None:
    """A text as it is meant, None for what is more than that. In a list "a: b" is a map; at the top it is how people
    write a title."""
    text = text.strip()
    quoted = re.fullmatch(rf"({_STRING})(?:\s+#.*)?", text)
    if quoted and text[0] == '"':
        try:
            return str(json.loads(quoted[1])).encode("utf-8", "replace").decode()  # JSON can spell half a character
        except ValueError:
            return None
    if quoted:
        return quoted[1][1:-1].replace("''", "'")
    if text[:1] in tuple("[{|>&*!\"'") or (inside and re.search(r":(?:\s|$)|^\?\s", text)):
        return None
    return re.split(r"(?:^|\s)#", text, maxsplit=1)[0].rstrip()
