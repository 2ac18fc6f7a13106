# REASON: once may be an oversight
"""Lesson 13: a gate before "done"."""

WRITES = {"write_file", "edit_file"}
MOST = 1  # push-backs


def passed(result):
    """Whether this is the result of a test run in which every test passed."""
    return result.startswith("All ")


def may_finish(trajectory):
    """Return "" when the model's answer may be taken, else what to tell it instead."""
    problem, pushed = "", 0
    for step in trajectory:
        if step["name"] == "push_back":
            pushed += 1
        elif step["name"] in WRITES and not step["result"].startswith("Error: "):
            problem = "You have run no test since your edit. Run the tests, then answer."
        elif step["name"] == "run_tests" and problem:
            problem = "" if passed(step["result"]) else "The tests fail. Fix that, or say that you cannot."
    return problem if pushed < MOST else ""
