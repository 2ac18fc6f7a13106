"""What a server's tool gave, as text for a model: nothing is dropped without a word about it."""

from __future__ import annotations

import json
from typing import Any


def text_of(result: Any) -> str:
    """Return the text of a CallToolResult: its content in order, then its structured content where that says more."""
    parts = [_block(block) for block in result.content]
    structured = result.structured_content
    if structured is not None and not _says(structured, parts):
        parts.append(json.dumps(structured, ensure_ascii=False, indent=1, default=str))
    return "\n".join(part for part in parts if part) or "(the tool returned nothing)"


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
