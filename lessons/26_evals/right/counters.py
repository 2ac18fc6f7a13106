from collections import Counter

import gate


def is_test(path):
    return path.rpartition("/")[2].startswith("test")


def grade(task, run, passes):
    before, after = task["files"], run["files"]
    if all(after.get(path) == before.get(path) for path in {*before, *after}):
        return "changed nothing"
    judged = {path: text for path, text in after.items() if not is_test(path)}
    judged.update((path, text) for path, text in before.items() if is_test(path))
    if passes(judged) is False:
        return "its tests still fail"
    judged.update(task["hidden"])
    if passes(judged) is False:
        return "held-back tests fail"
    return ""


def evaluate(agent, task, runs, passes):
    counts, grades = Counter(), []
    while len(grades) < runs:
        copy = {path: text for path, text in task["files"].items()}
        try:
            run = agent(copy)
        except Exception as problem:
            grades += [f"crashed: {problem}"]
        else:
            grades += [grade(task, run, passes)]
            counts["careful"] += not gate.may_finish(run["steps"])
            counts["tokens"] += run["tokens"]
    solved = sum(each == "" for each in grades)
    return {"why": grades, "careful": counts["careful"], "tokens": counts["tokens"], "solved": solved}
