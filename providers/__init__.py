"""One module a provider. Each has `run_agent(prompt, settings, run) -> AgentResult`; `config.PROVIDERS` lists them."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

from config import PROVIDERS, ConfigError, Settings, need

if TYPE_CHECKING:
    from agent.contracts import AgentResult
    from agent.run import Run

Loop = Callable[[str, Settings, "Run"], "AgentResult"]


def loop_of(name: str, settings: Settings) -> Loop:
    """Return the loop of a provider, imported now. Raises ConfigError where the SDK or the key that it needs is not
    there: before there is a run that could not end."""
    provider = PROVIDERS[name]
    if provider.package:
        need(provider.package)
    if provider.needs_key and not getattr(settings, provider.setting("api_key")):
        raise ConfigError(
            f"{provider.setting('api_key').upper()} is not set. Make a key at https://aistudio.google.com/apikey and "
            "put it into .env, or use the built-in model: --provider offline."
        )
    loop: Loop = import_module(provider.loop).run_agent
    return loop
