import unittest

from notes import render
from notes.document import anchor


class HiddenTest(unittest.TestCase):
    def test_many_equal_titles(self):
        used = set()
        names = [anchor("News!", used) for _ in range(5)]
        self.assertEqual(names, ["news", "news-2", "news-3", "news-4", "news-5"])
        self.assertEqual(used, set(names))

    def test_a_title_that_looks_like_a_numbered_one(self):
        used = set()
        names = [anchor(title, used) for title in ("a", "a 2", "a", "a")]
        self.assertEqual(len(set(names)), 4)
        self.assertEqual(names[:3], ["a", "a-2", "a-3"])

    def test_titles_without_letters(self):
        used = set()
        self.assertEqual([anchor("?!", used), anchor("...", used)], ["section", "section-2"])

    def test_contents_point_to_headings(self):
        html = render("# x\n# x\n# x\n", with_contents=True)
        for name in ("x", "x-2", "x-3"):
            self.assertIn(f'href="#{name}"', html)
            self.assertIn(f'id="{name}"', html)
