"""Lesson 13: a gate before "done"."""

WRITES = {"write_file", "edit_file"}
MOST = 2  # push-backs


def passed(result):
    """Whether this is the result of a test run in which every test passed."""
    return result.startswith("All ")


def may_finish(trajectory):
    """Return "" when the model's answer may be taken, else what to tell it instead."""
    raise NotImplementedError("find the last write, then look at the tests after it")
