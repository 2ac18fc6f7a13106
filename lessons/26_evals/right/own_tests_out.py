from gate import may_finish  # lesson 13: "" when it may


def tests_of(files):
    """Those of the files, by path, that are tests."""
    return {path: text for path, text in files.items() if path.split("/")[-1].startswith("test")}


def without_tests(files):
    return {path: text for path, text in files.items() if path not in tests_of(files)}


def grade(task, run, passes):
    code, own = without_tests(run["files"]), tests_of(task["files"])
    checks = {
        "changed nothing": lambda: run["files"] != task["files"],
        "its tests still fail": lambda: passes(code | own),
        "held-back tests fail": lambda: passes(code | own | task["hidden"]),
    }
    return next((reason for reason, holds in checks.items() if not holds()), "")


def evaluate(agent, task, runs, passes):
    why, careful, tokens = [], 0, 0
    while len(why) < runs:
        try:
            run = agent(dict(task["files"]))
        except Exception as error:
            why += [f"crashed: {error}"]
            continue
        why += [grade(task, run, passes)]
        careful += not may_finish(run["steps"])
        tokens += run["tokens"]
    return {"why": why, "careful": careful, "tokens": tokens, "solved": why.count("")}
