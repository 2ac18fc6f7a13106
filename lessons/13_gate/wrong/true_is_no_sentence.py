# REASON: a sentence
WRITES = {"write_file", "edit_file"}


def may_finish(trajectory):
    pushed = sum(step["name"] == "push_back" for step in trajectory)
    last = 0
    for number, step in enumerate(trajectory, 1):
        if step["name"] in WRITES and not step["result"].startswith("Error: "):
            last = number
    tests = [step["result"] for step in trajectory[last:] if step["name"] == "run_tests"]
    if pushed >= 2 or not last or (tests and tests[-1].startswith("All ")):
        return ""
    return True
