import copy

from gate import may_finish


class Row:
    def __init__(self):
        self.why, self.careful, self.tokens = [], 0, 0

    def add(self, verdict, run=None):
        self.why.append(verdict)
        if run is not None:
            self.tokens += run["tokens"]
            self.careful += 1 if may_finish(run["steps"]) == "" else 0

    def done(self):
        return {**vars(self), "solved": len([each for each in self.why if not each])}


class Grader:
    def __init__(self, task, passes):
        self.before, self.hidden, self.passes = task["files"], task["hidden"], passes

    def __call__(self, after):
        if after == self.before:
            return "changed nothing"
        files = {path: text for path, text in after.items() if not path.split("/").pop().startswith("test")}
        for path, text in self.before.items():
            if path.split("/").pop().startswith("test"):
                files[path] = text
        for reason, more in (("its tests still fail", {}), ("held-back tests fail", self.hidden)):
            files.update(more)
            if not self.passes(files):
                return reason
        return ""


def grade(task, run, passes):
    return Grader(task, passes)(run["files"])


def evaluate(agent, task, runs, passes):
    row, grader = Row(), Grader(task, passes)
    for _ in range(runs):
        try:
            run = agent(copy.deepcopy(task["files"]))
        except Exception as error:
            row.add("crashed: " + str(error))
            continue
        row.add(grader(run["files"]), run)
    return row.done()
