"""python -m lessons: the walk, and a few commands for scripts and teachers."""

from __future__ import annotations

import argparse
import contextlib
import sys
from pathlib import Path
from typing import Any

if not __package__:  # started as a folder, from anywhere: python path/to/lessons
    sys.path[0] = str(Path(__file__).resolve().parents[1])

from cli.start import NO_ROOM, closed_before, leave
from lessons import words
from lessons.course import LESSONS, MY_AGENT, CourseError, Lesson, all_lessons, find
from lessons.screen import Screen
from lessons.varied import name_for

EXIT_PASSED, EXIT_FAILED, EXIT_INTERRUPTED = 0, 1, 130
ABOUT_OTHERS = ("report", "pages", "mutants")  # commands of teachers and authors

EPILOG = """\
without a command: the walk, which shows a lesson, watches your file and tells you what it finds.

examples:
  python -m lessons
  python -m lessons --web
  python -m lessons check 3
  python -m lessons report class/*/my_agent --csv class.csv
  python -m lessons agent "fix the bug" --provider lmstudio
  python -m lessons ask path/to/your/docs "How do I undo a commit?"

exit codes: 0 passed or done, 1 not yet or not possible, 130 interrupted.
"""


class Parser(argparse.ArgumentParser):
    """argparse with exit code 1 for a wrong command line."""

    def error(self, message: str) -> Any:
        self.exit(EXIT_FAILED, words.USAGE.format(message=message) + "\n")


def parser() -> Parser:
    formatter = argparse.RawDescriptionHelpFormatter
    build = Parser(prog="python -m lessons", description=__doc__, epilog=EPILOG, formatter_class=formatter)
    common = argparse.ArgumentParser(add_help=False)
    for each in (build, common):
        unset = {} if each is build else {"default": argparse.SUPPRESS}
        each.add_argument("--plain", action="store_true", help="plain text, for screen readers and logs", **unset)
        each.add_argument("--my-agent", metavar="DIR", help="the learner's folder (default: my_agent)", **unset)
    build.add_argument("--web", action="store_true", help="the same course as a page in your browser")
    commands = build.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)

    def command(name: str, what: str) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=what, description=what, parents=[common])

    command("list", "list the lessons and what is done")
    command("check", "check one lesson, or all that have been started").add_argument("lesson", nargs="?")
    command("reset", "put a lesson's file back as it was at the start").add_argument("lesson")
    command("restart", "begin a lesson anew: its file, its hints and its saves").add_argument("lesson")
    command("solution", "print a lesson's solution").add_argument("lesson")
    report = command("report", "the progress of a class: a table, and where the class is stuck")
    report.add_argument(
        "folders", nargs="+", metavar="DIR", help="a learner's my_agent folder, what holds it, or a class of them"
    )
    report.add_argument("--verify", action="store_true", help="run everybody's files again, and say what holds")
    report.add_argument("--csv", default="", metavar="FILE", help="write the table there, too")
    report.add_argument("--page", default="", metavar="FILE", help="write it as a page, too")
    command("pages", "for whoever writes lessons: pull the real agent's code into each README")
    shares = command("mutants", "for whoever writes lessons: how much of what is wrong each check refuses")
    shares.add_argument("lesson", nargs="*")
    agent = command("agent", "run your own agent, from lesson 6 on, on a copy of the calculator")
    agent.add_argument("prompt", nargs="+")
    agent.add_argument("--provider", default="offline", choices=("offline", "lmstudio", "gemini"))
    unconfined = "let a real model's code run where this system has no wall for it"
    agent.add_argument("--allow-unconfined", action="store_true", help=unconfined)
    ask = command("ask", "ask your own librarian, from lesson 20, about a folder of documents")
    ask.add_argument("folder", metavar="DIR", help="your documents: .md, .rst, .txt")
    ask.add_argument("question", nargs="+")
    ask.add_argument("--api", default="", metavar="ADDRESS", help="an API that it may ask, too; the key is LMS_API_KEY")
    ask.add_argument("--provider", default="offline", choices=("offline", "lmstudio", "gemini"))
    ask.add_argument("--allow-unconfined", action="store_true", help=unconfined)
    return build


def main(arguments: list[str], folder: Path = LESSONS) -> int:
    """Run one command line and return the exit code. `folder` holds the lessons."""
    sys.stdout = sys.stdout or closed_before(1)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    options = parser().parse_args(arguments)
    screen = Screen(plain=options.plain)
    try:
        home = Path(options.my_agent or MY_AGENT).absolute()
        learner = "" if options.command in ABOUT_OTHERS else who_learns(home)
        return run(options, all_lessons(folder, home.name, learner), home, screen)
    except CourseError as problem:
        screen.say(str(problem), "failed")
        return EXIT_FAILED
    except KeyboardInterrupt:
        screen.line()
        return EXIT_INTERRUPTED
    except BrokenPipeError:  # the reader of our output has left
        sys.stderr.close()
        return EXIT_FAILED
    except OSError as error:
        if error.errno not in NO_ROOM:
            raise
        leave(sys.stdout)
        print(f"This cannot be written ({error.strerror}): {error.filename or 'what is printed'}.", file=sys.stderr)
        return EXIT_FAILED


