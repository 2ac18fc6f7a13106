import unittest

from machine import MachineError, run


class ProcessorTest(unittest.TestCase):
    def test_countdown(self):
        source = "set a 3\nagain: out a\nsub a 1\njzero a done\njump again\ndone: halt"
        self.assertEqual(run(source), [3, 2, 1])

    def test_subroutine(self):
        source = "set a 2\ncall double\ncall double\nout a\nhalt\ndouble: add a a\nret"
        self.assertEqual(run(source), [8])

    def test_sum_of_a_table(self):
        source = """
            table: word 5 6 7
            set b table
            set c 3
            next: loadx d b
            add a d
            add b 1
            sub c 1
            jzero c done
            jump next
            done: out a
            halt
        """
        self.assertEqual(run(source), [18])

    def test_what_a_machine_cannot_do(self):
        for source in ("ret", "pop a", "load a 3", "jump 9", "x: jump x", "x: call x"):
            with self.assertRaises(MachineError):
                run(source)
