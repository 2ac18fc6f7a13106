import unittest

from friends import Network, load

TEXT = """
ada: ben, cleo
ben: dan
cleo: dan, eva
fay:
gus: hal
"""


class NetworkTest(unittest.TestCase):
    def setUp(self):
        self.network = load(TEXT)

    def test_friends_go_both_ways(self):
        self.assertEqual(self.network.friends("dan"), ["ben", "cleo"])

    def test_mutual(self):
        self.assertEqual(self.network.mutual("ada", "dan"), ["ben", "cleo"])

    def test_suggestions(self):
        self.assertEqual(self.network.suggestions("ada"), ["dan", "eva"])

    def test_friends_are_not_suggested(self):
        self.network.connect("ada", "dan")
        self.assertEqual(self.network.suggestions("ada"), ["eva"])

    def test_no_suggestions_for_the_lonely(self):
        self.assertEqual(self.network.suggestions("fay"), [])

    def test_circles(self):
        self.assertEqual(
            self.network.circles(), [["ada", "ben", "cleo", "dan", "eva"], ["gus", "hal"], ["fay"]]
        )

    def test_disconnect(self):
        self.network.disconnect("hal", "gus")
        self.assertEqual(self.network.friends("gus"), [])

    def test_not_with_oneself(self):
        with self.assertRaises(ValueError):
            Network().connect("ada", "ada")

    def test_most_connected(self):
        self.assertEqual(self.network.most_connected(), "cleo")
