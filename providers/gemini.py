"""The agent loop for Gemini.

`main.py` holds the same loop for OpenAI's chat completions: same order, same names. Lay them side by side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from config import Settings

if TYPE_CHECKING:
    from google.genai import Client

    from agent.context import Context
    from agent.contracts import AgentResult, Reply
    from agent.run import Run

STALLED_SECONDS = 600.0  # between two pieces of a reply
MODES = {"none": "NONE", "required": "ANY"}  # ai.google.dev/api/caching#FunctionCallingConfig


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
    from providers import gemini_wire as wire

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


def connect(settings: Settings, run: Run) -> tuple[Client, str, int | None]:
    """Return the SDK's client, the name of the model to use and its context window in tokens.

    Google's windows are not asked for: a request costs one of few, and they are far larger than a run of this program.
    """
    import warnings

    from config import PROVIDERS
    from providers.transport import client_arguments, loading, proxy_checked, trusting_nobody

    with loading("google.genai"):
        from google.genai import Client, types

    # A finish reason that is newer than the SDK is nothing that the person could do anything about.
    warnings.filterwarnings("ignore", message=".* is not a valid ", category=UserWarning, module="google.genai")
    address = settings.gemini_base_url or PROVIDERS["gemini"].address  # without one the SDK asks the environment
    # Without `retry_options` the SDK does not retry: agent/retries.py has one policy for every provider, which reads
    # the delay that Google asks for and tells the person.
    options = types.HttpOptions(
        base_url=address,
        api_version="v1beta",
        timeout=int(STALLED_SECONDS * 1000),
        client_args=client_arguments(address, run),
        # Never used here, and the SDK would load certificates for it.
        async_client_args={"ssl": trusting_nobody(), "trust_env": False},
    )
    with proxy_checked():
        client = Client(api_key=settings.gemini_api_key, vertexai=False, http_options=options)
    return client, settings.gemini_model, None


def ask(client: Client, model: str, context: Context, settings: Settings, run: Run, *, choice: str) -> Reply:
    """Send the conversation, stream the reply. `choice`: tools may be called ("auto"), must be ("required") or must not
    be ("none"): they stand in the request all the same, so that what a server has cached of it holds."""
    from google.genai import types

    from agent.errors import ProviderError
    from list_functions import gemini_tools
    from providers.gemini_wire import drawn_by, read_reply

    # In `contents=` the SDK would transform the whole conversation again on every turn; `extra_body` is merged after
    # that, so that a long run's own cost stays linear. What goes over the wire is the same.
    body: dict[str, Any] = {"contents": context.fit()}
    if run.enforced and choice != "none":
        from providers.enforced import gemini

        body |= gemini(run)
    offered: dict[str, Any] = {"tools": gemini_tools(run.catalogue)} if run.catalogue else {}
    if run.catalogue and choice != "auto":
        offered["toolConfig"] = {"functionCallingConfig": {"mode": MODES[choice]}}
    system = {"systemInstruction": {"parts": [{"text": run.system_prompt}]}}
    chance = drawn_by(settings)
    run.request("gemini", {"model": model, **system, **chance, **offered, **body})
    config = types.GenerateContentConfig(
        system_instruction=run.system_prompt,
        tools=offered.get("tools"),
        tool_config=offered.get("toolConfig"),
        **chance.get("generationConfig", {}),
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
        http_options=types.HttpOptions(extra_body=body),
    )
    try:
        stream = client.models.generate_content_stream(model=model, contents="-", config=config)
        reply = read_reply(stream, run, settings.max_thoughts)
    except (ProviderError, OSError):  # an OSError is our own disk or screen: the SDK wraps those of the connection
        raise
    except Exception as error:  # whatever the SDK makes of what a server sends, RecursionError included
        from providers.failures import explained

        raise explained(error, run, STALLED_SECONDS, settings.gemini_api_key) from error
    context.counted(reply.usage)
    return reply
