import random
import unittest
from datetime import date, timedelta

from keeper import Backup, Keeper, by_day, by_month, by_week


class HiddenTest(unittest.TestCase):
    def setUp(self):
        start = date(2023, 11, 20)
        self.backups = [Backup(start + timedelta(days=i), 1, n) for i in range(100) for n in (1, 2)]
        random.Random(4).shuffle(self.backups)

    def test_newest_of_each(self):
        for period in (by_day, by_week, by_month):
            for found in Keeper().newest_of_each(self.backups, period):
                same = [b for b in self.backups if period(b) == period(found)]
                self.assertEqual(found.name, max(b.name for b in same))

    def test_months(self):
        kept = Keeper(days=0, weeks=0, months=3).kept(self.backups)
        self.assertEqual(kept, ["20231231-2", "20240131-2", "20240227-2"])

    def test_order_does_not_matter(self):
        keeper = Keeper(days=3, weeks=3, months=3)
        self.assertEqual(keeper.kept(self.backups), keeper.kept(self.backups[::-1]))
        self.assertEqual(len(keeper.dropped(self.backups)), keeper.freed(self.backups))
