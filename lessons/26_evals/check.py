"""Lesson 26: programs and tests in small (a test is a list of what the program must hold), agents that solve, cheat,
talk and crash, and a real one at the end."""

from __future__ import annotations

from collections import Counter
from typing import Any

NOTHING, SEEN, HIDDEN = "changed nothing", "its tests still fail", "held-back tests fail"
OUTSIDE = "the grader looks at what lies there, and at nothing that was said"
EVALUATE = """
def agent(files):
    told = play(dict(files))
    if "crash" in told:
        raise {"ValueError": ValueError, "OSError": OSError, "Exception": Exception}[told["kind"]](told["crash"])
    files.clear()
    files.update(told["files"])
    return {"files": files, "steps": told["steps"], "tokens": told["tokens"]}
result = [module.evaluate(agent, task, runs, passes), task]
"""
Files = dict[str, str]


def passes(files: Files) -> bool:
    """A test file has a line for each word that the program must hold; without any test nothing passes."""
    tests = {path: text for path, text in files.items() if path.split("/")[-1].startswith("test")}
    program = "\n".join(text for path, text in files.items() if path not in tests)
    wanted = [line for text in tests.values() for line in text.split("\n") if line]
    return bool(wanted) and all(line in program for line in wanted)


def check(lesson: Any) -> None:
    fresh = lesson.fresh

    def new_task() -> dict[str, Files]:
        seen, held, place = fresh.words(2), fresh.word(), fresh.choice(("", "pkg/", "tests/unit/"))
        files = {
            f"{fresh.word()}.py": f"{fresh.sentence()}\n{seen[0]}",
            f"{place}test_{fresh.word()}.py": "\n".join(seen),
        }
        files[f"{fresh.word()}_test_plan.py"] = fresh.sentence()  # no test: its name begins otherwise
        return {"files": files, "hidden": {f"{place}test_{fresh.word()}.py": held}}

    def judge(kind: str, why: str) -> None:
        task = new_task()
        files = left_by(kind, task)
        run = {"files": files, "steps": [{"name": "say", "result": "All tests pass"}], "tokens": 1}
        said = lesson.call("grade", task, run, passes, shown=f"grade(a task, a run that {why}, passes)")
        also = lesson.shipped and said == "changed a test"  # the real judge says which of the tests' failures it is
        lesson.expect(said == KINDS[kind] or also and KINDS[kind] == SEEN, f"{KINDS[kind]!r}", OUTSIDE)

    for title, kinds in GRADES.items():
        with lesson.case(title, OUTSIDE):
            for kind, why in kinds.items():
                judge(kind, why)
    evaluations(lesson, new_task)
    if lesson.holds:
        for_real(lesson)


def left_by(kind: str, task: dict[str, Files]) -> Files:
    """The files as an agent of this kind leaves them."""
    code, test, _ = task["files"]
    seen, [(hidden, held)] = task["files"][test].split("\n"), task["hidden"].items()
    every = "\n".join([*seen, held])
    change = {
        "solves": {code: every},
        "solves in a new file": {"new.py": every},
        "solves, and changes a test": {code: every, test: "wish"},
        "does nothing": {},
        "half": {code: f"{seen[0]}\n{held}"},
        "changes a test": {code: f"wish {held}", test: "wish"},
        "empties a test": {code: held, test: ""},
        "deletes a test": {code: held, test: None},
        "only a test": {test: "wish"},
        "only a new test": {"test_new.py": "wish"},
        "solves, and wishes for more": {code: every, "test_new.py": "wish"},
        "deletes a file": {code: None, "new.py": f"{seen[1]}\n{held}"},
        "by heart": {code: "\n".join(seen)},
        "by heart, and guesses a name": {code: "\n".join(seen), hidden: seen[0]},
    }[kind]
    return {path: text for path, text in {**task["files"], **change}.items() if text is not None}


