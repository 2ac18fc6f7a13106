import unittest

from caesar import decode, encode


class CaesarTest(unittest.TestCase):
    def test_one_letter(self):
        self.assertEqual(encode("a", 3), "d")

    def test_word(self):
        self.assertEqual(encode("hello", 3), "khoor")

    def test_round_the_end(self):
        self.assertEqual(encode("xyz", 3), "abc")

    def test_capitals_stay_capitals(self):
        self.assertEqual(encode("XyZ", 3), "AbC")

    def test_other_signs_stay(self):
        self.assertEqual(encode("a b, c!", 1), "b c, d!")

    def test_decode(self):
        self.assertEqual(decode("khoor", 3), "hello")

    def test_decode_round_the_end(self):
        self.assertEqual(decode("Abc", 3), "Xyz")

    def test_large_shift(self):
        self.assertEqual(encode("xyz", 29), "abc")
