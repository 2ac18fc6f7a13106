import unittest

from colours import NAMES, checked, parse, to_hex


class HiddenTest(unittest.TestCase):
    def test_rgb_and_hex_agree(self):
        for colour in NAMES.values():
            self.assertEqual(parse("rgb(%d,%d,%d)" % colour), colour)
            self.assertEqual(parse(to_hex(colour)), colour)

    def test_checked(self):
        self.assertEqual(checked([0, 255, 7]), (0, 255, 7))
        for bad in ([1, 2], [1, 2, 3, 4], [-1, 0, 0]):
            with self.assertRaises(ValueError):
                checked(bad)
