import unittest

from friends import load


class HiddenTest(unittest.TestCase):
    def test_a_triangle_suggests_nobody(self):
        network = load("a: b, c\nb: c")
        for person in "abc":
            self.assertEqual(network.suggestions(person), [])

    def test_nobody_is_suggested_to_themselves_or_to_friends(self):
        network = load("a: b, c, d\nb: c, e, f\nc: e\nd: f, g\ng: a")
        for person in network.links:
            suggested = set(network.suggestions(person))
            self.assertNotIn(person, suggested)
            self.assertFalse(suggested & network.links[person])

    def test_suggestions_lie_two_steps_away(self):
        network = load("a: b\nb: c\nc: d\nd: e")
        self.assertEqual(network.suggestions("a"), ["c"])
        self.assertEqual(network.suggestions("c"), ["a", "e"])

    def test_order_by_number_of_mutual_friends(self):
        network = load("me: p, q, r\nx: p\ny: p, q, r\nz: q, r")
        self.assertEqual(network.suggestions("me"), ["y", "z", "x"])
