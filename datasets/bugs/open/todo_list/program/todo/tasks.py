"""Tasks with priorities, due days and what they wait for. Days are plain numbers."""

from dataclasses import dataclass, field


@dataclass
class Task:
    title: str
    priority: int = 3
    due: int | None = None
    waits_for: set = field(default_factory=set)
    done: bool = False


class TaskList:
    def __init__(self):
        self.tasks = {}

    def add(self, title, **details):
        if title in self.tasks:
            raise ValueError(f"there is a task {title!r}")
        self.tasks[title] = Task(title, **details)
        return self.tasks[title]

    def finish(self, title):
        self.tasks[title].done = True

    def open_tasks(self):
        return [task for task in self.tasks.values() if not task.done]

    def ready(self):
        """Open tasks whose requirements are all done."""
        return [task for task in self.open_tasks() if not self.missing(task)]

    def missing(self, task):
        return {title for title in task.waits_for if self.tasks[title].done}

    def overdue(self, today):
        return [task for task in self.open_tasks() if task.due is not None and task.due < today]

    def clear_done(self):
        """Forget finished tasks; returns how many."""
        finished = [title for title, task in self.tasks.items() if task.done]
        for title in finished:
            del self.tasks[title]
            for task in self.tasks.values():
                task.waits_for.discard(title)
        return len(finished)
