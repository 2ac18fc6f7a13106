"""Running the learner's own agent with a model of their choice: behind the sandbox, on a copy of the calculator."""

from __future__ import annotations

import contextlib
import difflib
import json
import shutil
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from cli.reset import shipped
from lessons import words
from lessons.checker import run_check, tell_about_the_walls
from lessons.course import CourseError, Lesson
from lessons.helped import HELP, lender, own_help
from lessons.helped import RUN as HELPED
from lessons.learner import Learner
from lessons.parent import MODEL_SECONDS, Gone, Parent, Raised
from lessons.parts import parts_for
from lessons.recorded import Recorded, Step, done_by
from lessons.run_folder import fresh_run, remember_what_is_left
from lessons.screen import Screen
from lessons.services import SERVICES

AGENT, LOOP = "agent", "loop"  # the parts that can be run
LOOPS_PARTS = ("loop", "messages", "dispatch", "menu")  # beside those of its tools
REAL = "real"  # where, among the learner's runs, the last of these lies
OWN_SECONDS = 120.0  # of the agent itself, with its tools; the model's time is not counted
PLAIN = "asked = ask\n"
THROUGH_GEMINI = """
import gemini
def asked(messages, menu):
    return ask(messages, menu, gemini.to_gemini(messages))
"""
RUN = "import agent\nresult = agent.agent(asked, prompt, 'calculator')"
# The loop of lesson 6 alone, with the tools that lesson 14 gives.
RUN_LOOP = """
import dispatch, loop, menu, toolbox
dispatch.ROOT = "calculator"
dispatch.TOOLS.update(toolbox.TOOLS)
tools = [{"type": "function", "function": menu.schema(tool)} for tool in toolbox.TOOLS.values()]
result = loop.run(lambda messages: asked(messages, tools), prompt, 20)
"""

Ask = Callable[..., dict[str, Any]]


class Listener(Protocol):
    """Whoever is told of a run."""

    def said(self, sentence: str, look: str = "") -> None: ...
    def step(self, step: Step) -> None: ...
    def replied(self, number: int, reply: dict[str, Any]) -> None: ...
    def ended(self, answer: str, changed: list[str], player: Path | None) -> None: ...


class Aloud:
    """Tells of a run in a terminal."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen

    def said(self, sentence: str, look: str = "") -> None:
        self.screen.say(sentence, look)

    def step(self, step: Step) -> None:
        """The replies are enough."""

    def replied(self, number: int, reply: dict[str, Any]) -> None:
        show_turn(self.screen, number, reply)

    def ended(self, answer: str, changed: list[str], player: Path | None) -> None:
        if answer:
            self.screen.title(words.AGENT_ANSWER)
            self.screen.code(answer, "")
        self.screen.title(words.AGENT_CHANGED if changed else words.AGENT_CHANGED_NOTHING)
        self.screen.code("\n".join(changed), "")
        if player:
            self.screen.say(words.PLAYER.format(path=player), "quiet")


def run_agent(prompt: str, provider: str, learner: Learner, screen: Screen, *, unconfined: bool = False) -> int:
    """Run the learner's agent in a terminal. Returns 0 when it came to an answer."""
    tell_about_the_walls(screen)
    work(prompt, provider, learner, Aloud(screen), unconfined=unconfined)
    return 0


def work(
    prompt: str,
    provider: str,
    learner: Learner,
    listener: Listener,
    *,
    unconfined: bool = False,
    stop: threading.Event | None = None,
) -> None:
    """Run the learner's agent on a fresh copy of the calculator, until it comes to an answer or `stop` is set.

    Raises CourseError where there is none that passes its check, no model, and where it comes to no answer.
    """
    from agent.mechanisms import is_small

    lesson = chosen(learner, listener)
    is_loop = lesson.part == LOOP
    also = (*(LOOPS_PARTS if is_loop else ()), *(("gemini",) if provider == "gemini" else ()))
    whole = by_part(learner, AGENT)
    parts = parts_for(learner, whole, also)
    for sentence in parts.broken:
        listener.said(sentence, "failed")
    model, ask = MODELS[provider](unconfined)
    folder = fresh_run(learner, whole, parts.files, also, say=listener.said, own=not is_loop)
    tell_whose(learner, lesson, parts.files, folder / "parts", listener)
    listener.said(words.AGENT_WORKING.format(path=folder / "calculator", model=model))
    recorded = Recorded(lesson.part, prompt, ask, listener.step, listener.replied)
    source, values = (PLAIN, THROUGH_GEMINI)[provider == "gemini"], {"ask": recorded, "prompt": prompt}
    source += RUN_LOOP if is_loop else RUN
    small = provider == "lmstudio" and not is_loop and is_small("auto", provider, model)
    if small and (help_file := own_help(learner)):
        shutil.copy(help_file, folder / "parts" / f"{HELP}.py")
        source, values["lent"] = HELPED, lender(folder / "calculator")
        listener.said(words.AGENT_HELPED)
    answer, ended = "", "provider_error"
    try:
        answer = run_part(folder, lesson, source, stop=stop, **values)
        ended = "answered"
        recorded.answered(answer)
    except CourseError:
        if stop and stop.is_set():
            ended = "interrupted"
            raise CourseError(words.AGENT_STOPPED) from None
        raise
    finally:
        who = done_by(lesson.file, "the built-in model" if provider == "offline" else model)
        player = played(learner, recorded.recording(answer, ended) | who)
        listener.ended(answer, difference(shipped(), folder / "calculator"), player)


