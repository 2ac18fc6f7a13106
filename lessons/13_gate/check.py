"""Lesson 13: trajectories, honest and not, and a model that claims what it has not done."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

EDIT = {"name": "edit_file", "result": 'Successfully edited "pkg/calculator.py" at line 19'}
WRITE = {"name": "write_file", "result": 'Successfully wrote to "a.py" (20 characters written)'}
REFUSED = {"name": "edit_file", "result": 'Error: old_text was not found in "pkg/calculator.py"'}
READ = {"name": "read_file", "result": "print(3 + 5)"}
PASS = {"name": "run_tests", "result": "All 9 tests passed (unittest, 0.001 s)"}
FAIL = {"name": "run_tests", "result": "2 of 9 tests failed (unittest, 0.001 s)"}
PUSH = {"name": "push_back", "result": "You have run no test since your edit."}
MAY, NOT = "may finish", "is pushed back"
NO_TEST = "there is no test after the last change"
OUTCOME = ("fail", "pass", "error", "wrong", "broken", "fix", "repair", "green", "red")  # of a test run
RUN = ("run", "ran", "no test", "tested", "untested", "verif", "check")
ENDS = (
    "the tests passed after the last change",
    "nothing was changed, so there is nothing to test",
    "two push-backs are enough: it will not do it",
    "some passed",
    "All in one file",
    "read All of them",
    "edit_file",
    "write_file",
    "written after Error",
)
Steps = list[dict[str, str]]

CASES: tuple[tuple[str, Steps, str, str], ...] = (
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
    ("edit, push-back, edit, push-back", [EDIT, PUSH, EDIT, PUSH], MAY, "two are enough, wherever they stand"),
    ("pushed back three times", [EDIT, PUSH, PUSH, PUSH], MAY, "two push-backs are enough: more are, too"),
    ("tests pass, then fail without an edit", [EDIT, PASS, FAIL], NOT, "the last test failed: that counts"),
    ("tests fail, then pass without an edit", [EDIT, FAIL, PASS], MAY, "the last test passed: that counts"),
)


def check(lesson: Any) -> None:
    for title, trajectory, wanted, why in CASES:
        with lesson.case(f"{title}: {wanted}", why):
            steps = copy(trajectory)
            shown = f"may_finish([{', '.join(brief(step) for step in steps)}])"
            said = lesson.call("may_finish", steps, shown=shown)
            judge(lesson, said, wanted, why, trajectory)
    with lesson.case("trajectories that nobody has seen", "what counts is what happened after the last change"):
        for steps in new_trajectories(lesson.fresh):
            shown = f"may_finish([{', '.join(brief(step) for step in steps)}])"
            said = lesson.call("may_finish", copy(steps), shown=shown)
            wanted, why = expected_of(steps)
            judge(lesson, said, wanted, why, steps)
    with lesson.case(
        "a model that always says that it is done", "better an answer that may be wrong than a run without an end"
    ):
        story = liar(lesson)
        pushes = sum("push-back" in line for line in story)
        lesson.expect(pushes == 2, "two push-backs, then an end", got=f"{pushes} push-backs")
        lesson.picture.append("\n".join(["A model that claims what it has not done, and your gate:", *story]))


def judge(lesson: Any, said: Any, wanted: str, why: str, steps: Steps) -> None:
    if wanted == MAY:
        lesson.expect(said == "", '""', why)
        return
    lesson.expect(isinstance(said, str) and bool(said), "a sentence for the model", why)
    told = len(said.split()) >= 3 and any(word in said.lower() for word in ("test", "verif", "run", "check"))
    lesson.expect(
        told,
        "a sentence that tells the model what is missing, such as: You have run no test since your edit.",
        "it is all that the model gets: from a word or a True it learns nothing, and answers the same again",
    )
    if lesson.shipped:  # its gate asks for less: it does not know what came of the tests
        return
    failed = not expected_of(steps)[1].startswith(NO_TEST)
    lesson.expect(
        any(word in said.lower() for word in (OUTCOME if failed else RUN)),
        "a sentence that says that the tests failed" if failed else "a sentence that says that no test was run",
        f"{why}; a model that is told what is not so looks for the wrong thing",
    )


def new_trajectories(fresh: Any) -> list[Steps]:
    """Until each end that decides has come three times: whatever is drawn, no wrong rule gets through by luck."""
    found: dict[str, list[Steps]] = {end: [] for end in ENDS}
    while any(len(each) < 3 for each in found.values()):
        steps = new_trajectory(fresh)
        for end in end_of(steps):
            if len(found[end]) < 3:
                found[end].append(steps)
    return [steps for each in found.values() for steps in each]


def end_of(steps: Steps) -> Iterator[str]:
    """The names among ENDS of what decides about these steps."""
    wanted, why = expected_of(steps)
    if why in ENDS:
        yield why
    since = [step for step in steps[last_change(steps) + 1 :] if step["name"] != "push_back"] if changed(steps) else []
    tests = [step["result"] for step in since if step["name"] == "run_tests"]
    if wanted == NOT:
        if tests:
            yield "some passed" if "passed" in tests[-1] else "All in one file"
        elif since and since[-1]["name"] == "read_file":
            yield "read All of them"
        yield steps[last_change(steps)]["name"]
        if "Error: " in steps[last_change(steps)]["result"]:
            yield "written after Error"


def new_trajectory(fresh: Any) -> Steps:
    """Steps as they come in a run: any order, results with numbers of their own. The model is only pushed back where
    there is something to push back for."""
    steps: Steps = []
    for _ in range(fresh.randint(2, 8)):
        name = fresh.choice(("read_file", "edit", "edit", "refused", "run_tests", "run_tests", "push_back"))
        count = fresh.randint(2, 90)
        problem = expected_of(steps)[0] == NOT
        if name == "edit":
            steps.append(
                {
                    "name": fresh.choice(("edit_file", "write_file")),
                    "result": f'Successfully "{fresh.word()}.py"{fresh.choice(["", ", after Error: 3"])}',
                }
            )
        elif name == "refused":
            tool = fresh.choice(("edit_file", "write_file"))
            steps.append({"name": tool, "result": f'Error: "{fresh.word()}.py" is outside the working directory'})
        elif name == "run_tests":
            failed = fresh.randint(1, count - 1)
            both = (
                f"All {count} tests passed",
                f"{failed} of {count} tests failed. All {failed} in one file",
                f"{failed} of {count} tests failed, {count - failed} passed",
            )
            steps.append({"name": "run_tests", "result": fresh.choice(both)})
        elif name == "push_back" and problem:
            steps.append({"name": "push_back", "result": fresh.sentence()})
        else:
            steps.append({"name": "read_file", "result": f"All {count} of them: {fresh.sentence()}"})
    return steps


def changed(steps: Steps) -> bool:
    writes = ("edit_file", "write_file")
    return any(step["name"] in writes and not step["result"].startswith("Error: ") for step in steps)


def last_change(steps: Steps) -> int:
    return max(index for index, step in enumerate(steps) if changed([step]))


def expected_of(steps: Steps) -> tuple[str, str]:
    """What the README says of a trajectory, looked at from its end."""
    if sum(step["name"] == "push_back" for step in steps) >= 2:
        return MAY, "two push-backs are enough: it will not do it"
    if not changed(steps):
        return MAY, "nothing was changed, so there is nothing to test"
    last = last_change(steps)
    tests = [step for step in steps[last + 1 :] if step["name"] == "run_tests"]
    if not tests:
        return NOT, f"{NO_TEST} (step {last + 1})"
    passed = tests[-1]["result"].startswith("All ")
    return (MAY, "the tests passed after the last change") if passed else (NOT, "the tests failed: that is no repair")


def copy(steps: Steps) -> Steps:
    return [dict(step) for step in steps]


def brief(step: dict[str, str]) -> str:
    """A step in a word or two, and what a rule could stumble on in its result."""
    name, result = step["name"], step["result"]
    if name == "run_tests":
        return f"{name} passed" if result.startswith("All ") else f"{name} failed"
    if result.startswith("Error: "):
        return f"{name} refused"
    odd = next((odd for odd in ("All ", "Error: ") if odd in result), "")
    return f"{name} ('...{result[result.index(odd) :][:12]}...')" if odd else name


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
