from gate import may_finish


def grade(task, run, passes):
    files = {path: text for path, text in run["files"].items() if not path.split("/")[-1].startswith("test")}
    files |= {path: text for path, text in task["files"].items() if path.split("/")[-1].startswith("test")}
    same = run["files"] == task["files"]
    match same, not same and passes(files), not same and passes(files | task["hidden"]):
        case True, _, _:
            return "changed nothing"
        case False, False, _:
            return "its tests still fail"
        case False, True, False:
            return "held-back tests fail"
    return ""


def evaluate(agent, task, runs, passes, done=0):
    if done == runs:
        return {"why": [], "careful": 0, "tokens": 0, "solved": 0}
    try:
        run = agent(task["files"].copy())
        verdict, careful, tokens = grade(task, run, passes), may_finish(run["steps"]) == "", run["tokens"]
    except Exception as error:
        verdict, careful, tokens = f"crashed: {error}", False, 0
    rest = evaluate(agent, task, runs, passes, done + 1)
    return {
        "why": [verdict, *rest["why"]],
        "careful": careful + rest["careful"],
        "tokens": tokens + rest["tokens"],
        "solved": (verdict == "") + rest["solved"],
    }
