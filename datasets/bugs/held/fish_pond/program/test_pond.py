import unittest

from pond import Pond, Species, Stock


class StockTest(unittest.TestCase):
    def setUp(self):
        self.stock = Stock(Species("carp", 50, 20, 2), [100, 40, 10, 6])

    def test_grown(self):
        self.assertEqual((self.stock.total, self.stock.grown), (156, 16))

    def test_grow_older(self):
        self.stock.grow_older()
        self.assertEqual(self.stock.ages, [32, 50, 20, 5, 3])

    def test_catch_the_oldest_first(self):
        self.assertEqual(self.stock.catch(8), 8)
        self.assertEqual(self.stock.ages, [100, 40, 8, 0])

    def test_catch_what_is_there(self):
        self.assertEqual(self.stock.catch(100), 16)


class PondTest(unittest.TestCase):
    def make(self, capacity=1000, quota=0):
        carp = Stock(Species("carp", 50, 20, 1), [0, 100])
        pike = Stock(Species("pike", 50, 5, 2), [0, 0, 20])
        return Pond(capacity, [carp, pike], quota)

    def test_totals(self):
        self.assertEqual(self.make().run(3), [270, 240, 370])

    def test_a_small_pond(self):
        self.assertEqual(self.make(capacity=100).run(1), [99])

    def test_trend(self):
        pond = self.make()
        pond.run(3)
        self.assertEqual(pond.trend(), "up")
        self.assertEqual(Pond(10, []).trend(), "steady")

    def test_caught(self):
        pond = self.make(quota=15)
        pond.year()
        self.assertEqual(pond.caught, 30)

    def test_dying_out(self):
        pond = self.make(quota=30)
        pond.year()
        self.assertEqual(pond.dying_out(), ["pike"])


if __name__ == "__main__":
    unittest.main()
