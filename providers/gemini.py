"""The agent loop for Gemini.

`main.py` holds the same loop for OpenAI's chat completions: same order, same names. Lay them side by side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from config import ConfigError, Settings

if TYPE_CHECKING:
    from google.genai import Client

    from agent.run import AgentResult, Reply, Run

STALLED_SECONDS = 600.0  # between two pieces of a reply


def run_agent(prompt: str, settings: Settings, run: Run) -> AgentResult:
    """Ask, act, repeat, until the model answers in text alone or a limit is reached.

    Whatever the server does, this returns a result; what went wrong stands in its `errors`.
    """
    from agent.limits import Iterations, limit_reached
    from agent.run import ProviderError
    from call_functions import run_calls
    from providers.gemini_reply import tool_message

    limits = [Iterations(settings.max_iters)]
    try:
        client, model = connect(settings)
        run.started(prompt, model)
        messages: list[dict[str, Any]] = []

        def append(message: dict[str, Any]) -> None:
            messages.append(message)
            run.message(message)

        append({"role": "user", "parts": [{"text": prompt}]})
        while True:
            limit = limit_reached(limits, run)
            run.asking()
            reply = ask(client, model, messages, settings, run, tools=limit is None)
            append(reply.message)
            run.replied(reply)
            if limit or not reply.calls:
                return run.finish(limit or "answered")
            append(tool_message(run_calls(reply.calls, run.root, run.call_started, run.call_finished), reply))
    except ProviderError as error:
        run.error(str(error))
        return run.finish("provider_error")
    except KeyboardInterrupt:
        return run.finish("interrupted")


def connect(settings: Settings) -> tuple[Client, str]:
    """Return the SDK's client and the name of the model to use. Raises ConfigError when there is no key."""
    if not settings.gemini_api_key:
        raise ConfigError(
            "GEMINI_API_KEY is not set. Make a key at https://aistudio.google.com/apikey and put it into .env, "
            "or use the built-in model: --provider offline."
        )
    from google.genai import Client, types

    options = types.HttpOptions(
        base_url=settings.gemini_base_url or None, api_version="v1beta", timeout=int(STALLED_SECONDS * 1000)
    )
    return Client(api_key=settings.gemini_api_key, vertexai=False, http_options=options), settings.gemini_model


def ask(
    client: Client, model: str, messages: list[dict[str, Any]], settings: Settings, run: Run, *, tools: bool
) -> Reply:
    """Send the conversation, stream the reply. Without `tools` the model has to answer in text."""
    import httpx2
    from google.genai import errors, types

    from agent.run import ProviderError
    from list_functions import gemini_tools
    from prompts import SYSTEM_PROMPT
    from providers.gemini_reply import read_reply

    # In `contents=` the SDK would transform the whole conversation again on every turn; `extra_body` is merged after
    # that, so that a long run's own cost stays linear. What goes over the wire is the same.
    config = types.GenerateContentConfig(
        system_instruction=SYSTEM_PROMPT,
        tools=gemini_tools() if tools else None,
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
        http_options=types.HttpOptions(extra_body={"contents": messages}),
    )
    try:
        return read_reply(client.models.generate_content_stream(model=model, contents="-", config=config), run)
    except errors.APIError as error:
        raise ProviderError(f"The server answered {error.code}: {error.message}") from error
    except (httpx2.HTTPError, ValueError) as error:
        raise ProviderError(f"The server's reply could not be read ({type(error).__name__}: {error}).") from error
