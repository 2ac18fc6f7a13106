"""What a local server offers (LM Studio, llama.cpp, Ollama, ...): is it there, which model is loaded, how much fits?"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from http.client import HTTPException
from typing import Any, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

from agent.errors import ProviderError
from config import Settings

PATIENCE = 6.0  # seconds that a server which is busy is given the second time
LARGEST_LIST = 4 * 2**20  # bytes


class Found(NamedTuple):
    """A model that a server offers ("" when it lists none), and its loaded context window in tokens where it tells."""

    model: str
    window: int | None = None


def model_at(address: str, api_key: str, wanted: str) -> Found:
    """Return the model to ask, at a server that should be there. Raises ProviderError with the next step."""
    found = look(address, api_key, seconds=1.5, wanted=wanted) or look(address, api_key, PATIENCE, wanted)
    if found is None or not found.model:
        raise ProviderError(f"{lacking(address, api_key, found)} Or use the built-in model: --provider offline.")
    return found


def lacking(address: str, api_key: str, found: Found | None) -> str:
    """What keeps a server from being asked, and what helps, in two sentences; `found` is what `look` made of it."""
    if found:
        return f"The server at {address} has no model. Load one in LM Studio, then try again."
    status, _ = fetched(f"{address}/models", api_key, seconds=1.5)
    if status is None:
        return (
            f"Nothing answers at {address}. Start LM Studio's server (Developer tab, Start Server), "
            "or set LMSTUDIO_BASE_URL to where it listens."
        )
    if status in (401, 403):
        return f"The server at {address} does not take the key ({status}). Set LMSTUDIO_API_KEY to one that it knows."
    if status >= 500:  # llama.cpp's server says 503 while it loads its model
        return f"The server at {address} is not ready (HTTP {status}): it may be loading its model. Try again soon."
    return (
        f"What answers at {address} is no server of this kind: it lists no models at {address}/models (HTTP {status}). "
        "Set LMSTUDIO_BASE_URL to the whole address, which mostly ends in /v1."
    )


def available_provider(settings: Settings, tell: Callable[[str], None]) -> str:
    """Without LLM_PROVIDER: LM Studio when it answers, else the built-in model, and one line that says so; before it
    another for whoever named an address, or has a server there that lacks a model."""
    address, key = settings.lmstudio_base_url, settings.lmstudio_api_key
    found = look(address, key, seconds=0.5)
    if found and found.model:
        return "lmstudio"
    if found or "lmstudio_base_url" in settings.chosen:
        tell(lacking(address, key, found))
    tell(
        "Using the built-in offline model: it repairs small bugs by search, without a language model. "
        "For a real one start LM Studio's server, or set LLM_PROVIDER=gemini and GEMINI_API_KEY (see .env.example)."
    )
    return "offline"


def look(base_url: str, api_key: str, seconds: float, wanted: str = "") -> Found | None:
    """Return the model to use: the one that is `wanted`, else the loaded one.

    None when nothing answers at `base_url` as such a server does, within `seconds` for each question. LM Studio's own
    endpoints tell loaded models from those that are merely on disk, and how much was loaded; other servers list only
    what they serve.
    """
    listed = fetch_json(f"{base_url}/models", api_key, seconds)
    if not isinstance(listed, dict) or not isinstance(listed.get("data"), list):
        return None
    own = f"{base_url.removesuffix('/v1')}/api" if base_url.endswith("/v1") else f"{origin(base_url)}/api"
    loaded = list(loaded_v1(fetch_json(f"{own}/v1/models", api_key, seconds)))
    loaded = loaded or list(loaded_v0(fetch_json(f"{own}/v0/models", api_key, seconds)))
    for found in loaded or served(listed):
        if wanted in ("", found.model):
            return found
    return Found(wanted)


def loaded_v1(document: Any) -> Iterator[Found]:
    """LM Studio since 0.4: `models[].loaded_instances[].config.context_length` (lmstudio.ai/docs/developer/rest/list).

    The `max_context_length` beside it is what the model could do, not what is loaded (openfox#49, cline#13472).
    """
    for model in entries(document, "models"):
        if model.get("type") in ("llm", "vlm"):
            for instance in entries(model, "loaded_instances"):
                config = instance.get("config")
                window = config.get("context_length") if isinstance(config, dict) else None
                yield Found(str(instance.get("id") or model.get("key", "")), count(window))


def loaded_v0(document: Any) -> Iterator[Found]:
    """LM Studio before that: `data[].loaded_context_length`, where the state is "loaded" (zed#25606)."""
    for model in entries(document, "data"):
        if model.get("state") == "loaded" and model.get("type") in ("llm", "vlm"):
            yield Found(str(model.get("id", "")), count(model.get("loaded_context_length")))


def served(document: Any) -> Iterator[Found]:
    """Any server's /v1/models; llama.cpp's says in `meta.n_ctx` what it has allocated."""
    for model in entries(document, "data"):
        name, meta = str(model.get("id", "")), model.get("meta")
        if name and "embed" not in name:
            yield Found(name, count(meta.get("n_ctx")) if isinstance(meta, dict) else None)


def entries(document: Any, name: str) -> list[dict[str, Any]]:
    listed = document.get(name) if isinstance(document, dict) else None
    return [entry for entry in listed if isinstance(entry, dict)] if isinstance(listed, list) else []


def count(value: Any) -> int | None:
    return value if isinstance(value, int) and value > 0 else None


def origin(base_url: str) -> str:
    parts = urlsplit(base_url)
    return f"{parts.scheme}://{parts.netloc}"


class NoRedirect(HTTPRedirectHandler):
    """A key goes where the person sent it, and nowhere else."""

    def redirect_request(self, *_: Any) -> None:
        return None


def fetch_json(url: str, api_key: str, seconds: float) -> Any:
    """Return the JSON document at `url`, or None for anything else."""
    return fetched(url, api_key, seconds)[1]


def fetched(url: str, api_key: str, seconds: float) -> tuple[int | None, Any]:
    """Return the status of what answers at `url` (None where nothing does, or no HTTP server), and its JSON document,
    None where it sends another. `seconds` is for each of its steps, and three times that for all together."""
    found: list[tuple[int | None, Any]] = []
    # In a thread of its own: a server that drips its headers ends no waiting for the next piece of them.
    asking = threading.Thread(target=lambda: found.append(answered(url, api_key, seconds)), daemon=True)
    asking.start()
    asking.join(3 * seconds)
    return found[0] if found else (None, None)


def answered(url: str, api_key: str, seconds: float) -> tuple[int | None, Any]:
    """The same, with no end to a wait for headers that drip. No proxy: the server is the person's own."""
    request = Request(url, headers={"Authorization": f"Bearer {api_key}", "Accept": "application/json"})
    status: int | None = None
    try:
        with build_opener(ProxyHandler({}), NoRedirect).open(request, timeout=seconds) as response:
            status, text, ends = response.status, bytearray(), time.monotonic() + seconds
            while (piece := response.read1(2**16)) and len(text) <= LARGEST_LIST and time.monotonic() < ends:
                text += piece
            return status, None if piece else json.loads(text)
    except HTTPError as error:
        return error.code, None
    except (URLError, HTTPException, OSError, ValueError, RecursionError):  # it may be no HTTP server at all
        return status, None
