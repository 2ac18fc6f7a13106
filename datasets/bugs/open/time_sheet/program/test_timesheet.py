import unittest

from timesheet import long_days, overtime, parse_sheet, report, show, span_minutes, to_minutes

WEEK = """
Mon 08:00-12:00 13:00-17:00
Tue 08:00-12:00 13:00-18:30
Wed 08:00-12:00
Thu 07:00-18:00
Fri 22:00-02:00
"""


class TimesheetTest(unittest.TestCase):
    def test_clock(self):
        self.assertEqual(to_minutes("08:30"), 510)
        self.assertEqual(to_minutes("24:00"), 1440)

    def test_bad_clock(self):
        with self.assertRaises(ValueError):
            to_minutes("12:60")

    def test_span(self):
        self.assertEqual(span_minutes("08:15-09:00"), 45)

    def test_span_over_midnight(self):
        self.assertEqual(span_minutes("22:00-02:00"), 240)

    def test_sheet(self):
        worked = parse_sheet(WEEK)
        self.assertEqual(worked["Mon"], 480)
        self.assertEqual(worked["Sun"], 0)

    def test_long_days(self):
        self.assertEqual(long_days(parse_sheet(WEEK)), ["Thu"])

    def test_overtime(self):
        self.assertEqual(overtime(parse_sheet(WEEK)), 36 * 60 + 30 - 2310)

    def test_show(self):
        self.assertEqual(show(-65), "-1:05")

    def test_report(self):
        self.assertEqual(report("Mon 08:00-12:00\n"), "Mon 4:00\nTotal 4:00\nBalance -34:30")


if __name__ == "__main__":
    unittest.main()
