"""The walk: shows a lesson, watches the learner's file, says what it finds, listens for commands."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable

from lessons import words
from lessons.checker import tell_about_the_walls, warm_up
from lessons.commands import COMMANDS
from lessons.course import CourseError, Lesson
from lessons.keys import typed
from lessons.learner import Learner
from lessons.predictions import LETTERS
from lessons.screen import Screen
from lessons.showing import show_finale, show_lesson, show_prediction, show_question
from lessons.sitting import Outcome, Sitting
from lessons.verdicts import show_parts, show_picture, show_verdict
from lessons.watching import TICK, Watcher

SAVES_BEFORE_THE_OFFER = 3


class Walk:
    """One sitting in a terminal. Every screen says where you are, which file, and what now."""

    def __init__(self, learner: Learner, screen: Screen) -> None:
        self.sitting, self.learner, self.screen = Sitting(learner), learner, screen
        self.lessons, self.progress = learner.lessons, learner.progress
        self.lines = typed(screen.one_key)
        self.frames: list[Callable[[], None]] = []  # what is still to see after a pass
        self.shown = 0
        self.asked: str = ""  # what was asked and not yet answered: "question", "solution"
        self.told_about_the_walls = self.quitting = False

    @property
    def lesson(self) -> Lesson:
        return self.sitting.lesson

    def run(self) -> int:
        """Walk until the learner quits or the input ends. Returns the exit code."""
        with self.lines:
            self.careful(self.greet)
            while not self.quitting:
                line = self.lines.next(TICK)
                if line is None and self.lines.ended:
                    break
                if line is not None:
                    self.careful(lambda line=line: self.command(line))
                self.careful(self.look)
        self.careful(self.go_on_behind_what_is_done)
        self.screen.page()
        self.screen.say(words.FAREWELL.format(number=self.lesson.number))
        return 0

    def go_on_behind_what_is_done(self) -> None:
        """The next sitting begins with what is still to do, where this one ended with a lesson done."""
        following = self.sitting.following
        if following and self.progress.passed(self.lesson) and not self.progress.passed(following):
            self.sitting.lesson, self.progress.current = following, following.key
            self.progress.save()

    def careful(self, action: Callable[[], None]) -> None:
        """Do it; say what could not be done; and say where there is more than fits the screen."""
        try:
            action()
        except CourseError as problem:
            self.screen.say(str(problem), "failed")
        self.screen.ask_for_more()

    def greet(self) -> None:
        self.screen.page()
        if self.learner.notice:
            self.screen.say(self.learner.notice, "failed")
            self.screen.say(self.sitting.rebuild())
        count, done = len(self.lessons), len(self.sitting.done)
        if self.progress.current or done:
            self.screen.say(words.WELCOME_BACK.format(passed=done, count=count))
        else:
            self.screen.say(words.WELCOME.format(count=count))
        self.enter(self.lesson)

    def open(self, lesson: Lesson) -> None:
        self.screen.page()
        self.enter(lesson)

    def enter(self, lesson: Lesson) -> None:
        """Show a lesson, or first the question before it, and watch its file."""
        self.frames, self.asked = [], ""
        try:
            if kept := self.sitting.open(lesson):
                self.screen.say(kept)
        except CourseError as problem:
            self.screen.say(str(problem), "failed")
        self.watcher = Watcher(self.learner.file(lesson))
        question = None
        with contextlib.suppress(CourseError):  # a question that cannot be read keeps nobody from the lesson
            question = self.sitting.unanswered()
        if question:
            self.asked = "question"
            show_question(self.screen, self.sitting, question)
        else:
            show_lesson(self.screen, self.sitting)
        self.where_to_go_on()
        warm_up(lesson)
        if self.sitting.unchecked():  # saved while another lesson was open
            self.watcher = Watcher(self.learner.file(lesson))
            self.check()

    def where_to_go_on(self) -> None:
        self.screen.say(words.OPEN_NOW.format(path=self.learner.file(self.lesson)))
        how = words.ONE_KEY if self.lines.one_key else words.WITH_ENTER
        self.screen.say(how, "quiet")
        self.screen.say(words.COMMANDS_SHORT, "quiet")

    def say_where(self) -> None:
        self.screen.say(words.EDIT.format(file=self.lesson.file))

    def save(self) -> None:
        try:
            self.progress.save()
        except CourseError as problem:
            self.screen.say(str(problem), "failed")

    def look(self) -> None:
        happened = self.watcher.look()
        if not happened:
            return
        unread = bool(self.screen.held)
        self.screen.page()
        if happened == "gone":
            self.screen.say(words.GONE.format(file=self.lesson.file), "failed")
            return
        if happened == "back":
            self.screen.say(words.BACK.format(file=self.lesson.file))
        self.check()
        if unread:
            self.screen.say(words.REST_OF_THE_TEXT)

    def check(self) -> None:
        """Check the file and say what came of it."""
        if not self.learner.file(self.lesson).exists():
            self.screen.say(words.GONE.format(file=self.lesson.file), "failed")
            return
        if not self.told_about_the_walls:
            tell_about_the_walls(self.screen)
            self.told_about_the_walls = True
        self.screen.line()
        self.screen.at_once(words.CHECKING.format(file=self.lesson.file), "quiet")
        outcome = self.sitting.check()
        self.save()
        show_verdict(self.screen, self.lesson, len(self.lessons), outcome.verdict, outcome.again)
        show_parts(self.screen, outcome.verdict, outcome.parts.broken)
        if outcome.verdict.passed:
            self.after_a_pass(outcome)
        else:
            self.after_a_failure()

    def after_a_pass(self, outcome: Outcome) -> None:
        self.frames = [lambda frame=frame: show_picture(self.screen, frame) for frame in outcome.verdict.picture]
        if self.sitting.is_the_agent:
            self.frames.append(lambda: show_finale(self.screen, self.sitting))
        self.shown, self.asked = 0, ""
        self.step()
        if self.sitting.recording:
            self.screen.say(words.SEE_PLAYER)
        if self.sitting.is_the_agent:
            self.screen.say(words.KEEP)
            self.screen.say(words.BUILT)
        following = self.sitting.following
        if following:
            self.screen.say(words.NEXT.format(number=following.number, title=following.title))
        else:
            self.screen.say(words.FINISHED)

    def after_a_failure(self) -> None:
        record = self.progress.of(self.lesson)
        self.say_where()
        if record["hints"] >= len(self.lesson.hints):
            self.screen.say(words.NO_MORE_HINTS)
        elif record["failed_saves"] >= SAVES_BEFORE_THE_OFFER:
            self.screen.say(words.OFFER_THIRD_HINT.format(saves=record["failed_saves"]))
        else:
            self.screen.say(words.OFFER_FIRST_HINT)

    def step(self) -> None:
        """Show the next frame of what there is to see."""
        if self.shown < len(self.frames):
            self.frames[self.shown]()
            self.shown += 1
            if self.shown < len(self.frames):
                self.screen.say(words.MORE_TO_SEE.format(shown=self.shown, frames=len(self.frames)))

    def command(self, line: str) -> None:
        """Obey one typed line."""
        if not line and self.screen.held:
            self.screen.more()
            return
        self.screen.page()
        asked, self.asked = self.asked, ""
        if not line or (asked == "question" and line.lower() in LETTERS):
            self.go_on(asked, line.lower())
            return
        word, _, rest = line.partition(" ")
        if word.isdigit():
            word, rest = "g", word
        elif both := re.fullmatch(r"([A-Za-z]+)(\d+)", word):  # g24
            word, rest = both.groups()
        action = COMMANDS.get(word.lower())
        if action is None:
            self.asked = asked
            self.screen.say(words.UNKNOWN.format(line=line))
            return
        self.asked = asked if asked == "question" or word.lower() in ("s", "solution") else ""
        action(self, rest.strip())

    def go_on(self, asked: str, letter: str) -> None:
        """Enter, or the answer to the question before a lesson."""
        if asked != "question":
            self.step()
            return
        if letter:
            show_prediction(self.screen, self.sitting.predict(letter))
        show_lesson(self.screen, self.sitting)
        self.where_to_go_on()
