"""What goes wrong between this program and a server, in one table: what is said, where that comes from, what to do.

Both SDKs' exceptions are read here by their attributes, so that neither SDK is imported for the other's sake.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from agent.errors import Passing, ProviderError, TooLong
from agent.run import Run

LONGEST_TEXT = 300  # characters of what a server says
LONGEST_NUMBER = 16  # digits of what a server counts


class Known(NamedTuple):
    """A text of a server (a regular expression), what it means, and the next step for the person.

    `window` and `size`, in tokens, are taken from the groups of those names, where it has them.
    """

    text: str
    means: str  # "too_long" | "final" | "passing"
    advice: str
    source: str


LOAD = "Load a model in LM Studio (or: lms load), then try again."
NAME = "Set LMSTUDIO_MODEL or GEMINI_MODEL to a model that the server has, or leave it unset."
KEY = "Check the key in .env: LMSTUDIO_API_KEY or GEMINI_API_KEY (https://aistudio.google.com/apikey)."
QUOTA = "The day's free requests are used up: wait until tomorrow, set another GEMINI_MODEL, or use --provider offline."
ELSEWHERE = "It sends the request to another address, where no key goes by itself: set the address to that one."
CRASHED = "Look at the server's own log; a smaller context length or a smaller model needs less memory."

TEXTS = (
    Known(
        r"keep the first (?P<size>\d+) tokens.*context length of only (?P<window>\d+)", "too_long", "",
        "LM Studio, lmstudio-bug-tracker#237 and #546",
    ),
    Known(
        r"greater than the context length \(n_keep: (?P<size>\d+)\s*>= n_ctx: (?P<window>\d+)", "too_long", "",
        "LM Studio 0.4, openclaude#353",
    ),
    Known(
        r"\((?P<size>\d+) tokens\) exceeds the available context size \((?P<window>\d+)", "too_long", "",
        "llama.cpp's server since llama.cpp#16486",
    ),
    Known(r"exceeds? the available context size", "too_long", "", "llama.cpp's server, llama.cpp#15780"),
    Known(
        r"input token count \(?(?P<size>\d+)\)? exceeds the maximum number of tokens allowed \(?(?P<window>\d+)",
        "too_long", "", "Gemini, gemini-cli#4231",
    ),
    Known(
        r"maximum context length is (?P<window>\d+) tokens.*?(?P<size>\d+) tokens", "too_long", "",
        "OpenAI, and servers that copy it (vLLM)",
    ),
    Known(r"context (?:length|size|window).{0,40}exceed|exceed.{0,40}context (?:length|size|window)", "too_long", "",
          "the common denominator of many servers"),
    Known(r"no models? (?:is |are )?(?:currently )?loaded", "final", LOAD, "LM Studio, 404"),
    Known(r"model is unloaded|failed to load", "final", LOAD, "LM Studio, lmstudio-bug-tracker#1492 and #914"),
    Known(r"model crashed|model has crashed", "passing", CRASHED, "LM Studio, lmstudio-bug-tracker#1057 and #1620"),
    Known(r"invalid model identifier|model.{0,80}(?:not found|does not exist)|is not found for api version",
          "final", NAME, "LM Studio; Ollama; Gemini's 404"),
    Known(r"api key not valid|api_key_invalid|incorrect api key|unregistered callers", "final", KEY, "Gemini, OpenAI"),
    Known(r"per_?day", "final", QUOTA, "Gemini's quotaId GenerateRequestsPerDay..., gemini-cli#8437"),
    Known(r"only user and assistant roles|roles must alternate|jinja", "final",
          "This model's prompt template cannot hold tool calls. Load a model with tool support.",
          "llama.cpp and LM Studio, from chat templates"),
)  # fmt: skip

STATUSES = {
    **dict.fromkeys((301, 302, 303, 307, 308), ("final", ELSEWHERE)),
    401: ("final", KEY),
    403: ("final", KEY),
    404: ("final", "Check the address and the model's name: LMSTUDIO_BASE_URL ends in /v1."),
    402: ("final", "The account has nothing left to pay with: add credit there, or use --provider offline."),
    408: ("passing", "Try again later."),
    409: ("passing", "Try again later."),
    413: ("too_long", ""),
    429: ("passing", "Try again later, or use --provider offline."),
    501: ("final", "It cannot do what was asked of it."),
}
NOT_ACCEPTED = ("final", "The server did not accept the request.")  # any other status of a client's mistake
SERVER_FAILED = ("passing", "Try again later; the server's own log may say more.")

REFUSED = "Nothing answers at {url}. Start the server, or set its address in .env, or use --provider offline."
AWAY = "Nothing answers at {url}. Is this machine online, and the address right? Or use --provider offline."
LOST = "The connection to the server broke ({name})."
SILENT = "The server has not sent anything for {seconds:.0f} s."
UNREADABLE = "The server's reply could not be read ({problem})."
NOTHING = "The server's reply held nothing."
DROPPED = "The server's reply broke off in its middle."
BLOCKED = "The provider blocked the reply ({reason}). Put the request in other words, or use another model."
ANOTHER_SERVER = "Try again; if it stays so, this server does not speak the protocol that this program expects."


def explained(error: Exception, run: Run, silent_seconds: float, key: str = "") -> ProviderError:
    """Return what an SDK raised as a line for the person, and as something to try again where that may help. It does
    not hold the `key`, which servers repeat that do not know it."""
    from reach.secrets import covered

    failure = understood(error, run, silent_seconds)
    failure.args = (covered(str(failure), key),)
    return failure


def understood(error: Exception, run: Run, silent_seconds: float) -> ProviderError:
    import httpx2

    from providers.transport import is_here

    run.go_on()  # its connection was closed because it was stopped
    transport = next((each for each in (error, error.__cause__) if isinstance(each, httpx2.TransportError)), None)
    if isinstance(transport, httpx2.ConnectError | httpx2.ConnectTimeout):
        url = f"{transport.request.url.scheme}://{transport.request.url.netloc.decode()}"
        refused = (REFUSED if is_here(url) else AWAY).format(url=url)
        # A server that has answered before may be on its way back; one that never did is not there.
        return Passing(refused) if run.turns > 1 else ProviderError(refused)
    if isinstance(transport, httpx2.TimeoutException):
        return Passing(SILENT.format(seconds=silent_seconds), advice="Is the model too large?", attempts=2)
    if transport is not None:
        return Passing(LOST.format(name=type(transport).__name__), advice=SERVER_FAILED[1])
    status, body = status_of(error), getattr(error, "body", None) or getattr(error, "details", None)
    if status is None and body is None:
        problem = f"{type(error).__name__}: {one_line(str(error))}" if str(error) else type(error).__name__
        return Passing(UNREADABLE.format(problem=problem), advice=ANOTHER_SERVER, attempts=2)
    known = of_status(status, body, getattr(getattr(error, "response", None), "headers", None) or {})
    if run.enforced and status and 400 <= status < 500 and not isinstance(known, Passing | TooLong):
        run.enforced = ""  # it may be this that the server does not know
        return Passing(str(known), wait=0.0, attempts=2)
    return known


def of_status(status: int | None, body: Any, headers: Mapping[str, str]) -> ProviderError:
    """Look up what a server said, first by its text, then by its status."""
    said = " ".join(texts_in(body))
    for known in TEXTS:
        if match := re.search(known.text, said, re.IGNORECASE | re.DOTALL):
            means, advice = known.means, known.advice
            if means == "too_long":
                return TooLong(*(number(match, body, group) for group in ("window", "size")))
            break
    else:
        otherwise = NOT_ACCEPTED if 400 <= (status or 500) < 500 else SERVER_FAILED
        means, advice = STATUSES.get(status or 500, otherwise)
        if means == "too_long":
            return TooLong(None, None)
    message = next((text for text in texts_in(body) if " " in text), said)
    sentence = f"The server answered {status or 'with an error'}: {one_line(message).rstrip('.') or 'no reason given'}."
    if means == "final":
        return ProviderError(f"{sentence} {advice}")
    wait = asked_to_wait(body, headers)
    return Passing(sentence, advice=advice, wait=wait)


def status_of(error: Exception) -> int | None:
    """openai has `status_code`, and a text in `code`; google-genai has the status in `code`."""
    for value in (getattr(error, "status_code", None), getattr(error, "code", None)):
        if isinstance(value, int):
            return value
    return None


def texts_in(body: Any, depth: int = 0) -> Iterator[str]:
    """Every text of an error body, whichever shape it has; a message first."""
    if isinstance(body, str):
        yield body
    elif isinstance(body, dict | list) and depth < 8:
        ordered = sorted(body.items(), key=lambda item: item[0] != "message") if isinstance(body, dict) else None
        for value in [value for _, value in ordered] if ordered is not None else body:
            yield from texts_in(value, depth + 1)


def number(match: re.Match[str], body: Any, group: str) -> int | None:
    """A number from a text, or from the fields that llama.cpp sends beside it."""
    if match.groupdict().get(group):
        return int(match[group]) if len(match[group]) < LONGEST_NUMBER else None
    fields = body.get("error", body) if isinstance(body, dict) else {}
    value = fields.get({"window": "n_ctx", "size": "n_prompt_tokens"}[group]) if isinstance(fields, dict) else None
    return value if isinstance(value, int) else None


def asked_to_wait(body: Any, headers: Mapping[str, str]) -> float | None:
    """Seconds from the header Retry-After (a number or a date, RFC 9110 10.2.3) or from Google's RetryInfo."""
    delays = [text for text in texts_in(body) if re.fullmatch(r"\d{1,15}(\.\d{1,9})?s", text)]
    given = delays[0][:-1] if delays else str(headers.get("retry-after", "")).strip()
    try:
        seconds = float(given)
    except ValueError:
        seconds = until(given)
    return max(0.0, seconds) if math.isfinite(seconds) else None


def until(date: str) -> float:
    """Seconds until an HTTP date; not a number when it is none."""
    from datetime import UTC, datetime
    from email.utils import parsedate_to_datetime

    try:
        moment = parsedate_to_datetime(date)
        return (moment.replace(tzinfo=moment.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
    except (ValueError, OverflowError):
        return math.nan


def one_line(text: str) -> str:
    text = " ".join(text.split())
    if re.match(r"<!doctype|<html", text, re.IGNORECASE):
        return "an HTML page"
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}..."


def framed(headers: Mapping[str, str]) -> bool:
    """Whether HTTP itself tells the end of a body from a connection that broke; if not, a finish reason must."""
    return "chunked" in headers.get("transfer-encoding", "").lower() or "content-length" in headers
