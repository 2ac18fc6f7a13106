"""What a sitting holds, as it is drawn in a terminal: the lesson, its question, the drawing, the list, the finale."""

from __future__ import annotations

from lessons import words
from lessons.course import CourseError, Lesson
from lessons.diagram import bar, draw
from lessons.learner import Learner
from lessons.predictions import LETTERS, Question
from lessons.screen import Screen
from lessons.sitting import LAST_OF_THE_AGENT, Prediction, Sitting


def show_lesson(screen: Screen, sitting: Sitting) -> None:
    """Where you are, what is built so far, and the page."""
    show_where(screen, sitting)
    show_diagram(screen, sitting)
    screen.line()
    screen.markdown(sitting.lesson.readme.partition("\n")[2])


def show_where(screen: Screen, sitting: Sitting) -> None:
    lesson, done, count = sitting.lesson, len(sitting.done), len(sitting.lessons)
    screen.title(words.WHERE.format(number=lesson.number, count=count, title=lesson.title))
    marks = bar(done, count, (words.BAR_DONE, words.BAR_OPEN))
    screen.say(words.BAR.format(bar=marks, done=done, count=count), "quiet")


def show_diagram(screen: Screen, sitting: Sitting) -> None:
    screen.say(words.DIAGRAM)
    screen.line()
    for line in draw(sitting.lessons, sitting.lesson, {lesson.part for lesson in sitting.done}):
        screen.spans(line)


def show_question(screen: Screen, sitting: Sitting, question: Question) -> None:
    show_where(screen, sitting)
    screen.line()
    screen.say(words.PREDICT, "title")
    screen.line()
    screen.markdown(question.text)
    for letter, choice in zip(LETTERS, question.choices, strict=True):
        screen.markdown_row(f"{letter}  ", choice)
    screen.line()
    screen.say(words.PREDICT_HOW)
    screen.line()


def show_prediction(screen: Screen, prediction: Prediction) -> None:
    said = words.PREDICTED_RIGHT if prediction.right else words.PREDICTED_WRONG
    screen.say(
        said.format(said=prediction.said, letter=prediction.question.letter), "ok" if prediction.right else "failed"
    )
    screen.say(words.REALLY)
    screen.code(prediction.output, "")
    screen.line()
    screen.markdown(prediction.question.because)


def show_list(screen: Screen, learner: Learner, here: Lesson | None) -> None:
    for lesson in learner.lessons:
        done = learner.progress.passed(lesson)
        mark = words.LIST_DONE if done else words.LIST_HERE if lesson == here else words.LIST_OPEN
        screen.row(words.LIST_ROW.format(number=lesson.number, mark=mark), lesson.title, "ok" if done else "")


def show_finale(screen: Screen, sitting: Sitting) -> None:
    """The parts, their lines beside the shipped ones, a page to keep, three next steps."""
    from lessons.finale import rows_of, write_page

    last = next((lesson for lesson in sitting.lessons if lesson.part == LAST_OF_THE_AGENT), sitting.lessons[-1])
    if not sitting.progress.passed(last):
        raise CourseError(words.NO_FINALE.format(number=last.number))
    rows = rows_of(sitting.learner, last)
    screen.title(words.FINALE)
    for row in rows:
        mine = f"{row.lesson.number:>2}  {row.lesson.part:<10} {row.mine:>4}"
        screen.code(f"{mine}  {row.shipped} {row.theirs}" if row.shipped else mine, "")
    screen.line()
    screen.say(words.FINALE_SUM.format(mine=sum(row.mine for row in rows)))
    screen.line()
    screen.say(words.FINALE_STEPS, "title")
    screen.markdown("\n".join(f"{number}. {step}" for number, step in enumerate(words.FINALE_NEXT, 1)))
    screen.say(words.FINALE_PAGE.format(path=write_page(sitting.learner, rows)))
