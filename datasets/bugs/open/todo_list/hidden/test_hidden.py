import unittest

from todo.planner import next_task
from todo.tasks import TaskList


class HiddenTest(unittest.TestCase):
    def test_chain(self):
        tasks = TaskList()
        tasks.add("a")
        tasks.add("b", waits_for={"a"})
        tasks.add("c", waits_for={"a", "b"})
        done = []
        while (task := next_task(tasks)) is not None:
            done.append(task.title)
            tasks.finish(task.title)
        self.assertEqual(done, ["a", "b", "c"])

    def test_missing(self):
        tasks = TaskList()
        tasks.add("a")
        tasks.add("b")
        last = tasks.add("c", waits_for={"a", "b"})
        tasks.finish("b")
        self.assertEqual(tasks.missing(last), {"a"})
        self.assertEqual(tasks.missing(tasks.tasks["a"]), set())

    def test_done_tasks_are_not_ready(self):
        tasks = TaskList()
        tasks.add("a")
        tasks.finish("a")
        self.assertEqual(tasks.ready(), [])
