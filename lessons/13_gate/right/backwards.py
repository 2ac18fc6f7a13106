from collections import Counter

WRITES = {"write_file", "edit_file"}
MOST = 2


def passed(result):
    return result.startswith("All ")


def may_finish(trajectory):
    if Counter(step["name"] for step in trajectory)["push_back"] >= MOST:
        return ""
    tested = None
    for step in reversed(trajectory):
        if step["name"] == "run_tests" and tested is None:
            tested = passed(step["result"])
        if step["name"] in WRITES and not step["result"].startswith("Error: "):
            if tested is None:
                return "You have run no test since your edit: call run_tests."
            return "" if tested else "Your tests still fail."
    return ""
