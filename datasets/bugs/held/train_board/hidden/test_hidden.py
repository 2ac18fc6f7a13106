import unittest

from station import Board, Stop, Train


class HiddenTest(unittest.TestCase):
    def setUp(self):
        self.a = Train("A", [Stop("X", "22:00", "22:00", "1"), Stop("Y", "23:40", "23:45", "1")]
                       + [Stop("Z", "00:30", "00:30", "1")])
        self.b = Train("B", [Stop("Y", "23:55", "23:55", "2"), Stop("W", "01:00", "01:00", "1")])
        self.c = Train("C", [Stop("Y", "00:20", "00:20", "3"), Stop("V", "01:30", "01:30", "1")])
        self.board = Board("Y", [self.a, self.b, self.c])

    def test_connections_over_midnight(self):
        self.assertEqual(self.board.connections("A"), [("B", 15), ("C", 40)])

    def test_a_late_connection_waits_longer(self):
        self.b.delay = 10
        self.assertEqual(self.board.connections("A"), [("B", 26), ("C", 40)])

    def test_both_late(self):
        self.a.delay = self.b.delay = 20
        self.assertEqual(self.board.connections("A"), [("B", 16), ("C", 20)])

    def test_longest_wait(self):
        self.assertEqual(self.board.connections("A", longest_wait=20), [("B", 15)])

    def test_change_minutes(self):
        self.assertEqual(Board("Y", [self.a, self.b, self.c], 16).connections("A"), [("C", 40)])
