"""What a check asks of the walk, which has a network where the sandbox has none: requests over real HTTP."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

from lessons import fake_model, outside
from lessons.fake_model import Say


def script_of(replies: list[dict[str, Any]]) -> list[Say]:
    return [Say(reply.get("text", ""), tuple(map(tuple, reply.get("calls", ())))) for reply in replies]  # type: ignore[misc]


@cache
def _openai_client() -> Any:
    from openai import OpenAI

    return OpenAI(base_url="http://127.0.0.1", api_key="lessons", max_retries=0, timeout=120)


def openai_client(base_url: str) -> Any:
    """The one client, pointed elsewhere: making a new one reads all certificates, which takes as long as a check."""
    return _openai_client().with_options(base_url=base_url)


def openai(
    messages: list[dict[str, Any]],
    replies: list[dict[str, Any]],
    tools: list[Any] | None = None,
    response_format: dict[str, Any] | None = None,
) -> Any:
    """Send the messages with OpenAI's SDK to a fake model. Returns what went over the wire, and what came back."""
    from openai import APIStatusError

    with fake_model.serve(script_of(replies)) as model:
        more: dict[str, Any] = {"tools": tools} if tools else {}
        more |= {"response_format": response_format} if response_format else {}
        problem, reply = "", None
        client = openai_client(f"{model.address}/v1")
        try:
            answer = client.chat.completions.create(model=fake_model.MODEL, messages=messages, **more)
            reply = answer.choices[0].message.model_dump(exclude_none=True)
        except APIStatusError as error:
            problem = f"{error.status_code}: {error.message}"
        return {"requests": model.requests, "reply": reply, "problem": problem}


def gemini(contents: list[dict[str, Any]], replies: list[dict[str, Any]], config: dict[str, Any] | None = None) -> Any:
    """Send the contents with Google's SDK to a fake model, with a `config` as the SDK names it. Returns what went over
    the wire, and what came back."""
    from google.genai import Client, errors, types

    with fake_model.serve(script_of(replies)) as model:
        options = types.HttpOptions(base_url=model.address, api_version="v1beta", timeout=30_000)
        problem, reply = "", None
        client = Client(api_key="lessons", vertexai=False, http_options=options)
        try:
            answer = client.models.generate_content(model=fake_model.MODEL, contents=contents, config=config)
            reply = answer.candidates[0].content.model_dump(mode="json", by_alias=True, exclude_none=True)
        except errors.APIError as error:
            problem = f"{error.code}: {error.message}"
        except ValueError as error:  # the SDK itself refuses what is no Content
            problem = f"the SDK refused it: {str(error).splitlines()[0]}"
        finally:
            client.close()
        return {"requests": model.requests, "reply": reply, "problem": problem}


def built_in(messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> dict[str, Any]:
    """Ask the built-in model with OpenAI's SDK. It remembers nothing, so that each request may have its own server."""
    from offline.wire.server import serve

    with serve() as address:
        completions = openai_client(f"{address}/v1").chat.completions
        answer = completions.create(model="built-in", messages=messages, tools=tools)
        return json.loads(answer.choices[0].message.model_dump_json(exclude_none=True))


def stream(messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Ask the built-in model for a reply in pieces. Returns the chunks as the SDK hands them over, as plain data."""
    from offline.wire.server import serve

    with serve() as address:
        completions = openai_client(f"{address}/v1").chat.completions
        about = {"include_usage": True}
        with completions.create(
            model="built-in", messages=messages, tools=tools, stream=True, stream_options=about
        ) as came:
            return [json.loads(chunk.model_dump_json(exclude_unset=True)) for chunk in came]


SERVICES: dict[str, Callable[..., Any]] = {
    "openai": openai,
    "gemini": gemini,
    "built_in": built_in,
    "stream": stream,
    "api": outside.api,
    "operator": outside.operator,
}
