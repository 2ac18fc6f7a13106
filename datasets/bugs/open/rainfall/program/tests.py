import unittest

from rainfall import bars, by_month, driest, month_name, parse, spells, wettest_spell

TEXT = """
2023-05-01 4.0
2023-05-02 12.5
2023-05-03 T
2023-05-04 -
2023-05-30 6.0
2023-06-01 30.0
2023-06-02 0.5
2023-06-03 2.5
"""


class RainfallTest(unittest.TestCase):
    def setUp(self):
        self.readings = parse(TEXT)

    def test_missing_readings_are_left_out(self):
        self.assertEqual(len(self.readings), 7)

    def test_trace(self):
        self.assertIn(("2023-05-03", 0.0), self.readings)

    def test_negative(self):
        with self.assertRaises(ValueError):
            parse("2023-01-01 -2")

    def test_by_month(self):
        self.assertEqual(by_month(self.readings), {"2023-05": 22.5, "2023-06": 33.0})

    def test_driest(self):
        self.assertEqual(driest(self.readings), "May 2023")
        self.assertIsNone(driest([]))

    def test_month_name(self):
        self.assertEqual(month_name("1999-12"), "Dec 1999")

    def test_spells(self):
        self.assertEqual(
            spells(self.readings),
            [("2023-05-01", 2, 16.5), ("2023-05-30", 2, 36.0), ("2023-06-03", 1, 2.5)],
        )

    def test_wettest(self):
        self.assertEqual(wettest_spell(self.readings), ("2023-05-30", 2, 36.0))

    def test_bars(self):
        self.assertEqual(bars(self.readings), "May 2023 **\nJun 2023 ***")


if __name__ == "__main__":
    unittest.main()
