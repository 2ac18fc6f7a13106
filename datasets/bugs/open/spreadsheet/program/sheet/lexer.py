"""Cut a formula into tokens: (kind, text)."""

import re

from .errors import FormulaError

PATTERN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?)"
    r"|(?P<text>\"[^\"]*\")"
    r"|(?P<name>[A-Za-z]+[0-9]*)"
    r"|(?P<symbol><=|>=|<>|[-+*/^&()<>=:,]))"
)


def tokenize(formula):
    tokens = []
    position = 0
    formula = formula.rstrip()
    while position < len(formula):
        match = PATTERN.match(formula, position)
        if not match:
            raise FormulaError(f"cannot read {formula[position:]!r}")
        kind = match.lastgroup
        text = match.group(kind)
        if kind == "name":
            text = text.upper()
        tokens.append((kind, text))
        position = match.end()
    tokens.append(("end", ""))
    return tokens
