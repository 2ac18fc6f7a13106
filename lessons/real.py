"""Running the learner's own agent with a model of their choice: behind the sandbox, on a copy of the calculator."""

from __future__ import annotations

import difflib
import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from cli.reset import put_calculator, shipped
from lessons import words
from lessons.checker import lay_out, run_check, tell_about_the_walls
from lessons.course import CourseError, Lesson
from lessons.helped import HELP, lender, own_help
from lessons.helped import RUN as HELPED
from lessons.learner import Learner
from lessons.parent import MODEL_SECONDS, Gone, Parent, Raised
from lessons.parts import parts_for
from lessons.screen import Screen
from lessons.services import SERVICES
from lessons.verdicts import show_parts

AGENT = "agent"  # the part that is run
OWN_SECONDS = 120.0  # of the agent itself, with its tools; the model's time is not counted
PLAIN = "asked = ask\n"
THROUGH_GEMINI = """
import gemini
def asked(messages, menu):
    return ask(gemini.to_gemini(messages), menu, messages[0]["content"])
"""
RUN = [f"{asked}import agent\nresult = agent.agent(asked, prompt, 'calculator')" for asked in (PLAIN, THROUGH_GEMINI)]

Ask = Callable[..., dict[str, Any]]


def run_agent(prompt: str, provider: str, learner: Learner, screen: Screen, *, unconfined: bool = False) -> int:
    """Run the learner's agent on a fresh copy of the calculator. Returns 0 when it came to an answer."""
    lesson = next((each for each in learner.lessons if each.part == AGENT), learner.lessons[-1])
    tell_about_the_walls(screen)
    if not learner.file(lesson).exists():
        raise CourseError(words.AGENT_MISSING.format(file=lesson.file, number=lesson.number))
    screen.say(words.CHECKING.format(file=lesson.file), "quiet")
    also = ("gemini",) if provider == "gemini" else ()
    parts = parts_for(learner, lesson, also)
    verdict = run_check(lesson, learner.file(lesson), parts.files)
    show_parts(screen, verdict, parts.broken)
    if not verdict.passed and any(case.title != words.OWN_PARTS for case in verdict.failed):
        raise CourseError(words.AGENT_MISSING.format(file=lesson.file, number=lesson.number))
    from agent.mechanisms import is_small

    model, ask = MODELS[provider](unconfined)
    folder = fresh_run(learner, lesson, parts.files, also)
    screen.say(words.AGENT_WORKING.format(path=folder / "calculator", model=model))
    source, values = RUN[provider == "gemini"], {"ask": telling(ask, screen), "prompt": prompt}
    if provider == "lmstudio" and is_small("auto", provider, model) and (help_file := own_help(learner)):
        shutil.copy(help_file, folder / "parts" / f"{HELP}.py")
        source, values["lent"] = HELPED, lender(folder / "calculator")
        screen.say(words.AGENT_HELPED)
    answer = run_part(folder, lesson, source, **values)
    screen.title(words.AGENT_ANSWER)
    screen.code(answer, "")
    changed = difference(shipped(), folder / "calculator")
    screen.title(words.AGENT_CHANGED if changed else words.AGENT_CHANGED_NOTHING)
    screen.code("\n".join(changed), "")
    return 0


def fresh_run(learner: Learner, last: Lesson, own: dict[str, Path], also: Sequence[str] = ()) -> Path:
    """Make my_agent/run anew: the calculator as shipped, the learner's parts that the file of the lesson `last` is
    built on, and the course's where those are missing."""
    folder = learner.folder / "run"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    put_calculator(folder / "calculator")
    lay_out(last, learner.file(last), own, folder / "parts", also)
    return folder


def run_part(folder: Path, last: Lesson, source: str, readable: Sequence[Path] = (), **values: Any) -> str:
    """Run a few lines behind the sandbox, in `folder`, with the learner's parts; what they leave in `result`. The lines
    may read `readable`, too, and see `values`. Raises CourseError when they come to no answer."""
    parent = Parent(folder, last.part, OWN_SECONDS, readable, seconds_of_models=20 * MODEL_SECONDS)
    try:
        with parent:
            return str(parent.run(source, **values))
    except Raised as raised:
        raise CourseError(words.AGENT_FAILED.format(reason=raised)) from None
    except Gone as gone:
        last_words = parent.printed.strip().rsplit("\n", 1)[-1]
        reason = f"it was stopped for {gone.why}" if gone.why else last_words or "no answer"
        raise CourseError(words.AGENT_FAILED.format(reason=reason)) from None


