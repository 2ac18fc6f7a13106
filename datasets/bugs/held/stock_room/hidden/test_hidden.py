import unittest

from stock import OutOfStock, StockRoom


class HiddenTest(unittest.TestCase):
    def setUp(self):
        self.room = StockRoom()
        self.room.receive("a", 10, 1)
        self.room.receive("b", 10, 2)

    def test_everything_can_be_sold_bit_by_bit(self):
        for number in range(10):
            self.room.order(number, {"a": 1})
            self.room.send(number)
        self.assertEqual((self.room.on_hand("a"), self.room.available("a")), (0, 0))
        self.assertEqual(self.room.cost_of_sales, 10)

    def test_other_orders_stay_reserved(self):
        self.room.order(1, {"a": 4, "b": 2})
        self.room.order(2, {"a": 3, "b": 1})
        self.room.send(1)
        self.assertEqual(self.room.available("a"), 3)
        self.assertEqual(self.room.available("b"), 7)
        self.room.cancel(2)
        self.assertEqual(self.room.available("a"), 6)
        self.assertEqual(self.room.reserved, {"a": 0, "b": 0})

    def test_no_more_than_is_left(self):
        self.room.order(1, {"a": 6})
        self.room.send(1)
        with self.assertRaises(OutOfStock):
            self.room.order(2, {"a": 5})
        self.room.order(2, {"a": 4})
        self.assertEqual(self.room.value(), 24)
