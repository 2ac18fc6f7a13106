import unittest

from pond import Pond, Species, Stock


class HiddenTest(unittest.TestCase):
    def pond(self, capacity):
        return Pond(capacity, [Stock(Species("tench", 50, 0, 1), [64])])

    def test_one_total_a_year(self):
        self.assertEqual(self.pond(1000).run(4), [32, 16, 8, 4])

    def test_crowded_at_first_only(self):
        self.assertEqual(self.pond(20).run(4), [20, 10, 5, 2])

    def test_one_at_a_time(self):
        pond = self.pond(16)
        for year in range(1, 6):
            pond.year()
            self.assertEqual(len(pond.totals), year)
            self.assertEqual(pond.totals[-1], pond.total)

    def test_falling(self):
        pond = self.pond(1000)
        pond.run(2)
        self.assertEqual(pond.trend(), "down")

    def test_empty(self):
        self.assertEqual(Pond(5, []).run(2), [0, 0])
