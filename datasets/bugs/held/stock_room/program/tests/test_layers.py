import unittest

from stock import Layers, OutOfStock


class LayersTest(unittest.TestCase):
    def setUp(self):
        self.layers = Layers()
        self.layers.receive(10, 100)
        self.layers.receive(5, 120)

    def test_value(self):
        self.assertEqual((self.layers.quantity, self.layers.value), (15, 1600))

    def test_first_in_first_out(self):
        self.assertEqual(self.layers.issue(12), 1240)
        self.assertEqual(self.layers.value, 360)

    def test_too_many(self):
        with self.assertRaises(OutOfStock):
            self.layers.issue(16)
        self.assertEqual(self.layers.quantity, 15)

    def test_return(self):
        self.layers.return_first(1, 90)
        self.assertEqual(self.layers.issue(2), 190)
