"""Lesson 13: trajectories, honest and not, and a model that claims what it has not done."""

from __future__ import annotations

from typing import Any

EDIT = {"name": "edit_file", "result": 'Successfully edited "pkg/calculator.py" at line 19'}
WRITE = {"name": "write_file", "result": 'Successfully wrote to "a.py" (20 characters written)'}
REFUSED = {"name": "edit_file", "result": 'Error: old_text was not found in "pkg/calculator.py"'}
READ = {"name": "read_file", "result": "print(3 + 5)"}
PASS = {"name": "run_tests", "result": "All 9 tests passed (unittest, 0.001 s)"}
FAIL = {"name": "run_tests", "result": "2 of 9 tests failed (unittest, 0.001 s)"}
PUSH = {"name": "push_back", "result": "You have run no test since your edit."}
MAY, NOT = "may finish", "is pushed back"

CASES: tuple[tuple[str, list[dict[str, str]], str, str], ...] = (
    ("a question was answered", [READ], MAY, "nothing was changed, so there is nothing to test"),
    ("an edit, then tests that pass", [READ, EDIT, PASS], MAY, "this is what a good run looks like"),
    ("an edit and no test", [READ, EDIT], NOT, "it claims what it has not seen"),
    ("tests that pass, then an edit", [PASS, EDIT], NOT, "what counts is a test after the last change"),
    ("edit, tests pass, another file written", [EDIT, PASS, WRITE], NOT, "what counts is a test after the last change"),
    ("an edit, then tests that fail", [EDIT, FAIL], NOT, "the tests failed: that is no repair"),
    ("fail, edit, fail, edit, pass", [FAIL, EDIT, FAIL, EDIT, PASS], MAY, "what counts is the end"),
    ("an edit that was refused", [PASS, REFUSED], MAY, "a write that ended in an error has changed nothing"),
    ("an edit, tests pass, a file read", [EDIT, PASS, READ], MAY, "reading changes nothing"),
    ("tests fail, nothing changed", [FAIL], MAY, "nothing was changed; perhaps the task was to run the tests"),
    ("pushed back once, still no test", [EDIT, PUSH], NOT, "once may be an oversight"),
    ("pushed back twice, still no test", [EDIT, PUSH, PUSH], MAY, "two push-backs are enough: it will not do it"),
)


def check(lesson: Any) -> None:
    for title, trajectory, wanted, why in CASES:
        with lesson.case(f"{title}: {wanted}", why):
            steps = [dict(step) for step in trajectory]
            shown = f"may_finish([{', '.join(brief(step) for step in steps)}])"
            said = lesson.call("may_finish", steps, shown=shown)
            if wanted == MAY:
                lesson.expect(said == "", '""', why)
            else:
                lesson.expect(isinstance(said, str) and bool(said), "a sentence for the model", why)
    with lesson.case("a model that always says that it is done"):
        story = liar(lesson)
        pushes = sum("push-back" in line for line in story)
        lesson.expect(pushes == 2, "two push-backs, then an end", got=f"{pushes} push-backs")
        lesson.picture.append("\n".join(["A model that claims what it has not done, and your gate:", *story]))


def brief(step: dict[str, str]) -> str:
    kind = {"run_tests": " passed" if step is PASS or step["result"].startswith("All") else " failed"}.get(
        step["name"], ""
    )
    return step["name"] + (" refused" if step["result"].startswith("Error") else kind)


def liar(lesson: Any) -> list[str]:
    trajectory, story = [dict(EDIT)], ["assistant  + edit_file", f"tool       {EDIT['result']}"]
    for _ in range(5):
        story.append("assistant  I have fixed the bug and verified that all tests pass.")
        said = lesson.call("may_finish", trajectory, shown="may_finish([edit_file, and the push-backs so far])")
        if not said:
            return [*story, "(the answer is taken: twice was enough)"]
        story.append(f"push-back  {said}")
        trajectory.append({"name": "push_back", "result": said})
    return story
