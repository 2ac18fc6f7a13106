import contextlib
import io
import unittest

from tally import chart, main, merge_tallies, most_common, tally, words_of


class TallyTest(unittest.TestCase):
    def test_words(self):
        self.assertEqual(list(words_of("Don't stop; 'quoted' 42 words")), ["don't", "stop", "quoted", "words"])

    def test_stop_words_are_left_out(self):
        self.assertEqual(tally("The cat and the dog"), {"cat": 1, "dog": 1})

    def test_counts(self):
        self.assertEqual(tally("red blue red"), {"red": 2, "blue": 1})

    def test_merge(self):
        self.assertEqual(merge_tallies([{"x": 2, "y": 1}, {"x": 3}]), {"x": 5, "y": 1})

    def test_merge_of_nothing(self):
        self.assertEqual(merge_tallies([]), {})

    def test_ties_are_alphabetical(self):
        self.assertEqual(most_common({"b": 1, "a": 1, "c": 3}, 2), [("c", 3), ("a", 1)])

    def test_chart(self):
        self.assertEqual(chart({"ab": 4, "c": 1}, width=4), "ab #### 4\n c # 1")

    def test_main_prints_a_chart(self):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            main(["sun sun", "sun moon"])
        self.assertEqual(out.getvalue().splitlines()[0].split()[-1], "3")


if __name__ == "__main__":
    unittest.main()