def who_learns(home: Path) -> str:
    """The name by which the learner's numbers are drawn, or "". Raises CourseError where the folder is another's."""
    try:
        return name_for(home)
    except ValueError as error:
        known, given = error.args
        begun = words.BEGUN_AS.format(known=known) if known else words.BEGUN_WITHOUT
        raise CourseError(words.OTHER_LEARNER.format(folder=home.name, known=begun, given=given)) from None


def run(options: argparse.Namespace, lessons: list[Lesson], home: Path, screen: Screen) -> int:
    if options.command == "report":
        from lessons.report import report

        return report(options.folders, lessons, screen, verify=options.verify, table=options.csv, page=options.page)
    if options.command == "solution" and not home.exists():
        screen.line(find(lessons, options.lesson).text("solution.py").rstrip())
        return EXIT_PASSED
    if options.command == "pages":
        from lessons.excerpts import write_pages

        write_pages(lessons)
        return EXIT_PASSED
    if options.command == "mutants":
        return mutants([find(lessons, each) for each in options.lesson] or lessons, screen)
    from lessons.learner import Learner

    learner = Learner(home, lessons)
    if options.command is None and options.web:
        from lessons.web.serve import serve

        return serve(learner, screen)
    if options.command is None:
        from lessons.walk import Walk

        return Walk(learner, screen).run()
    if learner.notice:
        from lessons.sitting import Sitting

        screen.say(learner.notice, "failed")
        screen.say(Sitting(learner).rebuild())
    if options.command == "list":
        from lessons.showing import show_list

        show_list(screen, learner, None)
        return EXIT_PASSED
    if options.command == "solution":
        screen.line(learner.solution(find(lessons, options.lesson)))
        return EXIT_PASSED
    if options.command == "reset":
        lesson = find(lessons, options.lesson)
        kept = learner.reset(lesson)
        learner.progress.save()
        screen.say((words.RESET_DONE if kept else words.RESET_NOTHING).format(file=lesson.file, kept=kept))
        return EXIT_PASSED
    if options.command == "restart":
        from lessons.commands import restarted

        screen.say(restarted(learner, find(lessons, options.lesson)))
        return EXIT_PASSED
    if options.command == "agent":
        from lessons.real import run_agent

        return run_agent(
            " ".join(options.prompt), options.provider, learner, screen, unconfined=options.allow_unconfined
        )
    if options.command == "ask":
        from lessons.own_docs import ask_docs

        more = {"api": options.api, "unconfined": options.allow_unconfined}
        return ask_docs(" ".join(options.question), Path(options.folder), options.provider, learner, screen, **more)
    return check(learner, find(lessons, options.lesson) if options.lesson else None, screen)


def mutants(lessons: list[Lesson], screen: Screen) -> int:
    """A line for each lesson, and each change of its solution that its check takes for right."""
    from lessons.mutants import WANTED, measure

    low = 0
    for lesson in lessons:
        share = measure(lesson)
        low += share.part < WANTED
        numbers = {"part": share.part, "refused": share.refused, "all": share.refused + len(share.accepted)}
        screen.line(words.MUTANTS.format(lesson=lesson.key, alike=len(share.alike), **numbers))
        for what in share.accepted:
            screen.line(words.MUTANT_ACCEPTED.format(what=what))
    return EXIT_FAILED if low else EXIT_PASSED


def check(learner: Any, lesson: Lesson | None, screen: Screen) -> int:
    """Check one lesson in full, or one line for each that has been started."""
    from lessons.checker import run_check, tell_about_the_walls
    from lessons.parts import culprit, parts_for
    from lessons.verdicts import show_parts, show_picture, show_verdict

    tell_about_the_walls(screen)
    if lesson:
        if not learner.file(lesson).exists():
            raise CourseError(words.NOT_STARTED.format(file=lesson.file, number=lesson.number))
        parts = parts_for(learner, lesson)
        verdict = run_check(lesson, learner.file(lesson), parts.files)
        show_verdict(screen, lesson, len(learner.lessons), verdict)
        blamed = culprit(lesson, learner.file(lesson), parts.files, verdict, learner.lessons)
        show_parts(screen, verdict, [*parts.broken, *filter(None, [blamed])])
        for frame in verdict.picture if verdict.passed else ():
            show_picture(screen, frame)
        learner.progress.checked(lesson, verdict.found, learner.fingerprint(lesson))
        learner.progress.save()
        return EXIT_PASSED if verdict.passed else EXIT_FAILED
    started = [each for each in learner.lessons if learner.file(each).exists()]
    if not started:
        raise CourseError(words.NOTHING_STARTED)
    failed = 0
    for each in started:
        try:
            found = run_check(each, learner.file(each), parts_for(learner, each).files).found
            learner.progress.checked(each, found, learner.fingerprint(each))
        except CourseError as problem:  # the lesson cannot be checked; the others can
            found = str(problem)
        row = words.CHECK_ROW_FAILED if found else words.CHECK_ROW_PASSED
        said = f"{each.title}: {found}" if found else each.title
        screen.row(row.format(number=each.number), said, "failed" if found else "ok")
        failed += bool(found)
    learner.progress.save()
    return EXIT_FAILED if failed else EXIT_PASSED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
