"""What to do next, and the list as text."""

LATER = 10**6


def urgency(task):
    return (task.priority, task.due if task.due is not None else LATER, task.title)


def next_task(tasks):
    return min(tasks.ready(), key=urgency, default=None)


def plan(tasks):
    """Titles in the order in which they can be done; does not change the list."""
    finished = {task.title for task in tasks.tasks.values() if task.done}
    waiting = tasks.open_tasks()
    order = []
    while waiting:
        possible = [task for task in waiting if task.waits_for <= finished]
        if not possible:
            raise ValueError("tasks wait for each other")
        task = min(possible, key=urgency)
        waiting.remove(task)
        finished.add(task.title)
        order.append(task.title)
    return order


def render(tasks, today):
    late = {task.title for task in tasks.overdue(today)}
    lines = []
    for task in sorted(tasks.tasks.values(), key=urgency):
        mark = "x" if task.done else " "
        note = " (late)" if task.title in late else ""
        lines.append(f"[{mark}] {task.title}{note}")
    return "\n".join(lines)
