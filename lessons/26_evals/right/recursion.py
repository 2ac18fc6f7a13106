from gate import may_finish  # lesson 13: "" when it may


def tests_of(files):
    """Those of the files, by path, that are tests."""
    return {path: text for path, text in files.items() if path.split("/")[-1].startswith("test")}


def grade(task, run, passes):
    added = tests_of(run["files"]).keys()
    files = {path: run["files"][path] for path in run["files"].keys() - added} | tests_of(task["files"])
    return (
        "changed nothing"
        if run["files"] == task["files"]
        else "its tests still fail"
        if not passes(files)
        else "held-back tests fail"
        if not passes(files | task["hidden"])
        else ""
    )


def evaluate(agent, task, runs, passes):
    if runs == 0:
        return {"why": [], "careful": 0, "tokens": 0, "solved": 0}
    row = evaluate(agent, task, runs - 1, passes)
    try:
        run = agent(task["files"].copy())
    except Exception as error:
        return row | {"why": row["why"] + [f"crashed: {error}"]}
    why = grade(task, run, passes)
    return {
        "why": row["why"] + [why],
        "careful": row["careful"] + (not may_finish(run["steps"])),
        "tokens": row["tokens"] + run["tokens"],
        "solved": row["solved"] + (not why),
    }
