import unittest

from colours import brightness, gradient, mix, nearest_name, parse, text_colour, to_hex


class ParseTest(unittest.TestCase):
    def test_name(self):
        self.assertEqual(parse(" Orange "), (255, 165, 0))

    def test_hex(self):
        self.assertEqual(parse("#ff8000"), (255, 128, 0))
        self.assertEqual(parse("#F80"), (255, 136, 0))

    def test_function(self):
        self.assertEqual(parse("rgb(1, 20, 255)"), (1, 20, 255))

    def test_out_of_range(self):
        with self.assertRaises(ValueError):
            parse("rgb(0, 0, 256)")

    def test_nonsense(self):
        for text in ("", "#12", "purplish"):
            with self.assertRaises(ValueError):
                parse(text)


class ColourTest(unittest.TestCase):
    def test_mix(self):
        self.assertEqual(mix((0, 0, 0), (200, 100, 50)), (100, 50, 25))
        self.assertEqual(mix((0, 0, 0), (200, 100, 50), 0.1), (20, 10, 5))

    def test_text_is_readable(self):
        self.assertEqual(text_colour((255, 255, 0)), "black")
        self.assertEqual(text_colour((0, 0, 255)), "white")

    def test_brightness(self):
        self.assertEqual(brightness((255, 255, 255)), 255)

    def test_nearest(self):
        self.assertEqual(nearest_name((250, 10, 20)), "red")

    def test_gradient(self):
        self.assertEqual(gradient((0, 0, 0), (0, 0, 255), 3), ["#000000", "#000080", "#0000ff"])

    def test_hex(self):
        self.assertEqual(to_hex((1, 2, 3)), "#010203")


if __name__ == "__main__":
    unittest.main()
