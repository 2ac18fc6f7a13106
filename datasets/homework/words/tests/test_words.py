import unittest

from words import count_words, longest


class WordsTest(unittest.TestCase):
    def test_one_word(self):
        self.assertEqual(count_words("hello"), {"hello": 1})

    def test_two_words(self):
        self.assertEqual(count_words("to be or not to be"), {"to": 2, "be": 2, "or": 1, "not": 1})

    def test_capitals_do_not_matter(self):
        self.assertEqual(count_words("Tea tea TEA"), {"tea": 3})

    def test_marks_do_not_belong_to_words(self):
        self.assertEqual(count_words("Well, well! So... well?"), {"well": 3, "so": 1})

    def test_marks_alone_are_no_words(self):
        self.assertEqual(count_words("one - two"), {"one": 1, "two": 1})

    def test_nothing(self):
        self.assertEqual(count_words(""), {})

    def test_longest(self):
        self.assertEqual(longest("a bird in the hand"), "bird")

    def test_longest_of_equals_is_the_first(self):
        self.assertEqual(longest("blue grey pink"), "blue")

    def test_longest_of_nothing(self):
        self.assertEqual(longest(""), "")
