import unittest

from station import Board, Stop, Train
from station.times import minutes_until, parse_time, show_time


def make_trains():
    return [
        Train("IC 1", [Stop("Lund", "09:00", "09:00", "2"), Stop("Malmo", "09:20", "09:24", "1")]
              + [Stop("Ystad", "10:05", "10:05", "1")]),
        Train("R 7", [Stop("Malmo", "09:31", "09:31", "4"), Stop("Trelleborg", "10:02", "10:02", "1")]),
        Train("R 9", [Stop("Malmo", "09:50", "09:50", "4"), Stop("Svedala", "10:10", "10:10", "2")]),
        Train("N 3", [Stop("Ystad", "08:40", "08:40", "3"), Stop("Malmo", "09:22", "09:22", "2")]),
    ]


class TimesTest(unittest.TestCase):
    def test_parse_and_show(self):
        self.assertEqual(show_time(parse_time("07:05")), "07:05")

    def test_over_midnight(self):
        self.assertEqual(minutes_until(parse_time("23:50"), parse_time("00:10")), 20)
        self.assertEqual(minutes_until(parse_time("00:10"), parse_time("23:50")), -20)


class BoardTest(unittest.TestCase):
    def setUp(self):
        self.trains = make_trains()
        self.board = Board("Malmo", self.trains)

    def test_lines(self):
        self.assertEqual(
            self.board.lines(parse_time("09:22")),
            ["09:24 IC 1 Ystad pl. 1", "09:31 R 7 Trelleborg pl. 4", "09:50 R 9 Svedala pl. 4"],
        )

    def test_a_late_train_stays_on_the_board(self):
        self.trains[1].delay = 12
        self.assertIn("09:31 R 7 Trelleborg pl. 4 +12", self.board.lines(parse_time("09:40")))

    def test_connections(self):
        self.assertEqual(self.board.connections("N 3"), [("R 7", 9), ("R 9", 28)])

    def test_a_late_arrival_misses_a_connection(self):
        self.trains[3].delay = 5
        self.assertEqual(self.board.connections("N 3"), [("R 9", 23)])

    def test_stations_after(self):
        self.assertEqual(self.trains[0].stations_after("Lund"), ["Malmo", "Ystad"])
