import unittest

from columns import arrange, column_count, render, shorten, widths_of


class ColumnsTest(unittest.TestCase):
    def test_count(self):
        self.assertEqual(column_count(8, 18), 2)
        self.assertEqual(column_count(100, 60), 1)

    def test_down_then_across(self):
        self.assertEqual(arrange(["a", "b", "c", "d", "e"], 2), [["a", "d"], ["b", "e"], ["c"]])

    def test_arrange_nothing(self):
        self.assertEqual(arrange([], 3), [])

    def test_widths(self):
        self.assertEqual(widths_of([["a", "long"], ["bcd"]]), [3, 4])

    def test_render(self):
        self.assertEqual(render(["one", "two", "three", "four"], width=12), "one  three\ntwo  four")

    def test_short_items_stay(self):
        self.assertEqual(shorten("abc", 5), "abc")

    def test_shorten(self):
        self.assertEqual(shorten("abcdefgh", 5), "ab~gh")
        self.assertEqual(shorten("abcdefgh", 6), "ab~fgh")


if __name__ == "__main__":
    unittest.main()