def by_part(learner: Learner, part: str) -> Lesson:
    return next((each for each in learner.lessons if each.part == part), learner.lessons[-1])


def chosen(learner: Learner, listener: Listener) -> Lesson:
    """The lesson whose file is run: the agent where it passes its check, else the loop. Raises CourseError for neither,
    and for an agent that passed once and does so no more."""
    for lesson in (by_part(learner, AGENT), by_part(learner, LOOP)):
        once = learner.progress.passed(lesson)
        if not learner.file(lesson).exists() or (learner.untouched(lesson) and not once):
            continue
        listener.said(words.CHECKING.format(file=lesson.file), "quiet")
        verdict = run_check(lesson, learner.file(lesson), parts_for(learner, lesson).files)
        if verdict.passed or (verdict.cases and all(case.title == words.OWN_PARTS for case in verdict.failed)):
            return lesson
        if once:
            break
    raise CourseError(words.AGENT_MISSING.format(file=lesson.file, number=lesson.number))


def tell_whose(learner: Learner, lesson: Lesson, own: Collection[str], laid_out: Path, listener: Listener) -> None:
    """Whose the parts are that are used: the learner's, and those that the course lends."""
    used = {path.stem for path in laid_out.glob("*.py")} - {lesson.part}
    names = [each.part for each in learner.lessons if each.part in used]
    for sentence, mine in ((words.YOURS, True), (words.LENT, False)):
        if chosen_names := [name for name in names if (name in own) is mine]:
            listener.said(sentence.format(names=", ".join(chosen_names)), "quiet")


def played(learner: Learner, recording: dict[str, Any]) -> Path | None:
    """The run as a page, where it has come so far as a reply and the disk takes it."""
    from lessons.player import write_player

    with contextlib.suppress(OSError):
        return write_player(learner.folder / "runs" / REAL, recording) if recording["turns"] else None
    return None


def run_part(
    folder: Path,
    last: Lesson,
    source: str,
    readable: Sequence[Path] = (),
    stop: threading.Event | None = None,
    **values: Any,
) -> str:
    """Run a few lines behind the sandbox, in `folder`, with the learner's parts; what they leave in `result`. The lines
    may read `readable`, too, and see `values`. Raises CourseError when they come to no answer, or `stop` is set."""
    parent = Parent(folder, last.part, OWN_SECONDS, readable, seconds_of_models=20 * MODEL_SECONDS, stopped=stop)
    try:
        with parent:
            return str(parent.run(source, **values))
    except Raised as raised:
        raise CourseError(words.AGENT_FAILED.format(reason=raised)) from None
    except Gone as gone:
        last_words = parent.printed.strip().rsplit("\n", 1)[-1]
        reason = f"it was stopped for {gone.why}" if gone.why else last_words or "no answer"
        raise CourseError(words.AGENT_FAILED.format(reason=reason)) from None
    finally:
        remember_what_is_left(folder)


def telling(ask: Ask, screen: Screen) -> Ask:
    """The same, and a line for each turn."""
    turns = 0

    def tell(*question: Any) -> dict[str, Any]:
        nonlocal turns
        turns += 1
        reply = ask(*question)
        show_turn(screen, turns, reply)
        return reply

    return tell


def show_turn(screen: Screen, number: int, reply: dict[str, Any]) -> None:
    calls = [f"{call['function']['name']} {call['function']['arguments']}" for call in reply.get("tool_calls") or ()]
    for call in calls or [reply.get("content") or ""]:
        screen.line(words.AGENT_TURN.format(number=number, calls=call.split("\n")[0])[: screen.width])


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
        with in_words():
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

    def ask(messages: list[dict[str, Any]], menu: list[dict[str, Any]], contents: list[Any]) -> dict[str, Any]:
        tools = [tool["function"] for tool in menu]
        declared = [{**tool, "parameters": gemini_schema(tool["parameters"])} for tool in tools]
        config = types.GenerateContentConfig(
            system_instruction=messages[0]["content"],
            tools=[{"function_declarations": declared}],
            automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
        )
        with in_words():
            answer = client.models.generate_content(model=settings.gemini_model, contents=contents, config=config)
        return message_of(answer.candidates[0].content.model_dump(mode="json", by_alias=True, exclude_none=True))

    return settings.gemini_model, ask


@contextlib.contextmanager
def in_words() -> Iterator[None]:
    """What a server refuses is told as the real agent tells it, with what to do. Raises RuntimeError."""
    from providers.failures import of_status, status_of

    try:
        yield
    except Exception as error:
        status, body = status_of(error), getattr(error, "body", None) or getattr(error, "details", None)
        if status is None:
            raise
        raise RuntimeError(str(of_status(status, body, {}))) from error


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
