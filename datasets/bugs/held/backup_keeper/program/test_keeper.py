import unittest
from datetime import date

from keeper import Backup, Keeper, by_month, by_week, missing_days


def backups(*names):
    return [Backup.parse(name, 100) for name in names]


class BackupTest(unittest.TestCase):
    def test_name(self):
        self.assertEqual(Backup(date(2024, 2, 3), 5, 2).name, "20240203-2")
        self.assertEqual(Backup.parse("20240203").name, "20240203-1")

    def test_weeks_at_new_year(self):
        last, first = backups("20231231", "20240101")
        self.assertNotEqual(by_week(last), by_week(first))


class KeeperTest(unittest.TestCase):
    def test_days(self):
        keeper = Keeper(days=2, weeks=0, months=0)
        self.assertEqual(keeper.kept(backups("20240301", "20240303", "20240302")), ["20240302-1", "20240303-1"])

    def test_newest_of_a_month(self):
        found = Keeper().newest_of_each(backups("20240105", "20240131", "20240120", "20240202"), by_month)
        self.assertEqual([backup.name for backup in found], ["20240202-1", "20240131-1"])

    def test_second_backup_of_a_day(self):
        keeper = Keeper(days=1, weeks=0, months=0)
        self.assertEqual(keeper.kept(backups("20240301-1", "20240301-2")), ["20240301-2"])

    def test_freed(self):
        keeper = Keeper(days=1, weeks=0, months=0)
        self.assertEqual(keeper.freed(backups("20240301", "20240302", "20240303")), 200)

    def test_nothing(self):
        self.assertEqual(Keeper().kept([]), [])

    def test_missing_days(self):
        found = missing_days(backups("20240228", "20240301"), date(2024, 2, 28), date(2024, 3, 2))
        self.assertEqual(found, [date(2024, 2, 29), date(2024, 3, 2)])


if __name__ == "__main__":
    unittest.main()
