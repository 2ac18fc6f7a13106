import unittest

from meter import APERTURES, Camera, exposure_value


class HiddenTest(unittest.TestCase):
    def test_one_stop_each(self):
        for aperture in (1.4, 4, 11):
            for iso in (50, 100, 3200):
                base = exposure_value(aperture, 1 / 8, iso)
                self.assertAlmostEqual(exposure_value(aperture, 1 / 16, iso), base + 1)
                self.assertAlmostEqual(exposure_value(aperture * 2, 1 / 8, iso), base + 2)
                self.assertAlmostEqual(exposure_value(aperture, 1 / 8, iso * 2), base - 1)

    def test_exact(self):
        self.assertAlmostEqual(exposure_value(8, 0.5), 7)
        self.assertAlmostEqual(exposure_value(2, 16), -2)

    def test_pairs_in_bright_light(self):
        self.assertEqual([pair[0] for pair in Camera().pairs(15)], [5.6, 8, 11, 16, 22])
        self.assertEqual(len(Camera().pairs(9)), len(APERTURES))
