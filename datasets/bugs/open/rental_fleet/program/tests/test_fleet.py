import unittest

from fleet.desk import Desk, NothingFree
from fleet.vehicles import Rental, Vehicle


class FleetTest(unittest.TestCase):
    def setUp(self):
        self.desk = Desk([Vehicle("A1", "car"), Vehicle("A2", "car"), Vehicle("V1", "van")])

    def test_price(self):
        self.assertEqual(Rental("x", Vehicle("b", "bike"), 1, 3).price(), 4500)

    def test_price_of_a_long_rental(self):
        self.assertEqual(Rental("x", Vehicle("b", "bike"), 1, 8).price(), 6 * 1500 + 2 * 1200)

    def test_both_ends_are_taken(self):
        self.desk.rent("ann", "van", 3, 5)
        for first, last in ((5, 9), (1, 3), (4, 4)):
            with self.assertRaises(NothingFree):
                self.desk.rent("bob", "van", first, last)

    def test_free_before_and_after(self):
        self.desk.rent("ann", "van", 3, 5)
        self.desk.rent("bob", "van", 6, 7)
        self.desk.rent("cas", "van", 1, 2)
        self.assertEqual(len(self.desk.rentals), 3)

    def test_least_used_first(self):
        plates = [self.desk.rent("x", "car", day, day).vehicle.plate for day in (1, 5, 9)]
        self.assertEqual(plates, ["A1", "A2", "A1"])

    def test_extend(self):
        rental = self.desk.rent("ann", "van", 1, 2)
        self.assertEqual(self.desk.extend(rental, 5).days, 5)

    def test_extend_into_another_rental(self):
        rental = self.desk.rent("ann", "van", 1, 2)
        self.desk.rent("bob", "van", 5, 6)
        with self.assertRaises(NothingFree):
            self.desk.extend(rental, 5)

    def test_income(self):
        self.desk.rent("ann", "van", 1, 2)
        self.desk.rent("bob", "van", 8, 8)
        self.assertEqual(self.desk.income(1, 7), 15800)

    def test_backwards(self):
        with self.assertRaises(ValueError):
            self.desk.rent("x", "car", 5, 4)
