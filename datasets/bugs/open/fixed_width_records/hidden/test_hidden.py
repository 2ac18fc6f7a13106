import unittest

from records import Member, RecordError, format_line, parse_line


class HiddenTest(unittest.TestCase):
    def test_dates_are_read_in_full(self):
        line = "000009" + "Roe, Jan".ljust(20) + "199812310000500P"
        self.assertEqual(parse_line(line), Member(9, "Roe, Jan", "1998-12-31", 500, "passive"))

    def test_round_trip_for_every_month(self):
        for month in range(1, 13):
            member = Member(1, "A", f"2020-{month:02d}-28", 1, "active")
            self.assertEqual(parse_line(format_line(member)), member)

    def test_unknown_status(self):
        with self.assertRaises(RecordError):
            parse_line("000009" + " " * 20 + "199812310000500X")
