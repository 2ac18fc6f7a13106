import unittest

from todo.planner import next_task, plan, render
from todo.tasks import TaskList


class TodoTest(unittest.TestCase):
    def setUp(self):
        self.tasks = TaskList()
        self.tasks.add("buy paint", priority=2)
        self.tasks.add("paint wall", priority=1, waits_for={"buy paint"})
        self.tasks.add("call Tom", priority=2, due=5)
        self.tasks.add("read")

    def test_no_duplicates(self):
        with self.assertRaises(ValueError):
            self.tasks.add("read")

    def test_ready(self):
        self.assertEqual({t.title for t in self.tasks.ready()}, {"buy paint", "call Tom", "read"})

    def test_ready_after_finishing(self):
        self.tasks.finish("buy paint")
        self.assertIn("paint wall", {t.title for t in self.tasks.ready()})

    def test_next_task(self):
        self.assertEqual(next_task(self.tasks).title, "call Tom")

    def test_next_of_nothing(self):
        self.assertIsNone(next_task(TaskList()))

    def test_overdue(self):
        self.assertEqual([t.title for t in self.tasks.overdue(6)], ["call Tom"])
        self.assertEqual(self.tasks.overdue(5), [])

    def test_plan(self):
        self.assertEqual(plan(self.tasks), ["call Tom", "buy paint", "paint wall", "read"])

    def test_plan_of_a_circle(self):
        tasks = TaskList()
        tasks.add("a", waits_for={"b"})
        tasks.add("b", waits_for={"a"})
        with self.assertRaises(ValueError):
            plan(tasks)

    def test_clear_done(self):
        self.tasks.finish("buy paint")
        self.assertEqual(self.tasks.clear_done(), 1)
        self.assertEqual(self.tasks.tasks["paint wall"].waits_for, set())

    def test_render(self):
        self.tasks.finish("read")
        self.assertEqual(
            render(self.tasks, 9).splitlines(),
            ["[ ] paint wall", "[ ] call Tom (late)", "[ ] buy paint", "[x] read"],
        )
