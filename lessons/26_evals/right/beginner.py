from gate import may_finish  # lesson 13: "" when it may


def tests_of(files):
    """Those of the files, by path, that are tests."""
    return {path: text for path, text in files.items() if path.split("/")[-1].startswith("test")}


def grade(task, run, passes):
    if run["files"] == task["files"]:
        return "changed nothing"
    files = {}
    for path in run["files"]:
        if path not in tests_of(run["files"]):
            files[path] = run["files"][path]
    own = tests_of(task["files"])
    for path in own:
        files[path] = own[path]
    if not passes(files):
        return "its tests still fail"
    for path in task["hidden"]:
        files[path] = task["hidden"][path]
    if not passes(files):
        return "held-back tests fail"
    return ""


def evaluate(agent, task, runs, passes):
    row = {"why": [], "careful": 0, "tokens": 0, "solved": 0}
    for i in range(runs):
        files = {}
        for path in task["files"]:
            files[path] = task["files"][path]
        try:
            run = agent(files)
        except Exception as error:
            row["why"].append("crashed: " + str(error))
            continue
        why = grade(task, run, passes)
        row["why"].append(why)
        if why == "":
            row["solved"] = row["solved"] + 1
        if may_finish(run["steps"]) == "":
            row["careful"] = row["careful"] + 1
        row["tokens"] = row["tokens"] + run["tokens"]
    return row
