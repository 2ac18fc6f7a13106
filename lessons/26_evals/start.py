"""Lesson 26: what it does when you do not look."""

from gate import may_finish  # lesson 13: "" when it may


def tests_of(files):
    """Those of the files, by path, that are tests."""
    return {path: text for path, text in files.items() if path.split("/")[-1].startswith("test")}


def code_of(files):
    """Those that are none."""
    return {path: text for path, text in files.items() if path not in tests_of(files)}


def grade(task, run, passes):
    """Return why a run is no solution of a task, "" when it is one. task: {"files": ..., "hidden": ...}, each a text by
    its path; run: {"files": ..., "steps": the trajectory, "tokens": ...}"""
    raise NotImplementedError("look at the files: what changed, and what do the tests say, seen and held back?")


def evaluate(agent, task, runs, passes):
    """Run the agent that often on a task; agent(files) changes the files that it is given, and returns a run."""
    row = {"why": [], "careful": 0, "tokens": 0}
    raise NotImplementedError("run it, each time on a copy, grade it, fill the row")
