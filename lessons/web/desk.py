"""What the page can ask of the course. Each request reads the learner's folder anew, so that a terminal, an editor and
several pages may have it open at once, and nothing is in memory that a kill could lose.
"""

from __future__ import annotations

import base64
import hashlib
import secrets
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from lessons import words
from lessons.checker import warm_up
from lessons.course import CourseError, find
from lessons.learner import Learner
from lessons.real import MODELS, REAL
from lessons.sitting import LAST_OF_THE_AGENT, Sitting
from lessons.web.files import Changed, read_text, save_text
from lessons.web.pages import linked, rendered
from lessons.web.running import Running, models
from lessons.web.telling import lesson_data, prediction_data, verdict_data
from live.server import Refused, Request, Response, Route, as_json
from live.watch import HTML, numbered

HERE = Path(__file__).resolve().parent
SCRIPTS = ("page", "desk", "reach", "drafts", "draw", "steps", "real", "vendor/codemirror.min")
STATIC = {  # what is served as it lies there
    "page.css": "text/css; charset=utf-8",
    **{f"{name}.js": "text/javascript; charset=utf-8" for name in SCRIPTS},
}
POLICY = (
    "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src data:; "
    "base-uri 'none'; form-action 'none'"
)
LONGEST_PROMPT = 4000  # characters
LAST_SECONDS = 3.0  # that a check or a run may take on after Ctrl-C
Action = Callable[[Sitting, Mapping[str, Any]], dict[str, Any]]


