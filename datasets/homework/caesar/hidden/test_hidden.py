import string
import unittest

from caesar import decode, encode


class HiddenTest(unittest.TestCase):
    def test_there_and_back(self):
        for shift in (0, 1, 13, 25, 26, 60):
            self.assertEqual(decode(encode("The Quick, brown fox! 42", shift), shift), "The Quick, brown fox! 42")

    def test_alphabet(self):
        letters = string.ascii_lowercase
        for shift in range(26):
            self.assertEqual(encode(letters, shift), letters[shift:] + letters[:shift])
            self.assertEqual(encode(letters.upper(), shift), (letters[shift:] + letters[:shift]).upper())

    def test_signs(self):
        self.assertEqual(encode("@[`{ 09", 5), "@[`{ 09")
