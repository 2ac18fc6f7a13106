"""The walk: shows a lesson, watches the learner's file, says what it finds, listens for commands."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Callable
from typing import Any

from config import environment_of
from lessons import words
from lessons.checker import Verdict, run_check, tell_about_the_walls, warm_up
from lessons.course import CourseError, Lesson, find
from lessons.learner import Learner
from lessons.progress import reason_of
from lessons.screen import Screen
from lessons.verdicts import show_picture, show_verdict
from lessons.watching import TICK, Lines, Watcher

SAVES_BEFORE_THE_OFFER = 3


class Walk:
    """One sitting. Every screen says where you are, which file, and what now."""

    def __init__(self, learner: Learner, screen: Screen) -> None:
        self.learner, self.screen, self.lines = learner, screen, Lines()
        self.lessons, self.progress = learner.lessons, learner.progress
        self.lesson = self.lessons[0]
        self.frames: list[str] = []  # what is still to see after a pass
        self.shown = 0
        self.recording: dict[str, Any] | None = None
        self.asked_for_solution = False
        self.told_about_the_walls = False
        self.quitting = False

    def run(self) -> int:
        """Walk until the learner quits or the input ends. Returns the exit code."""
        self.greet()
        while not self.quitting:
            line = self.lines.next(TICK)
            if line is None and self.lines.ended:
                break
            try:
                if line is not None:
                    self.command(line)
                self.look()
            except CourseError as problem:
                self.screen.say(str(problem), "failed")
        self.screen.say(words.FAREWELL.format(number=self.lesson.number))
        return 0

    def greet(self) -> None:
        count, done = len(self.lessons), sum(map(self.progress.passed, self.lessons))
        if self.learner.notice:
            self.screen.say(self.learner.notice, "failed")
            done = self.rebuild()
        if self.progress.current or done:
            self.screen.say(words.WELCOME_BACK.format(passed=done, count=count))
        else:
            self.screen.say(words.WELCOME.format(count=count))
        wanted = [lesson for lesson in self.lessons if lesson.key == self.progress.current]
        unfinished = [lesson for lesson in self.lessons if not self.progress.passed(lesson)]
        self.open((wanted or unfinished or self.lessons)[0])

    def rebuild(self) -> int:
        """After a damaged progress file: check what the learner has. Returns how many lessons are done."""
        for lesson in self.lessons:
            if self.learner.file(lesson).exists() and not self.learner.untouched(lesson):
                try:
                    if run_check(lesson, self.learner.file(lesson), self.learner.parts()).passed:
                        self.progress.mark_passed(lesson)
                except CourseError as problem:
                    self.screen.say(str(problem), "failed")
        done = [str(lesson.number) for lesson in self.lessons if self.progress.passed(lesson)]
        self.screen.say(words.REBUILT.format(numbers=", ".join(done)) if done else words.REBUILT_NONE)
        return len(done)

    def open(self, lesson: Lesson) -> None:
        """Show a lesson and watch its file."""
        self.lesson, self.frames, self.recording, self.asked_for_solution = lesson, [], None, False
        self.progress.current = lesson.key
        self.watcher = Watcher(self.learner.file(lesson))
        self.text()
        try:
            self.learner.begin(lesson)
            self.watcher = Watcher(self.learner.file(lesson))
        except CourseError as problem:
            self.screen.say(str(problem), "failed")
        self.save()
        self.screen.say(words.OPEN_NOW.format(path=self.learner.file(lesson)))
        self.screen.say(words.COMMANDS_SHORT, "quiet")
        warm_up(lesson)

    def text(self) -> None:
        where = {"number": self.lesson.number, "count": len(self.lessons), "title": self.lesson.title}
        self.screen.title(words.WHERE.format(**where))
        self.screen.markdown(self.lesson.readme.partition("\n")[2])

    def save(self) -> None:
        try:
            self.progress.save()
        except CourseError as problem:
            self.screen.say(str(problem), "failed")

    def look(self) -> None:
        happened = self.watcher.look()
        if happened == "saved":
            self.check()
        elif happened == "gone":
            self.screen.say(words.GONE.format(file=self.lesson.file), "failed")
        elif happened == "back":
            self.screen.say(words.BACK.format(file=self.lesson.file))
            self.check()

    def check(self) -> None:
        """Check the file and say what came of it."""
        path = self.learner.file(self.lesson)
        if not path.exists():
            self.screen.say(words.GONE.format(file=self.lesson.file), "failed")
            return
        before = self.progress.passed(self.lesson)
        if not self.told_about_the_walls:
            tell_about_the_walls(self.screen)
            self.told_about_the_walls = True
        verdict = run_check(self.lesson, path, self.learner.parts())
        if verdict.passed:
            self.progress.mark_passed(self.lesson)
        else:
            self.progress.of(self.lesson)["failed_saves"] += 1
        self.save()
        self.screen.line()
        show_verdict(self.screen, self.lesson, len(self.lessons), verdict, before)
        if verdict.passed:
            self.after_a_pass(verdict)
        else:
            self.after_a_failure()

    def after_a_pass(self, verdict: Verdict) -> None:
        self.frames, self.shown, self.recording = list(verdict.picture), 0, verdict.recording
        self.step()
        if self.recording:
            self.screen.say(words.SEE_PLAYER)
        following = self.following()
        if following:
            self.screen.say(words.NEXT.format(number=following.number, title=following.title))
        else:
            self.screen.say(words.FINISHED)

    def after_a_failure(self) -> None:
        record = self.progress.of(self.lesson)
        self.screen.say(words.EDIT.format(file=self.lesson.file))
        if record["hints"] >= len(self.lesson.hints):
            self.screen.say(words.NO_MORE_HINTS)
        elif record["failed_saves"] >= SAVES_BEFORE_THE_OFFER:
            self.screen.say(words.OFFER_THIRD_HINT.format(saves=record["failed_saves"]))
        else:
            self.screen.say(words.OFFER_FIRST_HINT)

    def step(self) -> None:
        """Show the next frame of what there is to see."""
        if self.shown < len(self.frames):
            show_picture(self.screen, self.frames[self.shown])
            self.shown += 1
            if self.shown < len(self.frames):
                self.screen.say(words.MORE_TO_SEE.format(shown=self.shown, frames=len(self.frames)))

    def following(self) -> Lesson | None:
        index = self.lessons.index(self.lesson) + 1
        return self.lessons[index] if index < len(self.lessons) else None

    def command(self, line: str) -> None:
        """Obey one typed line."""
        if not line:
            self.step()
            return
        word, _, rest = line.partition(" ")
        if word.isdigit():
            word, rest = "g", word
        action = self.commands.get(word.lower())
        if action is None:
            self.screen.say(words.UNKNOWN.format(line=line))
            return
        if word.lower() not in ("s", "solution"):
            self.asked_for_solution = False
        action(self, rest.strip())

    def next(self, _: str) -> None:
        following = self.following()
        if following is None:
            self.screen.say(words.LAST)
            return
        if not self.progress.passed(self.lesson):
            self.screen.say(words.NOT_DONE_YET.format(number=self.lesson.number))
        self.open(following)

    def go(self, where: str) -> None:
        if not where:
            self.screen.say(words.GO_WHERE)
            return
        self.open(find(self.lessons, where))

    def list(self, _: str) -> None:
        show_list(self.screen, self.learner, self.lesson)
        self.screen.say(words.EDIT.format(file=self.lesson.file))

    def hint(self, _: str) -> None:
        record, hints = self.progress.of(self.lesson), self.lesson.hints
        number = min(record["hints"] + 1, len(hints))
        self.screen.title(words.HINT.format(number=number, hints=len(hints)))
        self.screen.markdown(hints[number - 1])
        if record["hints"] >= len(hints):
            self.screen.say(words.NO_MORE_HINTS)
        record["hints"] = number
        self.screen.say(words.EDIT.format(file=self.lesson.file))
        self.save()

    def solution(self, _: str) -> None:
        passed = self.progress.passed(self.lesson)
        if not passed and not self.asked_for_solution:
            self.asked_for_solution = True
            self.screen.say(words.SOLUTION_EARLY.format(number=self.lesson.number))
            return
        self.screen.title(words.SOLUTION.format(number=self.lesson.number))
        self.screen.code(self.lesson.text("solution.py").rstrip())
        self.screen.line()
        self.screen.say(words.EDIT.format(file=self.lesson.file))
        if not passed:
            self.progress.of(self.lesson)["solution_seen"] = True
            self.save()

    def reset(self, _: str) -> None:
        kept = self.learner.reset(self.lesson)
        self.watcher = Watcher(self.learner.file(self.lesson))
        said = words.RESET_DONE if kept else words.RESET_NOTHING
        self.screen.say(said.format(file=self.lesson.file, kept=kept))
        self.screen.say(words.EDIT.format(file=self.lesson.file))

    def editor(self, _: str) -> None:
        path, wanted = self.learner.file(self.lesson), environment_of(("VISUAL", "EDITOR"))
        editor = wanted.get("VISUAL") or wanted.get("EDITOR", "")
        if not editor.strip():
            self.screen.say(words.EDITOR_UNSET.format(path=path))
            return
        try:
            subprocess.run([*shlex.split(editor), str(path)], check=False)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            self.screen.say(words.EDITOR_FAILED.format(editor=editor, reason=reason, path=path))

    def player(self, _: str) -> None:
        """Write the last run as a page, and open it where there is a desktop."""
        if self.recording is None:
            self.screen.say(words.NO_PLAYER)
            return
        from cli.commands import has_desktop
        from lessons.player import write_player

        try:
            page = write_player(self.learner.folder / "runs" / self.lesson.part, self.recording)
        except OSError as error:
            raise CourseError(words.NO_PAGE.format(reason=reason_of(error))) from None
        self.screen.say(words.PLAYER.format(path=page))
        if has_desktop():
            import webbrowser

            webbrowser.open(page.as_uri())

    def help(self, _: str) -> None:
        for command, what in words.HELP:
            self.screen.pair(command, what)
        self.screen.say(words.EDIT.format(file=self.lesson.file))

    def quit(self, _: str) -> None:
        self.save()
        self.quitting = True

    commands: dict[str, Callable[[Walk, str], None]] = {
        **dict.fromkeys(("n", "next"), next),
        **dict.fromkeys(("h", "hint"), hint),
        **dict.fromkeys(("l", "list"), list),
        **dict.fromkeys(("g", "go"), go),
        **dict.fromkeys(("c", "check"), lambda walk, _: walk.check()),
        **dict.fromkeys(("t", "text"), lambda walk, _: walk.text()),
        **dict.fromkeys(("s", "solution"), solution),
        **dict.fromkeys(("r", "reset"), reset),
        **dict.fromkeys(("v", "view"), player),
        **dict.fromkeys(("o", "open"), editor),
        **dict.fromkeys(("q", "quit", "exit"), quit),
        **dict.fromkeys(("?", "help"), help),
    }


def show_list(screen: Screen, learner: Learner, here: Lesson | None) -> None:
    for lesson in learner.lessons:
        done = learner.progress.passed(lesson)
        mark = words.LIST_DONE if done else words.LIST_HERE if lesson == here else words.LIST_OPEN
        screen.say(words.LIST_ROW.format(number=lesson.number, mark=mark, title=lesson.title), "ok" if done else "")
