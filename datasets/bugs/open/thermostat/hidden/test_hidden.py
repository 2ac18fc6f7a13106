import unittest

from thermostat import House, Simulation, Thermostat


class HiddenTest(unittest.TestCase):
    def test_edges_belong_to_the_switch(self):
        for target, band in ((18, 2), (5, 0.5), (0, 3)):
            thermostat = Thermostat(target, band, heating=True)
            self.assertFalse(thermostat.update(target + band))
            self.assertTrue(thermostat.update(target - band))

    def test_just_inside_nothing_changes(self):
        thermostat = Thermostat(20, 1, heating=True)
        self.assertTrue(thermostat.update(20.99))
        thermostat.heating = False
        self.assertFalse(thermostat.update(19.01))

    def test_no_band_at_all(self):
        thermostat = Thermostat(20, 0, heating=True)
        self.assertFalse(thermostat.update(20.5))
        self.assertTrue(thermostat.update(20))

    def test_a_house_in_balance(self):
        simulation = Simulation(House(21, 21), Thermostat(20, heating=True))
        self.assertEqual(simulation.run(4), [21.0] * 4)
        self.assertEqual(simulation.minutes_on, 0)
        self.assertEqual(simulation.comfort(), 1.0)
