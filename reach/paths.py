"""The paths that an API may be asked for. Nothing here touches the network."""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

LONGEST = 2_000  # characters
_EXAMPLE = 'use one such as "/items/?limit=10"'
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_SAFE = "/?&=%:@!$'()*+,;~-._"  # what a request line may hold beside letters and digits


class ApiRefusal(Exception):
    """`str(refusal)` is a whole sentence that tells the model what to do instead, without "Error: " before it."""


def request_path(path: str) -> str:
    """Return the path as it is sent, other characters percent-encoded. Raises ApiRefusal for one that could lead
    anywhere but below the base address, in whatever way it is encoded."""
    if len(path) > LONGEST:
        raise ApiRefusal(f"The path is longer than {LONGEST:,} characters")
    if not path.startswith("/") or path.startswith("//"):
        raise ApiRefusal(f"The path must begin with one slash and name no host: {_EXAMPLE}")
    if "#" in path:
        raise ApiRefusal(f"The path may hold no #: {_EXAMPLE}")
    before_query = path.partition("?")[0]
    for form in _decoded(path):
        if _CONTROL.search(form):
            raise ApiRefusal(f"The path may hold no control character: {_EXAMPLE}")
    for form in _decoded(before_query):
        if "\\" in form or "//" in form or any(part in (".", "..") for part in form.split("/")):
            raise ApiRefusal(f'The path may hold no "..", "//" or backslash: {_EXAMPLE}')
    try:
        return quote(path, safe=_SAFE)
    except UnicodeEncodeError:
        raise ApiRefusal("The path holds half a character: write it as UTF-8 text") from None


def _decoded(text: str) -> list[str]:
    """The text, and what it becomes each time that a server decodes it once more."""
    forms = [text]
    while len(forms) < 4 and (further := unquote(forms[-1])) != forms[-1]:
        forms.append(further)
    return forms
