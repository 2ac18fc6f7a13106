import unittest

from slugs import SlugRegistry, shorten, slugify, to_ascii


class SlugifyTest(unittest.TestCase):
    def test_words(self):
        self.assertEqual(slugify("Hello, World"), "hello-world")

    def test_accents(self):
        self.assertEqual(to_ascii("crème brûlée"), "creme brulee")

    def test_spelled_characters(self):
        self.assertEqual(slugify("Straße & Weg"), "strasse-and-weg")

    def test_apostrophe_joins(self):
        self.assertEqual(slugify("Don't panic"), "dont-panic")

    def test_capital_special_letters(self):
        self.assertEqual(slugify("Ærø in May"), "aeroe-in-may")

    def test_nothing_left(self):
        self.assertEqual(slugify("!!!"), "untitled")

    def test_limit(self):
        self.assertEqual(shorten(["one", "two", "three"], 8), "one-two")
        self.assertEqual(shorten(["abcdef"], 4), "abcd")


class RegistryTest(unittest.TestCase):
    def test_same_title_twice(self):
        registry = SlugRegistry()
        slugs = [registry.register("News") for _ in range(3)]
        self.assertEqual(slugs, ["news", "news-2", "news-3"])

    def test_lookup(self):
        registry = SlugRegistry()
        registry.register("About Us")
        self.assertEqual(registry.lookup("/About-Us/"), "About Us")
        self.assertIsNone(registry.lookup("contact"))


if __name__ == "__main__":
    unittest.main()
