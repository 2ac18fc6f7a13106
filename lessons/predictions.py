"""The question before a lesson: what does this program do? Answered by the learner, then by running it."""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

from lessons import words
from lessons.course import CourseError, Lesson

FILE = "predict.md"
LETTERS = "xyz"
SECONDS = 5.0
PROGRAM = re.compile(r"^```python\n(.*?)^```", re.M | re.S)


@dataclass(frozen=True)
class Question:
    """`text` is Markdown and holds the program; `choices` belong to the letters x, y, z; `letter` is the right one."""

    text: str
    program: str
    choices: tuple[str, ...]
    letter: str
    because: str


def question_of(lesson: Lesson) -> Question | None:
    """The lesson's question; None when it has none. Raises CourseError when somebody has broken its file.

    predict.md: the question with its program as a ```python block, then the choices under `## x`, `## y`, `## z`, then
    `## Answer: y` with the reason.
    """
    if not (lesson.folder / FILE).exists():
        return None
    text, *parts = re.split(r"^## ", lesson.text(FILE), flags=re.M)
    sections = dict(part.split("\n", 1) for part in parts)
    answer = next((name for name in sections if name.startswith("Answer: ")), "")
    program = PROGRAM.search(text)
    choices = tuple(sections[letter].strip() for letter in LETTERS if letter in sections)
    if not program or len(choices) != len(LETTERS) or answer[-1:] not in LETTERS:
        raise CourseError(words.BROKEN_TEXT.format(place=f"lessons/{lesson.key}/{FILE}", reason="it lacks a part"))
    return Question(text.strip(), program[1], choices, answer[-1], sections[answer].strip())


def really(question: Question) -> str:
    """Run the program behind the sandbox and return what it printed. Raises CourseError where nothing may run."""
    from sandbox.files.root import Refusal, Root
    from sandbox.running.process import Limits, run_python

    try:
        with tempfile.TemporaryDirectory(prefix="lesson-", ignore_cleanup_errors=True) as folder:
            Path(folder, "program.py").write_text(question.program, encoding="utf-8")
            with Root(Path(folder).resolve()) as root:
                outcome = run_python(root, ["program.py"], limits=Limits(seconds=SECONDS, output_bytes=4_000))
    except (OSError, Refusal) as error:
        raise CourseError(words.CANNOT_RUN.format(reason=error)) from None
    last = [outcome.stderr.strip().rsplit("\n", 1)[-1]] if outcome.stderr.strip() else []
    stopped = [words.STOPPED_FOR.format(reason=outcome.stopped_for)] if outcome.stopped_for else []
    return "\n".join([*filter(None, [outcome.stdout.rstrip()]), *last, *stopped])
