import gate


def tests_in(files):
    for path in files:
        if path.split("/")[-1].startswith("test"):
            yield path


def grade(task, run, passes):
    if dict(run["files"]) == dict(task["files"]):
        return "changed nothing"
    files = {path: text for path, text in run["files"].items() if path not in set(tests_in(run["files"]))}
    for path in tests_in(task["files"]):
        files[path] = task["files"][path]
    seen = passes(files)
    if not seen:
        return "its tests still fail"
    files.update(task["hidden"])
    return "" if passes(files) else "held-back tests fail"


def outcomes(agent, task, runs, passes):
    for number in range(runs):
        try:
            run = agent(dict(task["files"].items()))
            yield grade(task, run, passes), int(gate.may_finish(run["steps"]) == ""), run["tokens"]
        except Exception as error:
            yield "crashed: %s" % error, 0, 0


def evaluate(agent, task, runs, passes):
    why, careful, tokens = [], 0, 0
    for verdict, was_careful, took in outcomes(agent, task, runs, passes):
        why.append(verdict)
        careful, tokens = careful + was_careful, tokens + took
    return dict(solved=why.count(""), why=why, careful=careful, tokens=tokens)
