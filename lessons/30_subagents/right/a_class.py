import threading

import asking
from messages import start

READS = ("list_files", "read_file", "search")


class Agent:
    most, deepest = 8, 3

    def __init__(self, model, tools, budget, depth):
        self.model, self.given, self.budget, self.depth = model, tools, budget, depth

    def tools(self):
        below = Agent(self.model, self.given, self.budget, self.depth + 1)
        mine = {"ask": lambda task: below.work(task)}
        for name in READS:
            if name in self.given:
                mine[name] = self.given[name]
        return mine

    def problem(self, task):
        if self.depth >= self.deepest:
            return "too deep, do this one yourself"
        return "" if task.split() else "what is to be done?"

    def work(self, task):
        problem = self.problem(task)
        if not problem:
            try:
                answer = asking.loop(self.model, start("You help.", task), self.tools(), self.most, self.budget)
            except Exception as error:
                problem = "it broke: " + str(error)
            else:
                if answer:
                    return answer
                problem = "it never came to an end"
        return f"Error: {problem}"


def delegate(task, model, tools, budget, depth):
    return Agent(model, tools, budget, depth).work(task)


def delegate_all(tasks, model, tools, budget, depth):
    results = {}

    def work(number, task):
        results[number] = delegate(task, model, tools, budget, depth)

    threads = [threading.Thread(target=work, args=each) for each in enumerate(tasks)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [results[number] for number in range(len(threads))]
