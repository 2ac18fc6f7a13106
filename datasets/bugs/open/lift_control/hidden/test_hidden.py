import unittest

from lift import DOWN, IDLE, UP, Bank, Lift


class HiddenTest(unittest.TestCase):
    def test_cost_on_the_way_is_the_distance(self):
        lift = Lift(20, start=10)
        lift.call(15)
        lift.call(2)
        for direction, floor in ((UP, 14), (UP, 19), (DOWN, 3), (IDLE, 2), (IDLE, 18), (UP, 10)):
            lift.direction = direction
            self.assertEqual(Bank([lift]).cost(lift, floor), abs(floor - 10))

    def test_cost_of_turning_round(self):
        lift = Lift(20, start=10)
        lift.call(15)
        lift.direction = UP
        self.assertEqual(Bank([lift]).cost(lift, 9), 11)
        lift.call(18)
        self.assertEqual(Bank([lift]).cost(lift, 4), 22)

    def test_no_calls_means_no_detour(self):
        lift = Lift(20, start=10)
        lift.direction = DOWN
        self.assertEqual(Bank([lift]).cost(lift, 12), 2)
