import unittest

from plans import Call, Plan, advice, cheapest


def flat(name, monthly):
    return Plan(name, monthly, {"local": 0, "mobile": 0, "abroad": 0})


class HiddenTest(unittest.TestCase):
    def setUp(self):
        self.calls = [Call("2024-01-01", "local", 60)]

    def test_any_order(self):
        plans = [flat("a", 300), flat("b", 200), flat("c", 400)]
        for order in (plans, plans[::-1], plans[1:] + plans[:1]):
            best, cents = cheapest(order, self.calls)
            self.assertEqual((best.name, cents), ("b", 200))

    def test_expensive_ones(self):
        best, cents = cheapest([flat("x", 10**9), flat("y", 10**10)], self.calls)
        self.assertEqual((best.name, cents), ("x", 10**9))

    def test_of_equals_the_first(self):
        self.assertEqual(cheapest([flat("a", 7), flat("b", 7)], self.calls)[0].name, "a")

    def test_for_nothing(self):
        self.assertEqual(cheapest([flat("a", 7), flat("free", 0)], self.calls)[0].name, "free")

    def test_saving(self):
        plans = [flat("a", 700), flat("b", 550)]
        self.assertEqual(advice(plans, plans[0], self.calls), "b saves 1.50 euros.")
