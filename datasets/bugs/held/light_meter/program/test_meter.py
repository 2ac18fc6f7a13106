import unittest

from meter import Camera, aperture_for, bracket, exposure_value, nearest, show_shutter, shutter_for


class ExposureTest(unittest.TestCase):
    def test_zero(self):
        self.assertAlmostEqual(exposure_value(1, 1), 0)

    def test_sunny_day(self):
        self.assertAlmostEqual(exposure_value(16, 1 / 125), 15, places=1)

    def test_faster_film_needs_less_light(self):
        self.assertAlmostEqual(exposure_value(8, 1 / 4, 400), 6)

    def test_nothing(self):
        with self.assertRaises(ValueError):
            exposure_value(0, 1)


class SettingsTest(unittest.TestCase):
    def test_shutter(self):
        self.assertEqual(show_shutter(shutter_for(15, 16)), "1/125")
        self.assertEqual(show_shutter(shutter_for(12, 5.6, 200)), "1/250")

    def test_aperture(self):
        self.assertEqual(aperture_for(12, 1 / 60), 8)

    def test_nearest_in_stops(self):
        self.assertEqual(nearest([2, 8], 4.1), 8)

    def test_pairs(self):
        self.assertEqual(Camera().pairs(3), [(1.4, "1/4"), (2, "1/2"), (2.8, '1"'), (4, '2"'), (5.6, '4"'), (8, '8"')])

    def test_tripod(self):
        self.assertTrue(Camera().needs_tripod(8, 5.6))
        self.assertFalse(Camera(iso=1600).needs_tripod(8, 5.6))

    def test_bracket(self):
        self.assertEqual(bracket(8, 1 / 125), ["1/250", "1/125", "1/60"])


if __name__ == "__main__":
    unittest.main()
