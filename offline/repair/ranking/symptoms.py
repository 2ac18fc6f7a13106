"""What the message of a failing test makes likelier: a table from symptoms to the operators that cure them."""

from __future__ import annotations

import re
from collections.abc import Iterable

# A pattern in the failure's text, the factor, and the names of the operators it applies to.
SYMPTOMS: tuple[tuple[str, float, tuple[str, ...]], ...] = (
    ("IndexError", 2, (
        "off by one", "slice bounds", "range bounds", "comparison", "missing guard", "missing condition",
        "number", "missing default"
    )),
    ("KeyError", 4, ("absent key",)),
    ("KeyError", 2, (
        "missing guard", "missing condition", "attribute", "text", "method", "missing argument", "exception"
    )),
    ("NoneType", 3, (
        "missing return", "returned", "missing guard", "missing condition", "missing else"
    )),
    ("ZeroDivisionError", 3, (
        "missing guard", "missing condition", "missing default", "excess statement"
    )),
    ("NameError", 3, (
        "variable", "function", "field for name", "missing import", "text", "definition name"
    )),
    ("UnboundLocalError|NameError|has no attribute", 8, ("empty place",)),
    ("UnboundLocalError", 3, (
        "declaration", "indentation", "variable", "order", "missing update", "assignment"
    )),
    ("AttributeError", 3, (
        "attribute", "method", "member", "missing call", "field for name", "missing update", "missing super",
        "variable", "definition name"
    )),
    ("ImportError|ModuleNotFoundError", 4, (
        "moved import",        "definition name", "import name", "missing import"
    )),
    ("positional argument|unexpected keyword|missing .* argument", 3, (
        "missing argument", "excess argument", "decorator", "function", "method", "missing super"
    )),
    ("NoneType|None !=|!= None", 2, ("result in place", "dropped result", "copy")),
    ("TypeError", 2, (
        "missing call", "excess call", "swapped arguments", "variable", "initial value", "returned", "copy"
    )),
    ("can't multiply sequence|unsupported operand|can only concatenate|must be str, not", 3, (
        "arithmetic",
    )),
    ("not callable|not subscriptable|not iterable", 3, (
        "excess call", "missing call", "member", "attribute", "decorator"
    )),
    ("RecursionError|TimeIsUp|ended the whole", 2, (
        "missing update", "missing guard", "comparison", "off by one", "arithmetic", "missing control",
        "indentation", "missing return"
    )),
    ("not raised|DID NOT RAISE", 2, (
        "missing guard", "comparison", "raise or return", "missing condition", "connective", "exception",
        "excess condition", "negation"
    )),
    (r"^(?!Assertion|Attribute|Index|Key|Name|Type|UnboundLocal|ZeroDivision|Recursion)\w+(Error|Exception)\b", 2, (
        "exception",
    )),
    ("changed size during|modified", 3, (
        "copy",
    )),
    ("None !=|!= None|is None|assert None", 2, (
        "missing return", "returned", "indentation", "loop control"
    )),
)  # fmt: skip


def boosts(texts: Iterable[str]) -> dict[str, float]:
    """Operator name -> factor, from the texts of all failures."""
    found: dict[str, float] = {}
    for text in texts:
        for pattern, factor, operators in SYMPTOMS:
            if re.search(pattern, text):
                found |= {name: max(factor, found.get(name, 1.0)) for name in operators}
    return found