def telling(ask: Ask, screen: Screen) -> Ask:
    """The same, and a line for each turn."""
    turns = 0

    def tell(*question: Any) -> dict[str, Any]:
        nonlocal turns
        turns += 1
        reply = ask(*question)
        calls = [
            f"{call['function']['name']} {call['function']['arguments']}" for call in reply.get("tool_calls") or ()
        ]
        for call in calls or [reply.get("content") or ""]:
            screen.line(words.AGENT_TURN.format(number=turns, calls=call.split("\n")[0])[: screen.width])
        return reply

    return tell


def offline(_: bool) -> tuple[str, Ask]:
    return "the built-in one", lambda messages, menu: SERVICES["built_in"](messages=messages, tools=menu)


def confined(unconfined: bool) -> None:
    """Code that a language model wrote runs behind walls, or after the person has said so. Raises CourseError."""
    from sandbox.running.levels import level

    if not (level().confined or unconfined):
        raise CourseError(level().warning)


def lmstudio(unconfined: bool) -> tuple[str, Ask]:
    from config import load_settings
    from providers.discovery import look

    confined(unconfined)
    settings = load_settings()
    found = look(settings.lmstudio_base_url, settings.lmstudio_api_key, seconds=1.5, wanted=settings.lmstudio_model)
    if found is None or not found.model:
        raise CourseError(words.NO_SERVER.format(address=settings.lmstudio_base_url))
    from openai import OpenAI

    client = OpenAI(base_url=settings.lmstudio_base_url, api_key=settings.lmstudio_api_key)

    def ask(messages: list[dict[str, Any]], menu: list[dict[str, Any]]) -> dict[str, Any]:
        tools: Any = {"tools": menu} if menu else {}
        answer = client.chat.completions.create(model=found.model, messages=messages, temperature=0, **tools)
        return answer.choices[0].message.model_dump(mode="json", exclude_none=True)

    return found.model, ask


def gemini(unconfined: bool) -> tuple[str, Ask]:
    from config import load_settings

    confined(unconfined)
    settings = load_settings()
    if not settings.gemini_api_key:
        raise CourseError(words.NO_KEY)
    from google.genai import Client, types

    from list_functions import gemini_schema

    options = types.HttpOptions(base_url=settings.gemini_base_url or None, api_version="v1beta")
    client = Client(api_key=settings.gemini_api_key, vertexai=False, http_options=options)

    def ask(contents: list[dict[str, Any]], menu: list[dict[str, Any]], system: str) -> dict[str, Any]:
        tools = [tool["function"] for tool in menu]
        declared = [{**tool, "parameters": gemini_schema(tool["parameters"])} for tool in tools]
        config = types.GenerateContentConfig(
            system_instruction=system,
            tools=[{"function_declarations": declared}],
            automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
        )
        answer = client.models.generate_content(model=settings.gemini_model, contents=contents, config=config)
        return message_of(answer.candidates[0].content.model_dump(mode="json", by_alias=True, exclude_none=True))

    return settings.gemini_model, ask


def message_of(content: dict[str, Any]) -> dict[str, Any]:
    """A content of Gemini's as the lessons' message: text and calls to work with, and what came, whole, under raw."""
    parts = content.get("parts") or []
    text = "".join(part["text"] for part in parts if "text" in part and not part.get("thought"))
    message: dict[str, Any] = {"role": "assistant", "content": text, "raw": content}
    calls = [part["functionCall"] for part in parts if "functionCall" in part]
    if calls:
        message["tool_calls"] = [
            {
                "id": call.get("id") or f"call_{number}",
                "function": {"name": call["name"], "arguments": json.dumps(call.get("args", {}))},
            }
            for number, call in enumerate(calls, 1)
        ]
    return message


def difference(before: Mapping[str, bytes], after: Path) -> list[str]:
    """The changes as a patch."""
    lines: list[str] = []
    for path in sorted(after.rglob("*.py")):
        name = path.relative_to(after).as_posix()
        old = before.get(name, b"").decode().splitlines()
        lines += difflib.unified_diff(old, path.read_text(errors="replace").splitlines(), name, name, lineterm="", n=1)
    return lines


MODELS: dict[str, Callable[[bool], tuple[str, Ask]]] = {"offline": offline, "lmstudio": lmstudio, "gemini": gemini}