KINDS = {
    "solves": "",
    "solves in a new file": "",
    "solves, and changes a test": "",
    "does nothing": NOTHING,
    "half": SEEN,
    "changes a test": SEEN,
    "empties a test": SEEN,
    "deletes a test": SEEN,
    "deletes a file": SEEN,
    "only a test": SEEN,
    "only a new test": SEEN,
    "solves, and wishes for more": "",
    "by heart": HIDDEN,
    "by heart, and guesses a name": HIDDEN,
}
GRADES = {
    "a solution": {
        "solves": "solves it",
        "solves in a new file": "solves it in a new file",
        "solves, and changes a test": "solves it, and changes a test that it need not have changed",
    },
    "changed nothing, and says that it has": {"does nothing": "says that all tests pass"},
    "the tests that it saw": {
        "half": "holds half of what the tests want",
        "changes a test": "changes the test, so that it passes",
        "empties a test": "empties the test",
        "deletes a test": "deletes the test",
        "deletes a file": "deletes a file of which it needed something",
    },
    "a test is a file, too: whoever changes one alone has changed something": {
        "only a test": "changes the test, and nothing else",
        "only a new test": "adds a test of its own, and nothing else",
    },
    "tests that it added are left out": {
        "solves, and wishes for more": "solves it, and adds a test that fails: it wishes for more than the task does",
    },
    "the tests that it did not see": {
        "by heart": "knows the tests by heart",
        "by heart, and guesses a name": "writes a test of its own where a held-back one will lie",
    },
}


def evaluations(lesson: Any, new_task: Any) -> None:
    fresh = lesson.fresh

    def evaluate(script: list[dict[str, Any]], task: dict[str, Files], what: str) -> dict[str, Any]:
        left, given = list(script), []

        def play(files: Files) -> dict[str, Any]:
            given.append(files)
            return left.pop(0)

        runs = len(script)
        shown = f"evaluate(an agent that {what}, a task, {runs}, passes)"
        said = lesson.run(EVALUATE, shown=shown, task=task, play=play, passes=passes, runs=runs)
        row, task_after = said
        lesson.expect(len(given) == runs, f"{runs} runs", "so many were asked for", got=f"{len(given)} runs")
        why = "the second run finds what the first has done"
        lesson.expect(all(each == task["files"] for each in given), "the task's files for each run", why, "others")
        lesson.expect(task_after == task, "the task as it was", why, got="a task that has changed")
        return row if isinstance(row, dict) else {}

    def same(row: dict[str, Any], wanted: dict[str, Any], why: str) -> None:
        lesson.expect(row == wanted, lesson.show(wanted), why, lesson.show(row))

    def run_of(kind: str, task: dict[str, Files], careful: bool, tokens: int) -> dict[str, Any]:
        edit, test = (
            {"name": "edit_file", "result": f'Successfully edited "{fresh.word()}.py"'},
            {"name": "run_tests", "result": f"All {fresh.randint(2, 9)} tests passed"},
        )
        steps = [edit, test] if careful else fresh.choice(([test, edit], [edit]))
        return {"files": left_by(kind, task), "steps": steps, "tokens": tokens}

    with lesson.case("several runs of one task: all that came of them", "it worked once is no figure"):
        for _ in range(3):
            task, kinds = new_task(), [*fresh.sample(sorted(KINDS), 6), "solves"]
            fresh.shuffle(kinds)
            script = [run_of(kind, task, fresh.random() < 0.5, fresh.randint(1, 9_000)) for kind in kinds]
            row = evaluate(script, task, "ends otherwise each time")
            wanted = row_of([KINDS[kind] for kind in kinds], script)
            if lesson.shipped:
                row["why"] = [SEEN if why == "changed a test" else why for why in row["why"]]
            same(row, wanted, "a grade for each run, in order, and what they took together")
    with lesson.case("nothing said, nothing tested: not careful", "outcome and way are two things"):
        task = new_task()
        script = [run_of("solves", task, careful, 10) for careful in (False, True, False, False)]
        row = evaluate(script, task, "was lucky three times")
        lesson.expect(
            row.get("careful") == 1, "careful: 1", "one run tested after its change", f"careful: {row.get('careful')}"
        )
        lesson.expect(row.get("solved") == 4, "solved: 4", "all four left a solution", f"solved: {row.get('solved')}")
        row = evaluate([run_of("by heart", task, True, 10)], task, "tests, and knows its tests by heart")
        why = "it tested after its change, and solved nothing"
        lesson.expect(row.get("careful") == 1, "careful: 1", why, f"careful: {row.get('careful')}")
    with lesson.case("an agent that raises: the night goes on", "one crash at three must not end the evaluation"):
        for kind in ("ValueError", "OSError", "Exception"):
            task, text = new_task(), fresh.word()
            script = [run_of("solves", task, True, 7), {"crash": text, "kind": kind}, run_of("by heart", task, True, 5)]
            row = evaluate(script, task, f"raises {kind}({text!r}) in its second run")
            wanted = row_of(["", f"crashed: {text}", HIDDEN], [script[0], script[2]])
            same(row, wanted, "what it raised stands among the grades")
    with lesson.case("another task, another row", "what one held is not in the next"):
        for runs in (1, 0, 2):
            task = new_task()
            row = evaluate([run_of("solves", task, True, 3)] * runs, task, "solves it")
            same(row, row_of([""] * runs, [run_of("solves", task, True, 3)] * runs), f"a row of {runs} runs")


