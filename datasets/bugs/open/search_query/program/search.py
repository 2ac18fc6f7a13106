"""A search box: words, "exact phrases", -excluded words, field:value and OR."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Term:
    text: str
    field: str = ""
    excluded: bool = False

    def matches(self, document):
        if self.field:
            found = self.text in str(document.get(self.field, "")).lower()
        else:
            found = any(self.text in str(value).lower() for value in document.values())
        return found != self.excluded


@dataclass
class Group:
    """Terms of which one must match."""

    terms: list = field(default_factory=list)

    def matches(self, document):
        return any(term.matches(document) for term in self.terms)


def split(text):
    """Words and quoted phrases: a -b "c d" e:"f g" -> ['a', '-b', 'c d', 'e:f g']"""
    pieces = []
    current, quoted, filled = "", False, False
    for char in text:
        if char == '"':
            quoted = not quoted
            filled = True
        elif char.isspace() and not quoted:
            if filled:
                pieces.append(current)
            current, filled = "", False
        else:
            current += char
            filled = True
    if quoted:
        raise ValueError("a quotation mark is missing")
    if filled:
        pieces.append(current)
    return pieces


def make_term(piece):
    excluded = piece.startswith("-") and len(piece) > 1
    if excluded:
        piece = piece[1:]
    name, colon, value = piece.partition(":")
    if colon and name.isalpha():
        return Term(value.lower(), name.lower(), excluded)
    return Term(piece.lower(), "", excluded)


def parse(text):
    groups = []
    joined = False
    for piece in split(text):
        if piece == "OR" and groups:
            joined = True
            continue
        term = make_term(piece)
        if joined:
            groups[-1].terms.append(term)
        else:
            groups.append(Group([term]))
        joined = False
    return groups


def matches(groups, document):
    for group in groups:
        if not group.matches(document):
            return False
        return True


def search(text, documents):
    groups = parse(text)
    return [document for document in documents if matches(groups, document)]
