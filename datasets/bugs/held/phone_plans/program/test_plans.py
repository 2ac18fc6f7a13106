import unittest

from plans import Call, Plan, advice, busiest_zone, by_month, cheapest, total_cost

CALLS = [
    Call.parse(line)
    for line in (
        "2024-05-03 mobile 2:05",
        "2024-05-01 local 10:00",
        "2024-05-09 abroad 3:01",
        "2024-06-02 local 0:20",
    )
]
BASIC = Plan("Basic", 500, {"local": 2, "mobile": 10, "abroad": 50})
TALK = Plan("Talk", 700, {"local": 1, "mobile": 5, "abroad": 20}, free_minutes=12)
NOTHING = Plan("Nothing", 0, {"local": 10, "mobile": 40, "abroad": 200})


class PlanTest(unittest.TestCase):
    def test_started_minutes(self):
        self.assertEqual([call.minutes for call in CALLS], [3, 10, 4, 1])

    def test_months(self):
        self.assertEqual([len(calls) for calls in by_month(CALLS).values()], [3, 1])

    def test_cost(self):
        self.assertEqual(BASIC.cost(CALLS[:3]), 500 + 30 + 20 + 200)

    def test_free_minutes(self):
        self.assertEqual(TALK.cost(CALLS[:3]), 700 + 5 + 80)

    def test_all_months(self):
        self.assertEqual(total_cost(TALK, CALLS), 785 + 700)

    def test_cheapest(self):
        self.assertEqual(cheapest([BASIC, TALK, NOTHING], CALLS), (NOTHING, 1030))

    def test_advice(self):
        self.assertEqual(advice([BASIC, TALK], TALK, CALLS), "Basic saves 2.33 euros.")
        self.assertEqual(advice([BASIC, TALK], BASIC, CALLS), "Stay with Basic.")

    def test_busiest(self):
        self.assertEqual(busiest_zone(CALLS), "local")


if __name__ == "__main__":
    unittest.main()