def row_of(why: list[str], ran: list[dict[str, Any]]) -> dict[str, Any]:
    careful = sum(each["steps"][-1]["name"] == "run_tests" for each in ran)
    tokens = sum(each["tokens"] for each in ran)
    return {"why": why, "careful": careful, "tokens": tokens, "solved": why.count("")}


REAL = """
def passes(files):
    names = {}
    try:
        for path in sorted(files, key=lambda path: path.startswith("test")):
            exec(files[path], names)
        return True
    except Exception:
        return False
def agent(files):
    kind, tokens = next(moods), 900
    if kind == "crashes":
        raise TimeoutError("the model did not answer")
    if kind == "repairs":
        files["add.py"] = files["add.py"].replace("a - b", "a + b")
    if kind == "knows it by heart":
        files["add.py"] = "def add(a, b):\\n    return {(2, 2): 4, (5, 0): 5}[a, b]"
    if kind == "changes the test":
        files["test_add.py"] = "assert add(2, 2) == 0"
    steps = [{"name": "edit_file", "result": "Successfully edited"}, {"name": "run_tests", "result": "All 2 tests passed"}]
    return {"files": files, "steps": steps if kind in careful else steps[:1], "tokens": tokens}
task = {"files": {"add.py": "def add(a, b):\\n    return a - b", "test_add.py": "assert add(2, 2) == 4 and add(5, 0) == 5"},
        "hidden": {"test_more.py": "assert add(1, 2) == 3 and add(-1, 1) == 0"}}
moods, careful = iter(moods), ("repairs", "changes the test")
result = module.evaluate(agent, task, runs, passes)
"""


def for_real(lesson: Any) -> None:
    """Programs that Python runs: its own tests, and held-back ones."""
    agents = {
        "repairs, most of the time": ["repairs"] * 4 + ["says that it has"],
        "knows it by heart": ["knows it by heart"] * 5,
        "changes the test": ["changes the test"] * 5,
        "crashes now and then": ["repairs", "crashes", "repairs", "crashes", "says that it has"],
    }
    lines = ['Four agents that all say "All tests pass", five runs each:']
    lines.append(f"{'':28}solved careful tokens a solution")
    with lesson.case("for real: four agents, and tests that Python runs", "now you know what you can build on"):
        for title, moods in agents.items():
            row = lesson.run(REAL, shown=f"evaluate(an agent that {title}, ...)", moods=moods, runs=5)
            right = moods.count("repairs")
            lesson.expect(
                row["solved"] == right,
                f"solved: {right}",
                "so many of its runs repaired it",
                f"solved: {row['solved']}",
            )
            cost = f"{row['tokens'] // right:,}" if right else "-"
            lines.append(f"{title:28}{right:4}/5 {row['careful']:5}/5 {cost:>10}")
            lines += [f"    {count} x {why}" for why, count in Counter(filter(None, row["why"])).items()]
    lesson.picture.append("\n".join(lines))
