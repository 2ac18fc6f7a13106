import unittest

from fleet.desk import Desk, NothingFree
from fleet.vehicles import Vehicle


class HiddenTest(unittest.TestCase):
    def setUp(self):
        self.desk = Desk([Vehicle("V", "van")])

    def test_extension_keeps_the_first_day(self):
        rental = self.desk.extend(self.desk.rent("a", "van", 10, 12), 13)
        self.assertEqual((rental.first, rental.last, rental.customer), (10, 13, "a"))
        self.assertEqual(self.desk.rentals, [rental])

    def test_extended_rental_is_paid_in_full(self):
        self.desk.extend(self.desk.rent("a", "van", 10, 12), 14)
        self.assertEqual(self.desk.income(10, 10), 5 * 7900)

    def test_days_before_stay_taken(self):
        rental = self.desk.rent("a", "van", 10, 12)
        self.desk.extend(rental, 15)
        for day in range(10, 16):
            with self.assertRaises(NothingFree):
                self.desk.rent("b", "van", day, day)
        self.desk.rent("b", "van", 16, 16)
        self.desk.rent("b", "van", 9, 9)

    def test_extend_twice(self):
        rental = self.desk.rent("a", "van", 1, 1)
        for last in (2, 3):
            rental = self.desk.extend(rental, last)
        self.assertEqual(rental.days, 3)
