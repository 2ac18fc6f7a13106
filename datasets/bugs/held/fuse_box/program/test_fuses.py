import unittest

from fuses import Circuit, FuseBox


class CircuitTest(unittest.TestCase):
    def setUp(self):
        self.kitchen = Circuit("kitchen", 16, 20, 2.5)
        self.kitchen.plug_in("oven", 2300)

    def test_amperes(self):
        self.assertEqual(self.kitchen.amperes, 10)

    def test_overloaded(self):
        self.assertFalse(self.kitchen.overloaded())
        self.kitchen.plug_in("kettle", 1840)
        self.assertTrue(self.kitchen.overloaded())

    def test_spare(self):
        self.assertEqual(self.kitchen.spare_watts(), 1380)

    def test_voltage_drop(self):
        self.assertAlmostEqual(self.kitchen.voltage_drop(), 2.8)

    def test_a_long_cable(self):
        shed = Circuit("shed", 16, 60)
        shed.plug_in("saw", 2300)
        self.assertFalse(shed.cable_is_fine())
        self.assertEqual(shed.cable_needed(), 4)
        self.assertEqual(shed.square_mm, 1.5)

    def test_no_such_fuse(self):
        with self.assertRaises(ValueError):
            Circuit("x", 15, 1)


class FuseBoxTest(unittest.TestCase):
    def setUp(self):
        self.box = FuseBox(25, [Circuit("up", 10, 10), Circuit("down", 16, 10)])

    def test_best_circuit(self):
        self.box.circuits["down"].plug_in("heater", 2000)
        self.assertEqual(self.box.best_circuit(500), "up")
        self.assertIsNone(self.box.best_circuit(2500))

    def test_main_fuse(self):
        self.box.circuits["up"].plug_in("a", 2300)
        self.box.circuits["down"].plug_in("b", 3680)
        self.assertEqual(self.box.trips(), ["main"])


if __name__ == "__main__":
    unittest.main()
