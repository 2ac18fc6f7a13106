"""All runs are made first, and graded afterwards."""

from gate import may_finish


def grade(task, run, passes):
    code, own = (
        {path: text for path, text in files.items() if (path.split("/")[-1][:4] == "test") is test}
        for files, test in ((run["files"], False), (task["files"], True))
    )
    with_own = {**code, **own}
    checks = [
        ("changed nothing", lambda: run["files"] != task["files"]),
        ("its tests still fail", lambda: passes(with_own)),
        ("held-back tests fail", lambda: passes({**with_own, **task["hidden"]})),
    ]
    return next((reason for reason, holds in checks if not holds()), "")


def attempt(agent, files):
    try:
        return agent(files)
    except Exception as error:
        return error


def evaluate(agent, task, runs, passes):
    all_runs = [attempt(agent, {**task["files"]}) for _ in range(runs)]
    whole = [run for run in all_runs if isinstance(run, dict)]
    why = [grade(task, run, passes) if isinstance(run, dict) else f"crashed: {run}" for run in all_runs]
    return {
        "why": why,
        "solved": why.count(""),
        "careful": [may_finish(run["steps"]) for run in whole].count(""),
        "tokens": sum(run["tokens"] for run in whole),
    }
