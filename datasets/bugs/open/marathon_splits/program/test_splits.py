import unittest

from splits import Run, parse_time, show_time


class SplitsTest(unittest.TestCase):
    def setUp(self):
        self.run_ = Run([(5, "25:00"), (10, "48:20"), (15, "1:15:00")])

    def test_times(self):
        self.assertEqual(parse_time("1:02:03"), 3723)
        self.assertEqual(show_time(3723), "1:02:03")
        self.assertEqual(show_time(65.4), "1:05")

    def test_totals(self):
        self.assertEqual((self.run_.distance, self.run_.time), (15, 4500))

    def test_pace(self):
        self.assertEqual(self.run_.pace(), 300)

    def test_sections(self):
        self.assertEqual(self.run_.sections(), [(0, 5, 300), (5, 10, 280), (10, 15, 320)])

    def test_fastest(self):
        self.assertEqual(self.run_.fastest(), (5, 10))

    def test_order(self):
        with self.assertRaises(ValueError):
            Run([(5, "25:00"), (4, "26:00")])

    def test_table(self):
        self.assertEqual(self.run_.table()[0], "0-5 km 5:00")


if __name__ == "__main__":
    unittest.main()
