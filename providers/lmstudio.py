"""What a local server offers (LM Studio, llama.cpp, Ollama, ...): is it there, and which model is loaded?"""

from __future__ import annotations

import json
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import ProxyHandler, Request, build_opener


def loaded_model(base_url: str, api_key: str, seconds: float) -> str | None:
    """Return the name of the model that the server at `base_url` has loaded, "" when it lists none.

    None when nothing answers there as such a server does, within `seconds`. LM Studio's own endpoint tells loaded
    models from those that are merely on disk; other servers list only what they serve.
    """
    native = fetch_json(f"{origin(base_url)}/api/v0/models", api_key, seconds)
    for model in entries(native):
        if model.get("state") == "loaded" and model.get("type") in ("llm", "vlm"):
            return str(model["id"])
    listed = fetch_json(f"{base_url}/models", api_key, seconds)
    if not isinstance(listed, dict) or not isinstance(listed.get("data"), list):
        return None
    return next((str(model["id"]) for model in entries(listed) if "embed" not in str(model["id"])), "")


def entries(document: Any) -> list[dict[str, Any]]:
    data = document.get("data") if isinstance(document, dict) else None
    return [model for model in data if isinstance(model, dict) and "id" in model] if isinstance(data, list) else []


def origin(base_url: str) -> str:
    parts = urlsplit(base_url)
    return f"{parts.scheme}://{parts.netloc}"


def fetch_json(url: str, api_key: str, seconds: float) -> Any:
    """Return the JSON document at `url`, or None for anything else. No proxy: the server is the person's own."""
    request = Request(url, headers={"Authorization": f"Bearer {api_key}", "Accept": "application/json"})
    try:
        with build_opener(ProxyHandler({})).open(request, timeout=seconds) as response:
            return json.loads(response.read(4 * 2**20))
    except (HTTPError, URLError, OSError, ValueError):
        return None
