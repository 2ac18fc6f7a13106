"""A secret in a text, covered: as it is, and in the forms in which a server or an error may hand it back."""

from __future__ import annotations

import base64
import json
import re
from urllib.parse import quote, quote_plus

COVER = "[key]"
SHORTEST = 4  # characters: a shorter text is no secret, and would cover half of a page
_ESCAPE = re.compile(r"\\u[0-9a-fA-F]{4}")


def covered(text: str, secret: str) -> str:
    """Return the text with each form of the secret replaced, without regard to case."""
    if len(secret) < SHORTEST:
        return text
    for form in _forms(secret):
        text = re.sub(re.escape(form), COVER, text, flags=re.IGNORECASE)
    if _ESCAPE.search(text):  # JSON may write any letter of it as \u006b
        plain = _ESCAPE.sub(lambda found: chr(int(found[0][2:], 16)), text)
        if secret.lower() in plain.lower():
            return covered(plain, secret)
    return text


def _forms(secret: str) -> list[str]:
    data = secret.encode(errors="replace")
    forms = {secret, secret[::-1], quote(secret, safe=""), quote_plus(secret), data.hex(), json.dumps(secret)[1:-1]}
    forms |= {_inner_base64(before + data, len(before)) for before in (b"", b"x", b"xx", b"Bearer ", b":")}
    return sorted(filter(lambda form: len(form) >= SHORTEST, forms), key=len, reverse=True)


def _inner_base64(data: bytes, before: int) -> str:
    """The part of the base64 text that depends on the secret alone: whole groups of three bytes."""
    text = base64.b64encode(data).decode()
    first = -(-before // 3) * 4
    last = len(data) // 3 * 4
    return text[first:last]
