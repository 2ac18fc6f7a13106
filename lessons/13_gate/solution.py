"""Lesson 13: a gate before "done"."""

WRITES = {"write_file", "edit_file"}
MOST = 2  # push-backs


def passed(result):
    """Whether this is the result of a test run in which every test passed."""
    return result.startswith("All ")


def may_finish(trajectory):
    """Return "" when the model's answer may be taken, else what to tell it instead."""
    problem, pushed, changed = "", 0, False
    for step in trajectory:
        if step["name"] == "push_back":
            pushed += 1
        elif step["name"] in WRITES and not step["result"].startswith("Error: "):
            problem, changed = "You have run no test since your edit. Run the tests, then answer.", True
        elif step["name"] == "run_tests" and changed:
            problem = "" if passed(step["result"]) else "The tests fail. Fix that, or say that you cannot."
    return problem if pushed < MOST else ""
