import unittest

from thermostat import House, Simulation, Thermostat


class ThermostatTest(unittest.TestCase):
    def test_switches_on_when_cold(self):
        self.assertTrue(Thermostat(20).update(15))

    def test_stays_off_inside_the_band(self):
        self.assertFalse(Thermostat(20).update(19.5))

    def test_stays_on_inside_the_band(self):
        thermostat = Thermostat(20)
        thermostat.update(15)
        self.assertTrue(thermostat.update(20.5))

    def test_switches_at_the_edges(self):
        thermostat = Thermostat(20)
        self.assertTrue(thermostat.update(19))
        self.assertFalse(thermostat.update(21))
        self.assertEqual(thermostat.switched, 2)

    def test_counts_only_changes(self):
        thermostat = Thermostat(20)
        for temperature in (10, 11, 12, 25, 26):
            thermostat.update(temperature)
        self.assertEqual(thermostat.switched, 2)


class SimulationTest(unittest.TestCase):
    def test_house_cools_without_heating(self):
        house = House(20, 10)
        house.step(0)
        self.assertAlmostEqual(house.inside, 19)

    def test_run(self):
        simulation = Simulation(House(18, 8), Thermostat(20))
        simulation.run(3)
        self.assertEqual(simulation.history, [20.0, 21.8, 20.42])
        self.assertEqual(simulation.minutes_on, 2)

    def test_comfort_of_nothing(self):
        self.assertEqual(Simulation(House(1, 1), Thermostat(20)).comfort(), 0.0)


if __name__ == "__main__":
    unittest.main()