class Desk:
    """The course of one learner. One check runs at a time; a file is written while nobody else writes it."""

    def __init__(self, learner: Learner) -> None:
        self._folder, self._lessons, self._linked = learner.folder, learner.lessons, linked(learner.lessons)
        self._notice, self._running = "", None  # type: str, Running | None
        self._checking, self._writing, self._starting = threading.Lock(), threading.Lock(), threading.Lock()
        self.ready(learner)

    def routes(self) -> Mapping[str, Route]:
        acts = (
            *(self.open, self.save, self.check, self.predict, self.hint, self.solution, self.reset, self.keep),
            *(self.run, self.stop),
        )
        return {
            "GET /": self.page,
            "GET /static/": static,
            "GET /look": self.look,
            "GET /player": self.player,
            "GET /finale": self.finale,
            "GET /words": glossary,
            "GET /models": lambda _: as_json(models()),
            "GET /running": self.running,
            "GET /source": self.source,
            **{f"POST /{act.__name__}": self.act(act) for act in acts},
        }

    def sitting(self) -> Sitting:
        return Sitting(self.ready(Learner(self._folder, self._lessons)))

    def ready(self, learner: Learner) -> Learner:
        """After a damaged progress file: check what the learner has, and tell the page."""
        if learner.notice:
            self._notice = learner.notice
            Sitting(learner).rebuild()
        learner.notice = self._notice
        return learner

    def finish(self) -> None:
        """Let what is being written or checked come to its end, and end what runs."""
        if self._running:
            self._running.stop(LAST_SECONDS)
        for lock in (self._writing, self._checking):
            lock.acquire(timeout=LAST_SECONDS)

    def act(self, action: Action) -> Route:
        """A route for what is asked about a lesson: {"lesson": its number, ...}. What cannot be done is a sentence."""

        def route(request: Request) -> Response:
            asked = request.body if isinstance(request.body, dict) else {}
            try:
                sitting = self.sitting()
                sitting.lesson = find(self._lessons, str(asked.get("lesson") or sitting.lesson.number))
                return as_json(action(sitting, asked))
            except Changed as changed:
                return as_json({"error": str(changed), **changed.now.data}, 409)
            except CourseError as problem:
                return as_json({"error": str(problem)}, 400)
            except Refused:
                raise
            except Exception as error:  # of the course's own code, which a learner may be changing
                reason = f"{type(error).__name__}: {error}"
                return as_json({"error": words.WEB_FAULT.format(what=action.__name__, reason=reason)}, 500)

        return route

    # ------------------------------------------------------------ pages

    def page(self, _: Request) -> Response:
        nonce = secrets.token_urlsafe(16)
        text = (HERE / "page.html").read_text(encoding="utf-8").replace("{{nonce}}", nonce)
        return Response(text.encode(), HTML, policy=POLICY.format(nonce=nonce))

    def source(self, request: Request) -> Response:
        name = request.query.get("file", "")
        if name not in self._linked:
            raise Refused(404, "there is no such file")
        return numbered(name)

    def player(self, request: Request) -> Response:
        """The page of the last run of a lesson's code."""
        from records.page import policy_of

        real = request.query.get("lesson") == REAL
        run = self._page(REAL) if real else self._page(self._sitting_at(request).lesson.part)
        if not run.is_file():
            raise Refused(404, words.NO_PLAYER)
        return Response(run.read_bytes(), HTML, policy=policy_of())

    def finale(self, _: Request) -> Response:
        from lessons.finale import STYLE, rows_of, write_page

        sitting = self.sitting()
        last = next(each for each in self._lessons if each.part == LAST_OF_THE_AGENT)
        if not sitting.progress.passed(last):
            raise Refused(404, words.NO_FINALE.format(number=last.number))
        page = write_page(sitting.learner, rows_of(sitting.learner, last))
        style = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
        return Response(page.read_bytes(), HTML, policy=f"default-src 'none'; style-src 'sha256-{style}'")

    def _page(self, name: str) -> Path:
        """The page of the last run of a lesson's code, by its part, or of the last real one."""
        from lessons.player import FOLDER

        return self._folder / "runs" / name / FOLDER / "trace.html"

    def _sitting_at(self, request: Request) -> Sitting:
        sitting = self.sitting()
        try:
            sitting.lesson = find(self._lessons, request.query.get("lesson", ""))
        except CourseError as problem:
            raise Refused(404, str(problem)) from None
        return sitting

    # ------------------------------------------------------------ a lesson

    def look(self, request: Request) -> Response:
        """Whether the file is another than the page has `seen`, with its text then; and what is done."""
        sitting = self._sitting_at(request)
        told = {"done": [lesson.number for lesson in sitting.done]}
        try:
            now = read_text(sitting.learner, sitting.lesson)
        except CourseError as problem:
            return as_json({**told, "problem": str(problem)})
        if now.hash == request.query.get("seen"):
            return as_json({**told, "hash": now.hash, "gone": now.gone})
        return as_json({**told, **now.data})

    def open(self, sitting: Sitting, _: Mapping[str, Any]) -> dict[str, Any]:
        """Go to a lesson; the learner gets its file unless they have it. One that they had and that is gone is told."""
        had = sitting.progress.of(sitting.lesson)["checked"] and not sitting.learner.file(sitting.lesson).exists()
        kept = sitting.open(sitting.lesson)
        warm_up(sitting.lesson)
        said = words.WEB_PUT_BACK.format(file=sitting.lesson.file) if had else ""
        return {"said": f"{said} {kept}".strip(), **self._lesson(sitting)}

    def _lesson(self, sitting: Sitting) -> dict[str, Any]:
        try:
            text = read_text(sitting.learner, sitting.lesson).data
        except CourseError as problem:
            text = {"problem": str(problem)}
        ran = self._page(sitting.lesson.part).is_file() and sitting.progress.passed(sitting.lesson)
        return lesson_data(sitting, text, ran)

    def save(self, sitting: Sitting, asked: Mapping[str, Any]) -> dict[str, Any]:
        """{"text", "seen"}: write the learner's file, unless it is another by now than the page has seen."""
        text, seen = asked.get("text"), asked.get("seen")
        if not isinstance(text, str) or not isinstance(seen, str):
            raise Refused(400, "a save has a text, and what was seen")
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            raise Refused(400, "the text is no Unicode") from None
        with self._writing:
            now, kept = save_text(sitting.learner, sitting.lesson, text, seen, keep=asked.get("keep") is True)
        return {"hash": now, "kept": words.WEB_KEPT.format(kept=kept) if kept else ""}

    def check(self, sitting: Sitting, _: Mapping[str, Any]) -> dict[str, Any]:
        if not sitting.learner.file(sitting.lesson).exists():
            raise CourseError(words.GONE.format(file=sitting.lesson.file))
        with self._checking:
            outcome = sitting.check()
            sitting.progress.save()
            if outcome.verdict.passed and sitting.recording:
                sitting.player()
        return verdict_data(sitting, outcome)

    def predict(self, sitting: Sitting, asked: Mapping[str, Any]) -> dict[str, Any]:
        return prediction_data(sitting.predict(str(asked.get("letter"))))

    def hint(self, sitting: Sitting, _: Mapping[str, Any]) -> dict[str, Any]:
        number, text = sitting.hint()
        return {"number": number, "hint": rendered(text), "hints_left": len(sitting.lesson.hints) - number}

    def solution(self, sitting: Sitting, _: Mapping[str, Any]) -> dict[str, Any]:
        return {"solution": sitting.solution()}

    def reset(self, sitting: Sitting, _: Mapping[str, Any]) -> dict[str, Any]:
        with self._writing:
            kept = sitting.learner.reset(sitting.lesson)
        sitting.progress.save()
        said = words.RESET_DONE if kept else words.RESET_NOTHING
        return {"said": said.format(file=sitting.lesson.file, kept=kept), **self._lesson(sitting)}

    def keep(self, sitting: Sitting, _: Mapping[str, Any]) -> dict[str, Any]:
        """Copy the page of the last run to where no later run overwrites it."""
        run = self._page(sitting.lesson.part)
        sitting.page = run if run.is_file() else None
        return {"said": words.KEPT.format(path=sitting.keep())}

    # ------------------------------------------------------------ the learner's own agent

    def run(self, sitting: Sitting, asked: Mapping[str, Any]) -> dict[str, Any]:
        """{"prompt", "provider"}: run the agent as it is now; one at a time."""
        prompt, provider = asked.get("prompt"), asked.get("provider")
        if not isinstance(prompt, str) or not prompt.strip() or len(prompt) > LONGEST_PROMPT or provider not in MODELS:
            raise Refused(400, "a run has a prompt, and a provider")
        with self._starting:
            if self._running and self._running.going:
                raise CourseError(words.WEB_RUNS)
            self._running = Running(sitting.learner, prompt, provider)
        return {}

    def stop(self, _: Sitting, __: Mapping[str, Any]) -> dict[str, Any]:
        if self._running:
            self._running.stop()
        return {}

    def running(self, request: Request) -> Response:
        """What the run has told after so many events, and whether it goes on. Without a run, it does not."""
        after = request.query.get("after", "")
        if not after.isascii() or not after.isdigit():
            raise Refused(400, "after how many?")
        if self._running is None:
            return as_json({"events": [], "after": 0, "going": False})
        return as_json({"prompt": self._running.prompt, **self._running.after(int(after))})


def static(request: Request) -> Response:
    if request.rest not in STATIC:
        raise Refused(404, "there is nothing here")
    return Response((HERE / request.rest).read_bytes(), STATIC[request.rest])


def glossary(_: Request) -> Response:
    """Every word that the course explains."""
    from lessons.glossary import entries

    return as_json([[word, rendered(text)] for word, text in entries().items()])
