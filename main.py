"""The entry point, and the agent loop for LM Studio and every other server that speaks OpenAI's chat completions.

`providers/gemini.py` holds the same loop for Gemini: same order, same names. Lay them side by side.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from openai import OpenAI

    from agent.context import Context
    from agent.contracts import AgentResult, Reply
    from agent.run import Run
    from config import Settings

STALLED_SECONDS = 600.0  # between two pieces of a reply; a local server may load a model first


def run_agent(prompt: str, settings: Settings, run: Run) -> AgentResult:
    """Ask, act, repeat, until the model answers in text alone or a limit is reached.

    Whatever the server does, this returns a result; what went wrong stands in its `errors`.
    """
    from functools import partial

    from agent.deadline import TimeUp
    from agent.errors import Passing, ProviderError, TooLong
    from agent.gates import objection
    from agent.limits import after_turn, limit_reached
    from agent.retries import persist
    from call_functions import run_calls
    from providers import openai_wire as wire

    context = run.setup.memory(run, wire)
    try:
        client, model, run.context_window = connect(settings, run)
        run.started(prompt, model)
        for message in wire.system_messages(run.system_prompt):
            context.append(message)
        context.recall(wire.history(run.history))
        context.append(wire.user_message(prompt))
        if run.help.opening:
            run.help.opening(context, run)
        while True:
            limit = limit_reached(run)
            last = bool(limit or run.answer_due)
            run.asking()
            request = partial(ask, client, model, context, settings, run, choice="none" if last else "auto")
            try:
                reply = run.replayed(context) or request()
            except (Passing, TooLong) as failure:
                reply = persist(request, failure, context, run)
            context.append(reply.message)
            run.replied(reply)
            objected = objection(reply, run, last=last)
            if objected:
                context.append(wire.user_message(f"{objected} {after_turn(run)}".strip()))
            elif last or not reply.calls:
                return run.finish(limit or "answered")
            else:
                results = run_calls(reply.calls, run)
                context.append_results(wire.tool_messages(results, reply, after_turn(run)), results)
                for line in run.typed():
                    context.append(wire.user_message(line))
    except ProviderError as error:
        run.error(str(error))
        return run.finish("provider_error")
    except TimeUp:
        return run.finish("time_budget")
    except KeyboardInterrupt:
        return run.finish("interrupted")


def connect(settings: Settings, run: Run) -> tuple[OpenAI, str, int | None]:
    """Return the SDK's client, the name of the model to use and its context window in tokens, where the server tells.

    Raises ProviderError when no server is there.
    """
    address, key, model, window = settings.lmstudio_base_url, settings.lmstudio_api_key, settings.lmstudio_model, None
    if run.provider != "offline":  # whose server was started with this run, and has one model
        from providers.discovery import model_at

        model, window = model_at(address, key, model)
    from providers.transport import client_arguments, loading, proxy_checked

    with loading("openai"):
        from openai import DefaultHttpxClient, OpenAI

    with proxy_checked():
        client = DefaultHttpxClient(**client_arguments(address, run))
    # The SDK's own retries are off: agent/retries.py has one policy for every provider, and tells the person.
    how: dict[str, Any] = {"timeout": STALLED_SECONDS, "max_retries": 0, "http_client": client}
    return OpenAI(base_url=address, api_key=key, **how), model, window


def ask(client: OpenAI, model: str, context: Context, settings: Settings, run: Run, *, choice: str) -> Reply:
    """Send the conversation, stream the reply. `choice`: tools may be called ("auto"), must be ("required") or must not
    be ("none"): they stand in the request all the same, so that what a server has cached of it holds."""
    from agent.errors import ProviderError
    from list_functions import openai_tools
    from providers.openai_wire import read_reply

    request: dict[str, Any] = {"temperature": settings.lmstudio_temperature, "stream_options": {"include_usage": True}}
    if run.catalogue:
        request["tools"] = openai_tools(run.catalogue)
    if run.catalogue and choice != "auto":
        request["tool_choice"] = choice
    if settings.lmstudio_max_tokens:
        request["max_tokens"] = settings.lmstudio_max_tokens
    if settings.llm_seed is not None:
        request["seed"] = settings.llm_seed
    body: dict[str, Any] = {"messages": context.fit()}
    if run.enforced and choice != "none":
        from providers.enforced import openai

        body |= openai(run)
    run.request("openai", {"model": model, **body, "stream": True, **request})
    try:
        # In `messages=` the SDK would transform the whole conversation again on every turn; `extra_body` is merged
        # after that, so that a long run's own cost stays linear. What goes over the wire is the same.
        with client.chat.completions.create(
            model=model, messages=[], stream=True, extra_body=body, **request
        ) as stream:
            reply = read_reply(stream, run, settings.max_thoughts)
    except (ProviderError, OSError):  # an OSError is our own disk or screen: the SDK wraps those of the connection
        raise
    except Exception as error:  # whatever the SDK makes of what a server sends, RecursionError included
        from providers.failures import explained

        raise explained(error, run, STALLED_SECONDS, settings.lmstudio_api_key) from error
    context.counted(reply.usage)
    return reply


def main() -> int:
    """Run the command line; return the exit code."""
    from cli import signals

    signals.begin()
    from cli import start

    return signals.over(start.main(sys.argv[1:]))


if __name__ == "__main__":
    sys.exit(main())
