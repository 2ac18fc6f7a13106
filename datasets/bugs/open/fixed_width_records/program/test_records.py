import pathlib
import unittest

from records import Member, RecordError, fees_by_year, format_line, parse_line, read

FILE = pathlib.Path(__file__).with_name("members.txt")


class RecordsTest(unittest.TestCase):
    def setUp(self):
        self.members = read(FILE.read_text())

    def test_every_line_is_a_member(self):
        self.assertEqual([m.number for m in self.members], [1, 17, 230])

    def test_names(self):
        self.assertEqual(self.members[1].name, "Okafor, Chidi")

    def test_dates(self):
        self.assertEqual(self.members[0].joined, "2001-03-15")

    def test_status_and_fee(self):
        self.assertEqual((self.members[2].status, self.members[2].fee), ("honorary", 0))

    def test_fees_by_year(self):
        self.assertEqual(fees_by_year(self.members), {2001: 12000, 2019: 9000})

    def test_short_line(self):
        with self.assertRaisesRegex(RecordError, "line 1"):
            read("000001Halvorsen")

    def test_format_cuts_long_names(self):
        member = Member(5, "x" * 30, "2020-01-02", 100, "active")
        self.assertEqual(format_line(member), "000005" + "x" * 20 + "202001020000100A")

    def test_round_trip(self):
        for member in self.members:
            self.assertEqual(parse_line(format_line(member)), member)


if __name__ == "__main__":
    unittest.main()
