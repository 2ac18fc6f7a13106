from gate import may_finish  # lesson 13: "" when it may


def tests_of(files):
    """Those of the files, by path, that are tests."""
    return {path: text for path, text in files.items() if path.split("/")[-1].startswith("test")}


class NoSolution(Exception):
    pass


def demand(holds, reason):
    if not holds:
        raise NoSolution(reason)


def grade(task, run, passes):
    try:
        demand(run["files"] != task["files"], "changed nothing")
        files = dict(run["files"])
        for path in tests_of(files):
            del files[path]
        files.update(tests_of(task["files"]))
        demand(passes(files), "its tests still fail")
        files.update(task["hidden"])
        demand(passes(files), "held-back tests fail")
    except NoSolution as reason:
        return str(reason)
    return ""


def evaluate(agent, task, runs, passes):
    row = {"why": [], "careful": 0, "tokens": 0}
    for files in [dict(task["files"]) for _ in range(runs)]:
        try:
            run = agent(files)
            row["why"].append(grade(task, run, passes))
            row["careful"] += 1 if may_finish(run["steps"]) == "" else 0
            row["tokens"] += run["tokens"]
        except Exception as error:
            row["why"].append(f"crashed: {error}")
    return row | {"solved": len([why for why in row["why"] if not why])}
