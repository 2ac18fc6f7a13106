"""What a server's tool gave, as text for a model: nothing is dropped without a word about it."""

from __future__ import annotations

import json
from typing import Any

from sandbox.files.unusual import shown

KINDS = ("text", "image", "audio", "resource_link", "resource")  # of content, in every version of the protocol


def text_of(result: Any) -> str:
    """Return the text of a CallToolResult: its content in order, then its structured content where that says more."""
    parts = [_block(block) for block in result.content]
    structured = result.structured_content
    if structured is not None and not _says(structured, parts):
        parts.append(json.dumps(structured, ensure_ascii=False, indent=1, default=str))
    return "\n".join(part for part in parts if part) or "(the tool returned nothing)"


class Known:
    """A stream of a server's messages in which a block of content of a kind that the SDK does not know is a text that
    says so: the SDK would refuse the whole result for it."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    async def __aenter__(self) -> Known:
        await self._inner.__aenter__()
        return self

    async def __aexit__(self, *error: Any) -> None:
        await self._inner.__aexit__(*error)

    def __aiter__(self) -> Known:
        return self

    async def __anext__(self) -> Any:
        message = await self._inner.__anext__()
        result = getattr(getattr(message, "message", None), "result", None)
        if isinstance(result, dict) and isinstance(result.get("content"), list):
            result["content"] = [_known(block) for block in result["content"]]
        return message

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


def _known(block: Any) -> Any:
    kind = block.get("type") if isinstance(block, dict) else None
    if kind in KINDS or not isinstance(kind, str):
        return block
    return {"type": "text", "text": f"[{shown(kind)}: left out, a kind of content that is not known here]"}


def _says(structured: Any, parts: list[str]) -> bool:
    """Whether the content already holds the structured result: servers send both, one as text of the other."""
    values = [structured]
    if isinstance(structured, dict) and len(structured) == 1:  # the SDK wraps what is no object: {"result": ...}
        values.append(next(iter(structured.values())))
    read = [_read(part) for part in parts]
    return any(value in values for value in (*parts, "\n".join(parts), *read, read))


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _block(block: Any) -> str:
    if block.type == "text":
        return block.text
    if block.type in ("image", "audio"):
        return f"[{block.type}, {block.mime_type}, {_size(block.data)}: left out, only text can be shown]"
    if block.type == "resource_link":
        about = ", ".join(str(part) for part in (block.mime_type, block.description) if part)
        return f"[link to the resource {block.uri}{f' ({about})' if about else ''}]"
    resource = block.resource
    if hasattr(resource, "text"):
        return f"[resource {resource.uri}]\n{resource.text}"
    return f"[resource {resource.uri}, {resource.mime_type or 'binary'}, {_size(resource.blob)}: left out]"


def _size(base64: str) -> str:
    return f"{len(base64) * 3 // 4:,} bytes"
