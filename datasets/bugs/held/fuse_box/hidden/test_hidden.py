import unittest

from fuses import Circuit


class HiddenTest(unittest.TestCase):
    def circuit(self, metres, square_mm):
        circuit = Circuit("c", 16, metres, square_mm)
        circuit.plug_in("d", 1150)
        return circuit

    def test_twice_as_thick_loses_half(self):
        self.assertAlmostEqual(self.circuit(30, 4).voltage_drop() / 2, self.circuit(30, 8).voltage_drop())

    def test_exact(self):
        self.assertAlmostEqual(self.circuit(10, 1).voltage_drop(), 1.75)
        self.assertAlmostEqual(self.circuit(100, 10).voltage_drop(), 1.75)

    def test_cables(self):
        self.assertEqual([self.circuit(m, 1.5).cable_needed() for m in (10, 80, 150, 300, 600)], [1.5, 2.5, 4, 10, None])

    def test_nothing_plugged_in(self):
        self.assertEqual(Circuit("c", 6, 50).voltage_drop(), 0)
