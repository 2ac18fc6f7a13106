"""What a person asks for, read from plain words.

Changing files takes a clear wish: a sentence that tells somebody to do it. A question, a negation or a doubt is none.
"""

from __future__ import annotations

import re
from dataclasses import replace

from offline.coder.clauses import clauses_of
from offline.coder.languages import in_english
from offline.coder.orders import allowed, avoided, forbids, wish_to_change
from offline.coder.questions import wish_to_know
from offline.coder.wish import Wish, place_in

HINT = re.compile(
    r"^\s*(?:hint|clue)s?\b[\s.!?]*|\b(?:a|another|one more|next|more|some|any|the next|further)"
    r"(?: (?:small|little|first|second|better|short))* (?:hint|clue|tip)s?\b|\bgive (?:me )?hints?\b",
    re.IGNORECASE,
)


def read_wish(prompt: str) -> Wish:
    """Read the prompt. Nothing is guessed: what no pattern fits is unknown."""
    text = in_english(own_words(prompt))
    if HINT.search(text):
        return Wish("hint", **place_in(text))
    clauses = list(clauses_of(text))
    if not any(forbids(clause) for clause in clauses):
        for clause in clauses:
            if clause.is_order and (wish := wish_to_change(clause.text, allowed(clauses))):
                return replace(wish, avoid=avoided(clauses))
    return wish_to_know(text)


def own_words(prompt: str) -> str:
    """The prompt without what is pasted into it: code, tracebacks, quotations of lines. What they say is no wish."""
    text = prompt.replace("’", "'")
    for quote in "“”„":
        text = text.replace(quote, '"')
    text = re.sub(r"```.*?(?:```|\Z)", " ", text, flags=re.DOTALL)
    traceback = r"^Traceback \(most recent call last\):\n(?:[ \t].*\n?)*.*$"
    text = re.sub(traceback, "\nit crashes\n", text, flags=re.MULTILINE)
    return re.sub(r"^(?:\s*(?:>|#|\$)|    |\t).*$", "", text, flags=re.MULTILINE)
