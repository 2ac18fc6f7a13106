import unittest

from tally import merge_tallies, tally


class HiddenTest(unittest.TestCase):
    def test_merging_equals_tallying_the_whole(self):
        texts = ["green hills, green fields", "hills of green", "", "fields"]
        self.assertEqual(merge_tallies(tally(t) for t in texts), tally(" ".join(texts)))

    def test_order_does_not_matter(self):
        tallies = [{"a": 1}, {"a": 10, "b": 2}, {"b": 5, "c": 1}]
        self.assertEqual(merge_tallies(tallies), merge_tallies(tallies[::-1]))

    def test_inputs_stay_as_they_are(self):
        first = {"a": 1}
        merge_tallies([first, first])
        self.assertEqual(first, {"a": 1})
