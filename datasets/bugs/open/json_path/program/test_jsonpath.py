import json
import pathlib
import unittest

from jsonpath import PathError, exists, find_all, find_one, tokenize

DATA = json.loads((pathlib.Path(__file__).parent / "orders.json").read_text())


class JsonPathTest(unittest.TestCase):
    def test_tokens(self):
        self.assertEqual(tokenize("a.b[0][*]"), ["a", "b", 0, "*"])

    def test_bad_index(self):
        with self.assertRaises(PathError):
            tokenize("a[x]")

    def test_single_value(self):
        self.assertEqual(find_one(DATA, "orders[0].customer"), "Lund")

    def test_negative_index(self):
        self.assertEqual(find_one(DATA, "orders[-1].customer"), "Berg")

    def test_every_price(self):
        self.assertEqual(find_all(DATA, "orders[*].lines[*].price"), [12, 5, 30])

    def test_nothing_found(self):
        self.assertEqual(find_all(DATA, "orders[9].lines"), [])
        self.assertEqual(find_one(DATA, "shop.phone", default="none"), "none")

    def test_index_into_a_dictionary(self):
        self.assertEqual(find_all(DATA, "shop[0]"), [])

    def test_exists(self):
        self.assertTrue(exists(DATA, "shop.name"))
        self.assertFalse(exists(DATA, "shop.name.first"))


if __name__ == "__main__":
    unittest.main()
