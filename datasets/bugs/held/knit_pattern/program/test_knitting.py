import unittest

from knitting import Gauge, Pattern, PatternError, expand, round_up, written


class ReadingTest(unittest.TestCase):
    def test_expand(self):
        self.assertEqual(expand("K2 (P1 K1)x3 P2"), "KKPKPKPKPP")
        self.assertEqual(expand("(K1 (P2)x2)x2"), "KPPPPKPPPP")

    def test_mistakes(self):
        for text in ("K", "Q3", "(K1", "K1)x2"):
            with self.assertRaises(PatternError):
                expand(text)

    def test_written(self):
        self.assertEqual(written("KKPK"), "K2 P1 K1")

    def test_rows_of_different_length(self):
        with self.assertRaises(PatternError):
            Pattern(["K2 P2", "K3"])


class FittingTest(unittest.TestCase):
    def setUp(self):
        self.gauge = Gauge(20, 30)
        self.rib = Pattern(["K2 P2", "K2 P2"])

    def test_gauge(self):
        self.assertEqual((self.gauge.stitches_for(12.2), self.gauge.rows_for(5)), (25, 15))

    def test_round_up(self):
        self.assertEqual([round_up(count, 4) for count in (1, 4, 5)], [4, 4, 8])

    def test_cast_on(self):
        self.assertEqual(self.rib.cast_on(self.gauge, 10), 22)
        self.assertEqual(self.rib.cast_on(self.gauge, 11), 22)

    def test_rows(self):
        self.assertEqual(self.rib.row(1, 10), "K3 P2 K2 P2 K1")
        self.assertEqual(self.rib.row(2, 10), "K3 P2 K2 P2 K1")

    def test_instructions(self):
        lines = Pattern(["K1 P2"], edge=0).instructions(self.gauge, 4, 1)
        self.assertEqual(
            lines,
            ["Cast on 9.", "Row 1: K1 P2 K1 P2 K1 P2", "Row 2: K2 P1 K2 P1 K2 P1", "Row 3: K1 P2 K1 P2 K1 P2"],
        )


if __name__ == "__main__":
    unittest.main()
