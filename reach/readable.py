"""The readable text of a page of the web, in a process that can be killed: a page chooses its charset and markup."""

from __future__ import annotations

import base64
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

SECONDS = 20.0


@dataclass(frozen=True)
class Page:
    """What was fetched: where it was in the end, its type such as "text/html", its bytes, their charset or ""."""

    address: str
    kind: str
    data: bytes
    charset: str


def serve() -> Callable[[dict[str, Any]], str | None]:
    """In the child: what answers a page."""
    with suppress(ImportError):  # plain text is read without it
        import trafilatura  # noqa: F401 - before the first question, whose time is limited

    return lambda question: readable(Page(**{**question, "data": base64.b64decode(question["data"])}))


def asked(page: Page) -> dict[str, Any]:
    """In the parent: the question."""
    data = base64.b64encode(page.data).decode()
    return {"address": page.address, "kind": page.kind, "data": data, "charset": page.charset}


def readable(page: Page) -> str | None:
    """The text of a page; None for what is none."""
    if page.kind in ("text/html", "application/xhtml+xml"):
        import trafilatura

        title = trafilatura.extract_metadata(page.data)
        text = trafilatura.extract(page.data, url=page.address, output_format="markdown", include_comments=False)
        return f"# {title.title}\n\n{text or ''}" if title and title.title and text else text or ""
    if page.kind.startswith("text/") or page.kind in ("application/json", "application/xml"):
        try:
            return page.data.decode(page.charset or "utf-8", "replace")
        except LookupError:
            return page.data.decode("utf-8", "replace")
    return None
