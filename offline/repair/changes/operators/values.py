"""Operators on values written in the program: numbers, strings, truth values, initial values, formats."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from ...reading.shapes import called_name, fit, is_docstring
from ...reading.source import Source
from ...reading.vocabulary import Vocabulary, methods_around
from ...reading.words import defaults_in
from ..edits import Edit

ADDED, LEAST_PART = 2, 3  # characters: at an end of a string, and of what is left
LEAST_BESIDE = 2  # names in a row that tell what kind of row it is
ENCODINGS = ("utf-8", "ascii", "latin-1", "idna", "utf-16", "punycode")
BETWEEN = (",", " ", ";", ":", "|", "\n")
GIVEN = {"encode": ENCODINGS, "decode": ENCODINGS} | dict.fromkeys(
    ("split", "rsplit", "partition", "rpartition"), BETWEEN
)
RESEMBLING = 0.6
LIKEWISE = 6  # strings from places like this one, tried first
INITIAL = ("0", "1", "-1", "[]", "{}", "set()", '""', "None", "True", "False", 'float("inf")', 'float("-inf")')
SIMPLE_STRING = re.compile(r"""([rR]?)("{3}|'{3}|"|')(.*)\2$""", re.DOTALL)
REGEX_CALLS = {"compile", "match", "fullmatch", "search", "sub", "split", "findall", "finditer"}
REGEX_CHANGES = (
    ("+", "*"), ("*", "+"), (r"\d", r"\w"), (r"\w", r"\d"), (r"\d", r"\d+"), (r"\w", r"\w+"), ("+", "+?"), ("*", "*?"),
    (".", r"\."), (r"\s", r"\s*"), (r"\s", r"\s+"), (r"\s+", r"\s*"), ("?", ""), ("$", ""), ("^", ""), (r"\b", ""),
)  # fmt: skip
FORMAT_CHANGES = (
    ("<", ">"), (">", "<"), (">", "^"), ("<", "^"), ("^", "<"), ("^", ">"), ("%m", "%M"), ("%M", "%m"), ("%Y", "%y"),
    ("%y", "%Y"), ("%H", "%I"), ("%I", "%H"), ("%d", "%m"), ("%m", "%d"), ("%d", "%s"), ("%s", "%d"), ("%S", "%s"),
)  # fmt: skip


def number(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`10` -> `11`, `9`, its neighbours in a list (these first where they repeat each other, as a table's ranks do),
    `0`, `1`, ten times it, what the file and the tests use."""
    value = node.value
    if type(value) not in (int, float):
        return
    near = [value + 1, value - 1, 0, 1, 2, -value, value * 10, value // 10, value * 2, value // 2, -1]
    near += [value + 2, value - 2, value + 10, value - 10, 3, 4, 5, 7, 10, 100, 1000]
    seen = words.numbers(source)
    mixed = [one for pair in zip(near[2:], seen, strict=False) for one in pair] + near[2:] + seen
    beside = _beside(node)
    nearest = beside + near[:2] if len(set(beside)) < len(beside) else near[:2] + beside
    for other in dict.fromkeys(map(repr, nearest + mixed)):
        if other != repr(value):
            yield _put_number(node, other, source)


def _beside(node: ast.AST) -> list[float]:
    """The other numbers in the same list, tuple, set or dictionary: a table repeats its values."""
    parent = node.parent
    others = parent.values if isinstance(parent, ast.Dict) and node in parent.values else getattr(parent, "elts", [])
    numbers = (one for one in others if isinstance(one, ast.Constant) and type(one.value) in (int, float))
    return [one.value for one in numbers if one is not node]


def sequence_slip(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """A digit dropped, doubled or exchanged with its neighbour: `1024` -> `1042`, `60` -> `600`."""
    digits = source.cut(node)
    if type(node.value) not in (int, float) or not re.fullmatch(r"[\d.]{2,8}", digits):
        return
    options = [digits[:i] + digits[i + 1] + digits[i] + digits[i + 2 :] for i in range(len(digits) - 1)]
    options += [digits[:i] + digits[i + 1 :] for i in range(len(digits))]
    options += [digits[:i] + other + digits[i + 1 :] for i in range(len(digits)) for other in "0123456789"]
    for option in dict.fromkeys(options):
        if re.fullmatch(r"0|[1-9]\d*|\d+\.\d+", option) and option != digits:
            yield source.replace(node, option)


def text(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """Another string: what stands likewise elsewhere and small slips first, then what the file and the tests use."""
    match = _written_string(node, source)
    if match is None:
        return
    prefix, quote, inner = match
    options = [*_parts_said(inner, words), *_said_and_like(inner, words), *_shorter(inner), *_slips(inner)]
    if called_name(node.parent) in REGEX_CALLS or prefix or "%" in inner:
        options = [*_exchanges(inner, REGEX_CHANGES), *_exchanges(inner, FORMAT_CHANGES), *options]
    likewise = [*words.strings_like(node, source)[:LIKEWISE], *_of_those_beside(node, words)[:LIKEWISE]]
    likewise += GIVEN.get(called_name(node.parent), ())
    if not node.value:
        around = node.parent.args if isinstance(node.parent, ast.Call) else ()  # a lambda's are of another kind
        beside = [one.value for one in around if isinstance(one, ast.Constant)]
        likewise += [one for one in beside if isinstance(one, str) and one]
    for other in likewise:
        yield source.replace(node, _quoted(other, prefix, quote))
    for option in dict.fromkeys(options):
        yield source.replace(node, f"{prefix}{quote}{option}{quote}")
    for other in sorted(words.strings(source), key=lambda one: _distance(one, node.value)):
        if other != node.value and other not in likewise:
            yield source.replace(node, _quoted(other, prefix, quote))


def letter(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """One character more, less or exchanged, among the characters that matter in short strings."""
    match = _written_string(node, source)
    if match is None or len(match[2]) > 24 or "\\" in match[2]:
        return
    prefix, quote, inner = match
    alphabet = [one for one in " ,.:;-_/|+*()[]{}<>=#'\"0123456789aeiounstr" if one != quote and one not in "\\"]
    for position in range(len(inner)):
        yield source.replace(node, f"{prefix}{quote}{inner[:position]}{inner[position + 1 :]}{quote}")
    if len(inner) > 60:
        return
    for option in alphabet:
        for position in range(len(inner)):
            yield source.replace(node, f"{prefix}{quote}{inner[:position]}{option}{inner[position + 1 :]}{quote}")
        for position in range(len(inner) + 1):
            yield source.replace(node, f"{prefix}{quote}{inner[:position]}{option}{inner[position:]}{quote}")


def format_field(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """The format or the conversion of a field of an f-string: `{x:.2f}` -> `{x:.1f}`, `{x:>5}` -> `{x:<5}`."""
    start, _ = source.span(node)
    cut = source.cut(node)
    for match in re.finditer(r":([^{}:\"']*)\}", cut):
        spec = match.group(1)
        for option in _spec_changes(spec):
            yield Edit(source.path, start + match.start(1), start + match.end(1), option)
    for match in re.finditer(r"(?<!\{)\{([A-Za-z_][\w.\[\]]*)(\}|![rsa]\})", cut):
        end = start + match.end(1)
        for option in (":.2f", ":02d", ":,", "!r", ":.1f"):
            yield Edit(source.path, end, end + len(match.group(2)) - 1, option)
        for other in words.names_in_scope(node):
            if other != match.group(1):
                yield Edit(source.path, start + match.start(1), end, other)


def truth(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`True` -> `False`, `None` -> `False`, `0` and `""` -> `None`."""
    if isinstance(node.value, bool):
        yield source.replace(node, str(not node.value))
        yield source.replace(node, "None")
    elif node.value is None:
        for other in ("False", "True", "0", '""', "[]"):
            yield source.replace(node, other)
    elif node.value in ("", 0, 1) and not isinstance(node.parent, ast.JoinedStr):
        for other in ("None", "False", "True"):
            yield source.replace(node, other)


def initial_value(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """What a name begins with, a function returns or a parameter defaults to: `0` -> `1`, `[]` -> `set()`."""
    if not _is_initial(node):
        return
    current = source.cut(node)
    names = defaults_in(node.parent) if isinstance(node.parent, ast.arguments) else ()
    name = next((one.arg for one, default in names if default is node), "")
    for other in dict.fromkeys([*(one for one, _ in words.defaults()[name].most_common(LIKEWISE)), *INITIAL]):
        if other != current:
            yield source.replace(node, other)
    iterables = [name for name in words.names_in_scope(node) if words.kind_of(node, name) in ("list", "text", "")]
    for other in iterables[:6]:
        yield source.replace(node, f"{other}[0]")
        yield source.replace(node, f"[{other}]")
        yield source.replace(node, f"len({other})")
    for name in words.self_fields(node)[:8]:
        yield source.replace(node, f"self.{name}")


def initial_values(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`last, place = rows[0]` -> `last, place = 0, 0`: several names that begin together."""
    parent = node.parent
    if not isinstance(parent, ast.Assign) or parent.value is not node or isinstance(node, ast.Tuple):
        return
    if isinstance(parent.targets[0], ast.Tuple):
        for one in ("0", "None", '""', "1"):
            yield source.replace(node, ", ".join([one] * len(parent.targets[0].elts)))


def _is_initial(node: ast.AST) -> bool:
    empty = isinstance(node, ast.List | ast.Dict | ast.Tuple) and not ast.unparse(node).strip("[]{}()")
    simple = isinstance(node, ast.Constant | ast.Name | ast.Subscript)
    call = called_name(node) in ("set", "dict", "list", "float", "Counter", "defaultdict")
    if not (empty or simple or call or isinstance(node, ast.UnaryOp)):
        return False
    parent = node.parent
    if isinstance(parent, ast.arguments):
        return True
    if isinstance(parent, ast.Call):
        return (
            called_name(parent) in ("get", "setdefault", "pop", "getattr", "next", "reduce") and node in parent.args[1:]
        )
    return isinstance(parent, ast.Assign | ast.AnnAssign | ast.Return) and parent.value is node


def _put_number(node: ast.AST, text: str, source: Source) -> Edit:
    """A negative number takes the sign before the place with it: `x + 1` -> `x - 1` is left to other operators."""
    parent = node.parent
    if text.startswith("-") and isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.USub):
        return source.replace(parent, text[1:])
    return fit(node, text, source)


def _written_string(node: ast.AST, source: Source) -> tuple[str, str, str] | None:
    """Prefix, quote and inner text of a plain string literal, None for anything else."""
    if not isinstance(node.value, str) or isinstance(node.parent, ast.JoinedStr) or is_docstring(node.parent):
        return None
    match = SIMPLE_STRING.match(source.cut(node))
    if match is None:
        return None
    prefix, quote, inner = match.groups()
    return (prefix, quote, inner) if len(inner) <= 200 and quote not in inner else None


def _parts_said(inner: str, words: Vocabulary) -> list[str]:
    """What is left of a string without a little at its ends, where the program, the tests or their failures say it."""
    ends = [(left, right) for left in range(ADDED + 1) for right in range(ADDED + 1) if left + right > 0]
    parts = [inner[left : len(inner) - right] for left, right in ends if len(inner) - left - right >= LEAST_PART]
    said = words.said()
    likely = (part for part in parts if part in said)  # most are not, and that is quick to see in a large text
    return [part for part in likely if re.search(rf"(?<![A-Za-z]){re.escape(part)}(?![A-Za-z])", said)]


def _said_and_like(inner: str, words: Vocabulary) -> list[str]:
    """What a failing test names, for a string that is empty or resembles it."""
    return [one for one in words.quoted() if not inner or SequenceMatcher(None, inner, one).ratio() > RESEMBLING]


def _slips(inner: str) -> list[str]:
    """What a hurried writer gets wrong in a string."""
    options = [inner + " ", " " + inner, inner.strip(), inner.upper(), inner.lower(), inner.capitalize(), inner.title()]
    options += [inner + "\\n", inner.removesuffix("\\n"), inner.rstrip("s"), inner + "s", "", " ", ", ", ",", "\\n"]
    options += [inner[:1] * 2, inner[1:], inner[:-1], inner[::-1] if "\\" not in inner else inner]
    return [option for option in dict.fromkeys(options) if option != inner]


def _shorter(inner: str) -> list[str]:
    """A string without a little at one of its ends."""
    cuts = range(min(ADDED, len(inner) - 1), 0, -1)
    return [part for cut in cuts for part in (inner[cut:], inner[:-cut])]


def _of_those_beside(node: ast.Constant, words: Vocabulary) -> list[str]:
    """In a row of names that the class has, the others that it has: `for name in ("scheme", "host")`."""
    row = node.parent if isinstance(node.parent, ast.List | ast.Tuple | ast.Set) else None
    beside = [one.value for one in getattr(row, "elts", ()) if isinstance(one, ast.Constant) and one is not node]
    if len(beside) < LEAST_BESIDE:
        return []
    methods = sorted(methods_around(node), key=lambda one: not one.decorator_list)  # properties first
    own = dict.fromkeys([*(one.name for one in methods), *words.self_fields(node)])
    return [name for name in own if name not in beside] if own.keys() >= {*beside} else []


def _exchanges(inner: str, changes: tuple[tuple[str, str], ...]) -> Iterator[str]:
    for old, new in changes:
        position = inner.find(old)
        while position >= 0:
            if position == 0 or inner[position - 1] != "\\" or old.startswith("\\"):
                yield inner[:position] + new + inner[position + len(old) :]
            position = inner.find(old, position + 1)
    if changes is REGEX_CHANGES:
        yield from (f"^{inner}", f"{inner}$", f"^{inner}$", f"{inner}+", f"{inner}*", f"{inner}?")


def _spec_changes(spec: str) -> list[str]:
    options = list(_exchanges(spec, FORMAT_CHANGES))
    for match in re.finditer(r"\d+", spec):
        value = int(match.group())
        for other in (value + 1, value - 1, value + 2, 0, 1, 2, 3):
            if other >= 0 and other != value:
                options.append(spec[: match.start()] + str(other) + spec[match.end() :])
    options += [f"{sign}{spec}" for sign in ("<", ">", "0", ",")]
    options += [spec[:-1] + kind for kind in "fdxXegsb%" if spec and spec[-1] != kind]
    return [option for option in dict.fromkeys(options) if option != spec]


def _distance(one: str, other: str) -> tuple[int, int]:
    """How unlike two strings are: same length and letters first."""
    return abs(len(one) - len(other)), sum(a != b for a, b in zip(one, other, strict=False))


def _quoted(value: str, prefix: str, quote: str) -> str:
    if prefix and "\\" in value and not value.endswith("\\") and quote not in value:
        return f"{prefix}{quote}{value}{quote}"
    plain = repr(value)
    body = plain[1:-1]
    return f"{quote}{body}{quote}" if len(quote) == 1 and quote not in body and "'" not in body else plain
