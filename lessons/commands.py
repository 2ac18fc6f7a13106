"""The commands of the walk: what a typed letter does."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Callable
from typing import TYPE_CHECKING

from cli.desktop import open_in_browser, persons_editor
from lessons import words
from lessons.course import CourseError, Lesson, find
from lessons.learner import Learner
from lessons.showing import show_diagram, show_finale, show_lesson, show_list, show_question
from lessons.watching import Watcher

if TYPE_CHECKING:
    from lessons.walk import Walk

FEW = 3  # words that are explained at once


def go_to_next(walk: Walk, _: str) -> None:
    if not walk.progress.passed(walk.lesson):
        walk.screen.say(words.NOT_DONE_YET.format(number=walk.lesson.number))
    if walk.sitting.following is None:
        walk.screen.say(words.LAST)
    else:
        walk.open(walk.sitting.following)


def go(walk: Walk, where: str) -> None:
    if not where:
        walk.screen.say(words.GO_WHERE)
        return
    walk.open(find(walk.lessons, where))


def list_all(walk: Walk, _: str) -> None:
    show_list(walk.screen, walk.learner, walk.lesson)
    walk.say_where()


def text(walk: Walk, _: str) -> None:
    walk.asked = ""
    show_lesson(walk.screen, walk.sitting)
    walk.where_to_go_on()


def hint(walk: Walk, _: str) -> None:
    number, text = walk.sitting.hint()
    walk.screen.title(words.HINT.format(number=number, hints=len(walk.lesson.hints)))
    walk.screen.markdown(text)
    if number == len(walk.lesson.hints) and walk.progress.of(walk.lesson)["hints"] == number:
        walk.screen.say(words.NO_MORE_HINTS)
    walk.say_where()


def solution(walk: Walk, _: str) -> None:
    if not walk.progress.passed(walk.lesson) and walk.asked != "solution":
        walk.asked = "solution"
        walk.screen.say(words.SOLUTION_EARLY.format(number=walk.lesson.number))
        return
    walk.screen.title(words.SOLUTION.format(number=walk.lesson.number))
    walk.screen.code(walk.sitting.solution())
    walk.screen.line()
    walk.say_where()


def reset(walk: Walk, _: str) -> None:
    kept = walk.learner.reset(walk.lesson)
    walk.watcher = Watcher(walk.learner.file(walk.lesson))
    walk.save()
    walk.screen.say((words.RESET_DONE if kept else words.RESET_NOTHING).format(file=walk.lesson.file, kept=kept))
    walk.say_where()


def restart(walk: Walk, where: str) -> None:
    lesson = find(walk.lessons, where) if where else walk.lesson
    walk.screen.say(restarted(walk.learner, lesson))
    walk.open(lesson)


def editor(walk: Walk, _: str) -> None:
    path, editor = walk.learner.file(walk.lesson), persons_editor()
    if not editor:
        walk.screen.say(words.EDITOR_UNSET.format(path=path))
        return
    try:
        with walk.lines.paused():
            subprocess.run([*shlex.split(editor), str(path)], check=False)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        walk.screen.say(words.EDITOR_FAILED.format(editor=editor, reason=reason, path=path))


def player(walk: Walk, _: str) -> None:
    """Write the last run as a page, and open it where there is a desktop."""
    page = walk.sitting.player()
    walk.screen.say(words.PLAYER.format(path=page))
    walk.screen.say(words.KEEP)
    open_in_browser(page.as_uri())


def keep(walk: Walk, _: str) -> None:
    walk.screen.say(words.KEPT.format(path=walk.sitting.keep()))


def question(walk: Walk, _: str) -> None:
    question = walk.sitting.question()
    if question is None:
        raise CourseError(words.NO_QUESTION)
    show_question(walk.screen, walk.sitting, question)
    walk.asked = "question"


def word(walk: Walk, wanted: str) -> None:
    from lessons.glossary import entries, look_up

    known = entries()
    found = look_up(wanted, known) if wanted else [*known]
    if not found:
        walk.screen.say(words.NO_WORD.format(word=wanted))
    elif len(found) > FEW:
        walk.screen.say(words.WORDS_ARE)
        walk.screen.say(", ".join(found))
    for each in found if len(found) <= FEW else ():
        walk.screen.say(each, "title")
        walk.screen.markdown(known[each])


def finale(walk: Walk, _: str) -> None:
    show_finale(walk.screen, walk.sitting)


def show_help(walk: Walk, _: str) -> None:
    for command, what in words.HELP:
        walk.screen.pair(command, what)
    walk.say_where()


def quit_walk(walk: Walk, _: str) -> None:
    walk.save()
    walk.quitting = True


def restarted(learner: Learner, lesson: Lesson) -> str:
    """Begin a lesson anew, and say so."""
    kept = learner.restart(lesson)
    learner.progress.save()
    return (words.RESTARTED if kept else words.RESTARTED_EMPTY).format(number=lesson.number, kept=kept)


COMMANDS: dict[str, Callable[[Walk, str], None]] = {
    **dict.fromkeys(("n", "next"), go_to_next),
    **dict.fromkeys(("h", "hint"), hint),
    **dict.fromkeys(("l", "list"), list_all),
    **dict.fromkeys(("g", "go"), go),
    **dict.fromkeys(("c", "check"), lambda walk, _: walk.check()),
    **dict.fromkeys(("t", "text"), text),
    **dict.fromkeys(("s", "solution"), solution),
    **dict.fromkeys(("r", "reset"), reset),
    "restart": restart,
    **dict.fromkeys(("v", "view"), player),
    **dict.fromkeys(("k", "keep"), keep),
    **dict.fromkeys(("w", "word"), word),
    **dict.fromkeys(("d", "drawing"), lambda walk, _: show_diagram(walk.screen, walk.sitting)),
    **dict.fromkeys(("p", "predict"), question),
    **dict.fromkeys(("f", "finale"), finale),
    **dict.fromkeys(("o", "open"), editor),
    **dict.fromkeys(("q", "quit", "exit"), quit_walk),
    **dict.fromkeys(("?", "help"), show_help),
}
