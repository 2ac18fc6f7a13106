"""What the user said about results, read from plain words: "area(2, 3) should be 6", "3 + 7 * 2 shouldn't be 20",
"f(3) -> 6", "mean([]) should raise ValueError", "count('a b') crashes".

Only sentences that hold an expression and say what comes of it are understood. The expression may call what the
program defines, or be an input that some test or the program's own command line takes as a string.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

SHOULD = r"(?:should|must|ought to|has to|shall|is supposed to)"
GIVE = r"(?:be|return|give|equal|print|show|yield|produce|evaluate to|result in)"
VERBS = (
    (rf"(?:{SHOULD} not|shouldn['’]?t|mustn['’]?t|is not|isn['’]?t|isnt|!=) ?{GIVE}?(?! raise)", "differs"),
    (
        r"(?:returns?|gives?|is|prints?|shows?) [^\n]{1,60}?"
        r"(?:instead of|(?:but|and|,) (?:it )?should (?:be|return|give)|, expected|and not)",
        "equals",
    ),
    (rf"{SHOULD} (?:raise|throw)", "raises"),
    (rf"{SHOULD} {GIVE}|(?:==|equals|-+>|=+>|→)", "equals"),
    (rf"(?:{SHOULD} not|shouldn['’]?t|mustn['’]?t) (?:raise|crash|fail)|\b(?:crashes|raises|fails|throws)\b", "works"),
)


@dataclass(frozen=True)
class Claim:
    """An expression or an input, and what comes of it: `says` is "equals" or "differs" (from the literal `value`),
    "raises" (the exception named `value`) or "works" (raises nothing; `value` is "")."""

    expression: str
    value: str
    says: str


def claims(text: str) -> list[Claim]:
    """All claims in a text, in order; a sentence or a line holds at most one, but for those joined by "and"."""
    found: list[Claim] = []
    for line in re.split(r"\n|;\s|(?<=[\w)\]}'\"`])[.!?,]?\s+(?:and|but)\s+(?=[`\w.]+\()", text):
        claim = understand(line)
        if claim is not None and claim not in found:
            found.append(claim)
    return found


def understand(text: str) -> Claim | None:
    """The first claim in a sentence, None when there is none that this program understands."""
    for pattern, says in VERBS:
        for match in re.finditer(pattern, text):
            expression = _expression_at_end(text[: match.start()])
            value = _told(text[match.end() :], says)
            if expression is not None and value is not None:
                return _sharpened(Claim(expression, value, says))
    return None


def _told(text: str, says: str) -> str | None:
    """What is said to come of the expression."""
    if says == "works":
        return ""
    if says == "raises":
        name = re.match(r"\s*(?:an? )?`?([A-Z]\w+)", text)
        return name and name[1]
    return _literal_at_start(text)


def _sharpened(claim: Claim) -> Claim:
    """ "3 + 7 * 2 shouldn't be 20" says what is wrong; of plain arithmetic everybody knows what is right."""
    plain = re.fullmatch(r"[\d\s.()+*/-]{3,60}", claim.expression) and "**" not in claim.expression
    if claim.says != "differs" or not plain:
        return claim
    try:
        value = eval(compile(claim.expression, "<claim>", "eval"), {"__builtins__": {}})  # digits and + - * / alone
    except (SyntaxError, ArithmeticError, TypeError):
        return claim
    return Claim(claim.expression, repr(value), "equals")


def _expression_at_end(text: str) -> str | None:
    """The longest end of a text that is a Python expression with something to compute in it."""
    text = re.sub(r"(?:,? (?:it|that|which|but|then|always|now|currently|only|just))+\s*$", "", text.rstrip())
    words = text.rstrip(",:;").split(" ")
    for start in range(len(words)):
        candidate = " ".join(words[start:]).strip("`").strip()
        try:
            tree = ast.parse(candidate, mode="eval").body
        except (SyntaxError, ValueError):
            continue
        if isinstance(tree, ast.Call | ast.BinOp) or (
            isinstance(tree, ast.Subscript | ast.Attribute) and any(isinstance(one, ast.Call) for one in ast.walk(tree))
        ):
            return candidate
        if isinstance(tree, ast.Constant) and isinstance(tree.value, str):
            return tree.value
    return None


def _literal_at_start(text: str) -> str | None:
    """The longest beginning of a text that is a literal."""
    text = text.strip().removeprefix("to ").strip("`").rstrip(".!?")
    ends = [len(text), *(match.start() for match in reversed(list(re.finditer(r"[\s,;.!?`)]", text))))]
    for end in ends:
        literal = text[:end].strip().rstrip(",")
        try:
            ast.literal_eval(literal)
        except (SyntaxError, ValueError):
            continue
        return literal
    return None
