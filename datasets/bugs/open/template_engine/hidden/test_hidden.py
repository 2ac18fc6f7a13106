import unittest

from templates import render


class HiddenTest(unittest.TestCase):
    def test_title_of_several_words(self):
        self.assertEqual(render("{{ t|title }}", t="the long way home"), "The Long Way Home")

    def test_title_of_shouted_text(self):
        self.assertEqual(render("{{ t|title }}", t="NEW YORK"), "New York")

    def test_title_of_a_number(self):
        self.assertEqual(render("{{ t|title }}", t=12), "12")

    def test_upper_and_trim_are_as_before(self):
        self.assertEqual(render("{{ t|trim|upper }}", t=" a b "), "A B")

    def test_quote_is_escaped(self):
        self.assertEqual(render("{{ t }}", t='"'), "&quot;")
