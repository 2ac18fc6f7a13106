"""What a sitting holds, as the data of the page: the walk draws the same in a terminal (lessons/showing.py)."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from lessons import words
from lessons.course import CourseError, Lesson
from lessons.diagram import boxes
from lessons.predictions import LETTERS, Question
from lessons.real import LOOP, by_part
from lessons.sitting import Outcome, Prediction, Sitting
from lessons.web.pages import rendered
from lessons.web.place import name_of

Data = dict[str, Any]
WAITING = "not written yet: "


def course_data(sitting: Sitting) -> Data:
    """The list of lessons, which is open, and the drawing of what is built."""
    rows = [
        {"number": each.number, "title": each.title, "done": sitting.progress.passed(each)} for each in sitting.lessons
    ]
    drawing = boxes(sitting.lessons, sitting.lesson, {each.part for each in sitting.done})
    loop = by_part(sitting.learner, LOOP)  # from which on the learner's agent can really run
    return {
        "lessons": rows,
        "here": sitting.lesson.number,
        "notice": sitting.learner.notice,
        "diagram": drawing,
        "real": sitting.progress.passed(loop) and sitting.lesson.number >= loop.number,
    }


def lesson_data(sitting: Sitting, text: Data, player: bool) -> Data:
    """One lesson. `text`: the learner's file, or why it cannot be shown; `player`: whether a run can be seen."""
    lesson, record = sitting.lesson, sitting.progress.of(sitting.lesson)
    question = None
    try:
        question = sitting.question()
    except CourseError as problem:  # a question that cannot be read keeps nobody from the lesson
        text = {"problem": str(problem), **text}
    return {
        **course_data(sitting),
        **text,
        "learner": name_of(sitting.learner.folder),
        "number": lesson.number,
        "title": lesson.title,
        "file": lesson.file,
        "path": str(sitting.learner.file(lesson)),
        "page": rendered(lesson.readme.partition("\n")[2]),
        "question": question_data(question) if question else None,
        "ask": bool(question and sitting.unanswered()),
        "hints": [rendered(hint) for hint in lesson.hints[: record["hints"]]],
        "hints_left": len(lesson.hints) - record["hints"],
        "passed": sitting.progress.passed(lesson),
        "unchecked": sitting.unchecked(),
        "player": player,
        "finale": sitting.is_the_agent and sitting.progress.passed(lesson),
        "next": sitting.following.number if sitting.following else None,
    }


def question_data(question: Question) -> Data:
    choices = [[letter, rendered(choice)] for letter, choice in zip(LETTERS, question.choices, strict=True)]
    return {"text": rendered(question.text), "choices": choices}


def prediction_data(prediction: Prediction) -> Data:
    said = words.PREDICTED_RIGHT if prediction.right else words.PREDICTED_WRONG
    return {
        "right": prediction.right,
        "letter": prediction.question.letter,
        "said": said.format(said=prediction.said, letter=prediction.question.letter),
        "really": words.REALLY,
        "output": prediction.output,
        "because": rendered(prediction.question.because),
    }


def verdict_data(sitting: Sitting, outcome: Outcome) -> Data:
    """A verdict: `state` is "passed", "failed", "waiting" (nothing written yet) or "problem"; `sentence` says it."""
    verdict, lesson = outcome.verdict, sitting.lesson
    state, sentence = told(lesson, len(sitting.lessons), outcome)
    return {
        "state": state,
        "sentence": sentence,
        "cases": [asdict(case) for case in verdict.cases] if state in ("passed", "failed") else [],
        "printed": verdict.printed,
        "picture": [frame.partition("\n")[::2] for frame in verdict.picture] if verdict.passed else [],
        "yours": words.YOURS.format(names=", ".join(verdict.yours)) if verdict.yours else "",
        "lent": words.LENT.format(names=", ".join(verdict.lent)) if verdict.lent else "",
        "broken": outcome.parts.broken,
        "passed": verdict.passed,
        "player": verdict.passed and sitting.recording is not None,
        "finale": verdict.passed and sitting.is_the_agent,
        "trail": list(verdict.trail),
        "checked": sitting.progress.of(lesson)["checked"],
        "seconds": round(verdict.seconds, 2),
        **course_data(sitting),
    }


def told(lesson: Lesson, count: int, outcome: Outcome) -> tuple[str, str]:
    verdict, cases = outcome.verdict, len(outcome.verdict.cases)
    if verdict.problem:
        return "problem", verdict.problem
    if not verdict.failed:
        sentence = words.AGAIN if outcome.again else words.PASSED
        return "passed", sentence.format(number=lesson.number, cases=cases)
    first = verdict.failed[0]
    if not first.called and first.got.startswith(WAITING):
        return "waiting", words.NOT_WRITTEN.format(file=lesson.file, what=first.got.removeprefix(WAITING))
    held = {"held": cases - len(verdict.failed), "cases": cases}
    return "failed", words.SUMMARY.format(number=lesson.number, count=count, **held)
