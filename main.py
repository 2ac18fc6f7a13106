"""The entry point, and the agent loop for LM Studio and every other server that speaks OpenAI's chat completions.

`providers/gemini.py` holds the same loop for Gemini: same order, same names. Lay them side by side.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from config import Settings

if TYPE_CHECKING:
    from openai import OpenAI

    from agent.run import AgentResult, Reply, Run

STALLED_SECONDS = 600.0  # between two pieces of a reply; a local server may load a model first


def run_agent(prompt: str, settings: Settings, run: Run) -> AgentResult:
    """Ask, act, repeat, until the model answers in text alone or a limit is reached.

    Whatever the server does, this returns a result; what went wrong stands in its `errors`.
    """
    from agent.limits import Iterations, limit_reached
    from agent.run import ProviderError
    from call_functions import run_calls
    from prompts import SYSTEM_PROMPT
    from providers.openai_reply import tool_message

    limits = [Iterations(settings.max_iters)]
    try:
        client, model = connect(settings)
        run.started(prompt, model)
        messages: list[dict[str, Any]] = []

        def append(message: dict[str, Any]) -> None:
            messages.append(message)
            run.message(message)

        append({"role": "system", "content": SYSTEM_PROMPT})
        append({"role": "user", "content": prompt})
        while True:
            limit = limit_reached(limits, run)
            run.asking()
            reply = ask(client, model, messages, settings, run, tools=limit is None)
            append(reply.message)
            run.replied(reply)
            if limit or not reply.calls:
                return run.finish(limit or "answered")
            for result in run_calls(reply.calls, run.root, run.call_started, run.call_finished):
                append(tool_message(result.call, result.content))
    except ProviderError as error:
        run.error(str(error))
        return run.finish("provider_error")
    except KeyboardInterrupt:
        return run.finish("interrupted")


def connect(settings: Settings) -> tuple[OpenAI, str]:
    """Return the SDK's client and the name of the model to use. Raises ProviderError when no server is there."""
    from agent.run import ProviderError
    from providers.lmstudio import loaded_model

    model = loaded_model(settings.lmstudio_base_url, settings.lmstudio_api_key, seconds=1.5)
    if model is None:
        raise ProviderError(
            f"Nothing answers at {settings.lmstudio_base_url}. Start LM Studio's server (Developer tab, Start Server), "
            "set LMSTUDIO_BASE_URL to where it listens, or use the built-in model: --provider offline."
        )
    if not (settings.lmstudio_model or model):
        raise ProviderError(
            f"The server at {settings.lmstudio_base_url} has no model. Load one in LM Studio, then try again."
        )
    from openai import OpenAI

    client = OpenAI(base_url=settings.lmstudio_base_url, api_key=settings.lmstudio_api_key, timeout=STALLED_SECONDS)
    return client, settings.lmstudio_model or model


def ask(
    client: OpenAI, model: str, messages: list[dict[str, Any]], settings: Settings, run: Run, *, tools: bool
) -> Reply:
    """Send the conversation, stream the reply. Without `tools` the model has to answer in text."""
    import httpx2
    from openai import APIError, APIStatusError

    from agent.run import ProviderError
    from list_functions import openai_tools
    from providers.openai_reply import read_reply

    request: dict[str, Any] = {"temperature": settings.lmstudio_temperature}
    if tools:
        request["tools"] = openai_tools()
    if settings.lmstudio_max_tokens:
        request["max_tokens"] = settings.lmstudio_max_tokens
    try:
        # In `messages=` the SDK would transform the whole conversation again on every turn; `extra_body` is merged
        # after that, so that a long run's own cost stays linear. What goes over the wire is the same.
        with client.chat.completions.create(
            model=model,
            messages=[],
            stream=True,
            stream_options={"include_usage": True},
            extra_body={"messages": messages},
            **request,
        ) as stream:
            return read_reply(stream, run)
    except APIStatusError as error:
        raise ProviderError(f"The server answered {error.status_code}: {error.message}") from error
    except (APIError, httpx2.HTTPError, ValueError) as error:
        raise ProviderError(f"The server's reply could not be read ({type(error).__name__}: {error}).") from error


def main() -> int:
    """Run the command line; return the exit code."""
    from agent import cli

    return cli.main(sys.argv[1:], run_agent)


if __name__ == "__main__":
    sys.exit(main())
