import unittest

from slugs import SlugRegistry, slugify


class HiddenTest(unittest.TestCase):
    def test_capitals_are_spelled_like_small_letters(self):
        for title in ("Øre", "ÆBLE", "FJÆRE OG ØY", "Édouard"):
            self.assertEqual(slugify(title), slugify(title.lower()))

    def test_slug_is_lower_case_ascii(self):
        for title in ("Ølen 100%", "ABC def", "ÀÉÎ", "X'Y"):
            slug = slugify(title)
            self.assertEqual(slug, slug.lower())
            self.assertTrue(slug.isascii())

    def test_values(self):
        self.assertEqual(slugify("SØR & ÆR"), "soer-and-aer")
        self.assertEqual(SlugRegistry().register("ÆØ"), "aeoe")
