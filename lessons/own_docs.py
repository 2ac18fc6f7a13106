"""The learner's own librarian, over a folder of theirs: behind the sandbox, where it may read that folder."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from lessons import words
from lessons.checker import run_check, tell_about_the_walls
from lessons.course import CourseError, find
from lessons.learner import Learner
from lessons.outside import WIRE
from lessons.parts import parts_for
from lessons.real import MODELS, PLAIN, THROUGH_GEMINI, run_part, telling
from lessons.run_folder import fresh_run
from lessons.screen import Screen
from lessons.verdicts import show_parts

STAND_IN = "key-of-the-person"  # what the learner's code has for a key: the real one stays outside the sandbox
LIBRARIAN = """
import sys, types
sys.modules["wire"] = wire = types.ModuleType("wire")  # there is no network here: the walk sends, to that one address
wire.send = lambda method, address, headers: job["send"](method, address, headers)
import api, library
library.embed = job["embed"]
if job["api"]:
    api.BASE, api.KEY = job["api"], job["key"]
    library.query_api.__doc__ += f" Endpoints:\\n{job['endpoints']}"
    library.TOOLS["query_api"] = library.query_api
result = library.librarian(asked, job["question"], job["folder"])
"""
DIGITS = 4  # of each number of a vector: more say nothing, and cost on the way


def ask_docs(question: str, docs: Path, provider: str, learner: Learner, screen: Screen, **more: Any) -> int:
    """Let the learner's librarian answer a question from the documents in `docs`. `more`: `api`, an address that may be
    asked too, and `unconfined`. Returns 0. Raises CourseError when it cannot, or comes to no answer."""
    if not docs.is_dir():
        raise CourseError(words.NO_DOCS.format(path=docs))
    lesson = find(learner.lessons, "search")
    if not learner.file(lesson).exists():
        raise CourseError(words.LIBRARIAN_MISSING.format(file=lesson.file, number=lesson.number))
    tell_about_the_walls(screen)
    screen.say(words.CHECKING.format(file=lesson.file), "quiet")
    also = ("gemini",) if provider == "gemini" else ()
    parts = parts_for(learner, lesson, also)
    verdict = run_check(lesson, learner.file(lesson), parts.files)
    show_parts(screen, verdict, parts.broken)
    if not verdict.passed:
        raise CourseError(words.LIBRARIAN_MISSING.format(file=lesson.file, number=lesson.number))
    model, ask = MODELS[provider](bool(more.get("unconfined")))
    folder = fresh_run(learner, lesson, parts.files, also, say=screen.say)
    job = {"question": question, "folder": str(docs.resolve()), **api(more.get("api") or "")}
    job |= {"send": sender(more.get("api") or "", key()), "embed": embed if embeds() else None}
    screen.say(words.LIBRARIAN_WORKING.format(path=docs, model=model))
    if not job["embed"]:
        screen.say(words.BY_WORDS_ALONE, "quiet")
    source = (THROUGH_GEMINI if provider == "gemini" else PLAIN) + LIBRARIAN
    answer = run_part(folder, lesson, source, [docs.resolve()], ask=telling(ask, screen), job=job)
    screen.title(words.AGENT_ANSWER)
    screen.code(answer, "")
    return 0


def embeds() -> bool:
    from index import meaning

    return meaning.available()


def embed(texts: list[str]) -> list[list[float]]:
    from index import meaning

    return [[round(float(number), DIGITS) for number in row] for row in meaning.embed(texts)]


def api(address: str) -> dict[str, str]:
    """What the librarian is told of an API: its address, what stands for the key, and the endpoints that it names."""
    if not address:
        return {"api": ""}
    from jobs.librarian.endpoints import endpoints
    from reach.api import Api
    from reach.paths import ApiRefusal

    try:
        with Api(address, key()) as reached:
            return {"api": reached.base, "key": STAND_IN if key() else "", "endpoints": endpoints(reached)}
    except ApiRefusal as refusal:
        raise CourseError(f"--api: {refusal}.") from None


def key() -> str:
    from config import load_settings
    from jobs.librarian.settings import LibrarianSettings

    return load_settings().of(LibrarianSettings).lms_api_key


def sender(base: str, key: str = "") -> Callable[..., tuple[int, str]]:
    """Sends what the learner's query_api sends, and only there: their code decides, and this makes sure. The key is put
    in the place of what stands for it, and covered in what comes back."""
    from reach.secrets import covered

    send = runpy.run_path(str(WIRE))["send"]

    def checked(method: str, address: str, headers: dict[str, str]) -> tuple[int, str]:
        wanted, allowed = urlsplit(address), urlsplit(base)
        if not base or (wanted.scheme, wanted.netloc) != (allowed.scheme, allowed.netloc):
            raise OSError(f"{wanted.netloc or address[:80]} may not be asked: only {allowed.netloc or 'no API'} may")
        status, text = send(method, address, {name: value.replace(STAND_IN, key) for name, value in headers.items()})
        return status, covered(text, key)

    return checked
