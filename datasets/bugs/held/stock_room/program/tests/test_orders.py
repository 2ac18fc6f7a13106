import unittest

from stock import OutOfStock, StockRoom


class StockRoomTest(unittest.TestCase):
    def setUp(self):
        self.room = StockRoom()
        self.room.receive("bolt", 100, 5)
        self.room.receive("nut", 40, 3)

    def test_order_reserves(self):
        self.room.order(1, {"bolt": 30, "nut": 10})
        self.assertEqual((self.room.on_hand("bolt"), self.room.available("bolt")), (100, 70))

    def test_all_or_nothing(self):
        with self.assertRaises(OutOfStock):
            self.room.order(1, {"bolt": 30, "nut": 41})
        self.assertEqual(self.room.available("bolt"), 100)

    def test_cancel(self):
        self.room.order(1, {"bolt": 30})
        self.room.cancel(1)
        self.assertEqual(self.room.available("bolt"), 100)

    def test_send(self):
        self.room.order(1, {"bolt": 30, "nut": 10})
        self.assertEqual(self.room.send(1), 180)
        self.assertEqual(self.room.cost_of_sales, 180)
        self.assertEqual((self.room.on_hand("bolt"), self.room.available("bolt")), (70, 70))

    def test_reserved_is_not_written_off(self):
        self.room.order(1, {"nut": 30})
        with self.assertRaises(OutOfStock):
            self.room.write_off("nut", 11)
        self.assertEqual(self.room.write_off("nut", 10), 30)

    def test_reorder(self):
        self.room.order(1, {"nut": 35})
        self.assertEqual(self.room.to_reorder(10), ["nut"])
