import unittest

from lift import DOWN, UP, Bank, Lift


class LiftTest(unittest.TestCase):
    def test_waits_without_calls(self):
        self.assertEqual(Lift(5).step(), "wait")

    def test_goes_up(self):
        lift = Lift(5)
        lift.call(2)
        self.assertEqual([lift.step() for _ in range(4)], ["up", "up", "open 2", "wait"])

    def test_opens_where_it_stands(self):
        lift = Lift(5, start=3)
        lift.call(3)
        self.assertEqual(lift.step(), "open 3")
        self.assertEqual(lift.travelled, 0)

    def test_keeps_its_direction(self):
        lift = Lift(10, start=5)
        lift.direction = UP
        lift.call(4)
        lift.call(9)
        self.assertEqual(lift.run(), [9, 4])

    def test_keeps_its_direction_downwards(self):
        lift = Lift(10, start=5)
        lift.direction = DOWN
        lift.call(6)
        lift.call(1)
        self.assertEqual(lift.run(), [1, 6])

    def test_nearest_first_when_idle(self):
        lift = Lift(10, start=5)
        for floor in (9, 4):
            lift.call(floor)
        self.assertEqual(lift.run(), [4, 9])

    def test_no_such_floor(self):
        with self.assertRaises(ValueError):
            Lift(5).call(5)


class BankTest(unittest.TestCase):
    def test_nearest_lift(self):
        low, high = Lift(10), Lift(10, start=9)
        self.assertIs(Bank([low, high]).call(7), high)

    def test_a_lift_that_moves_away_is_dearer(self):
        leaving, resting = Lift(20, start=6), Lift(20, start=0)
        leaving.direction = UP
        leaving.call(12)
        self.assertIs(Bank([leaving, resting]).call(5), resting)


if __name__ == "__main__":
    unittest.main()
