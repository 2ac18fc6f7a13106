"""The shapes that keys have, by whose they are: what providers put before a key so that scanners find it, and how
programs and files write a password.

The providers publish the shapes for GitHub's secret scanning
(https://docs.github.com/code-security/secret-scanning/introduction/supported-secret-scanning-patterns); gitleaks and
detect-secrets keep lists of them too. A shape stands here when a key of it can be told from other text.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Any

Span = tuple[int, int, str]  # from, to, and whose key it is


def begins(mark: str = "") -> str:
    """What a key begins with: a letter before it makes a word of it; "_", "-" and an encoded character (%3D) do not.
    The mark stands before that question, because a text is searched for plain letters ten times as fast."""
    return rf"{mark}(?:(?<![A-Za-z0-9]{mark})|(?<=%[0-9A-Fa-f]{{2}}{mark}))"


WORD = r"(?:[A-Za-z0-9_-]|\\\r?\n)"  # of a key, which a shell's line may break with a backslash

SHAPES = (
    ("OpenAI, Anthropic and others (sk-)", rf"{begins('sk-')}{WORD}{{20,}}"),
    ("Google", rf"{begins('AIza')}[0-9A-Za-z_-]{{35}}"),
    ("Google OAuth", rf"{begins('ya29[.]')}[0-9A-Za-z_-]{{20,}}"),
    ("GitHub", rf"{begins('gh[pousr]_')}[A-Za-z0-9]{{36,}}|{begins('github_pat_')}[A-Za-z0-9_]{{22,}}"),
    ("GitLab", rf"{begins('gl')}(?:pat|oas|dt|rt|cbt|ptt|ft|imt|agent|soat)-[A-Za-z0-9_-]{{20,}}"),
    ("Slack", rf"{begins('xox[abeprs]-')}[A-Za-z0-9-]{{10,}}|{begins('xapp-')}[0-9]-[A-Za-z0-9-]{{10,}}"),
    ("Slack hook", r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_-]{20,}"),
    ("AWS", rf"{begins('A(?:KIA|SIA|BIA|CCA)')}[0-9A-Z]{{16}}(?![0-9A-Z])"),
    ("Azure", r"(?i:AccountKey|SharedAccessKey)=(?P<azure>[A-Za-z0-9+/]{40,}={0,2})"),
    ("Hugging Face", rf"{begins('hf_')}[A-Za-z0-9]{{30,}}|{begins('api_org_')}[A-Za-z0-9]{{30,}}"),
    ("Groq", rf"{begins('gsk_')}[A-Za-z0-9]{{40,}}"),
    ("xAI", rf"{begins('xai-')}[A-Za-z0-9_-]{{40,}}"),
    ("Replicate", rf"{begins('r8_')}[A-Za-z0-9]{{30,}}"),
    ("Perplexity", rf"{begins('pplx-')}[A-Za-z0-9]{{40,}}"),
    ("LangSmith", rf"{begins('lsv2_')}(?:pt|sk)_[A-Za-z0-9]{{20,}}(?:_[A-Za-z0-9]+)?"),
    ("Stripe", rf"{begins('[rsp]k_(?:live|test)_')}[A-Za-z0-9]{{16,}}|{begins('whsec_')}[A-Za-z0-9]{{16,}}"),
    ("npm", rf"{begins('npm_')}[A-Za-z0-9]{{36}}"),
    ("PyPI", rf"{begins('pypi-AgE')}[A-Za-z0-9_-]{{50,}}"),
    ("SendGrid", rf"{begins('SG[.]')}[A-Za-z0-9_-]{{16,}}\.[A-Za-z0-9_-]{{16,}}"),
    ("Twilio", rf"{begins('SK')}[0-9a-f]{{32}}(?![0-9A-Za-z])"),
    ("Telegram", rf"{begins()}[0-9]{{8,10}}:[A-Za-z0-9_-]{{32,}}"),
    ("Discord", rf"{begins()}[MNO][A-Za-z0-9_-]{{22,27}}\.[A-Za-z0-9_-]{{6}}\.[A-Za-z0-9_-]{{26,}}"),
    ("DigitalOcean", rf"{begins('do[opr]_v1_')}[0-9a-f]{{64}}"),
    ("Databricks", rf"{begins('dapi')}[0-9a-f]{{32}}(?:-[0-9])?(?![0-9A-Za-z])"),
    ("Vault", rf"{begins('hv[bsr][.]')}[A-Za-z0-9_-]{{24,}}"),
    ("age", r"AGE-SECRET-KEY-1[0-9A-Z]{58}"),
    ("JSON web token", rf"{begins('eyJ')}[A-Za-z0-9_-]{{8,}}\.eyJ[A-Za-z0-9_-]{{8,}}\.[A-Za-z0-9_-]{{8,}}"),
    ("private key", r"-----BEGIN [A-Z ]*PRIVATE KEY-----(?s:.*?)(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)"),
    # What follows is named by what stands before it, and that alone is a reason to take the value out.
    (
        "password in an address",
        r"[a-z][a-z0-9+.-]{1,20}://[^\s:/?#@\"'<>]{0,64}:(?P<address>[^\s/?#@\"'<>{}$]{3,256})@",
    ),
    (
        "header",
        r"(?i:authorization|x-(?:goog-)?api-key)[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?:(?i:bearer|basic|token)\s+)?"
        r"(?P<header>[A-Za-z0-9._~+/=-]{12,})",
    ),
    (
        "value of a name that says so",
        # API_KEY=..., "password": "...", ?token=...; no value that is a name, a call or a placeholder.
        r"(?<![A-Za-z0-9])(?:[A-Za-z0-9]{1,30}[_.-]){0,4}(?i:api_?-?key|apikey|secret(?:_?(?:access_?)?key)?|access_?key"
        r"|client_secret|(?:auth_?|access_?|refresh_?|bearer_?)?token|passw(?:or)?d|passphrase|pwd)"
        r"[\"']?(?:\s{0,3}[:=]\s{0,3}|%3D)(?:\"(?P<quoted>[^\"\s]{8,})\"|'(?P<single>[^'\s]{8,})'"
        r"|(?P<bare>(?=[A-Za-z0-9+/_.~%-]*[0-9-])[A-Za-z0-9+/=_.~%-]{12,}))(?![\w(\[.])",
    ),
    ("netrc", r"(?:machine\s+\S+|default)\s+login\s+\S+\s+password\s+(?P<netrc>\S+)"),
)
ENCODED = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{32,4096}={0,2}")


@cache
def _shapes() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, re.compile(shape)) for name, shape in SHAPES)


def without(value: Any, secrets: Sequence[str]) -> Any:
    """JSON data in which none of these keys stands."""
    if isinstance(value, str):
        for secret in secrets:
            value = value.replace(secret, "[key removed]")
        return value
    if isinstance(value, list):
        return [without(item, secrets) for item in value]
    if isinstance(value, dict):
        # Names are left alone: a key that reads like one of this format's names must not break the format.
        return {name: without(item, secrets) for name, item in value.items()}
    return value


@lru_cache(maxsize=16)  # the results of one turn: texts are kept meanwhile
def keys_in(text: str) -> tuple[Span, ...]:
    """Where keys stand in a text, in their order; none lies within another. What stands in base64 is looked at, too.
    A result stands in a trace as the tool gave it and as it was sent: the second time it is known."""
    found = sorted(_keys_in(text), key=lambda span: (span[0], -span[1]))
    apart: list[Span] = []
    for span in found:
        if apart and span[0] < apart[-1][1]:
            start, end, name = apart[-1]
            apart[-1] = start, max(end, span[1]), name
        else:
            apart.append(span)
    return tuple(apart)


def _keys_in(text: str) -> Iterator[Span]:
    for name, shape in _shapes():
        for found in shape.finditer(text):
            named = found.lastgroup  # the value alone, where a name stands before it
            start, end = found.span(named) if named else found.span()
            yield start, end, name
    for found in ENCODED.finditer(text):
        inner = _decoded(found[0])
        if any(shape.search(inner) for _, shape in _shapes()):
            yield *found.span(), "a key in base64"


def _decoded(text: str) -> str:
    plain = text.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4)).decode("ascii")
    except (binascii.Error, ValueError):
        return ""
