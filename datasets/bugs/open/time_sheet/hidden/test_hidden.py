import unittest

from timesheet import parse_sheet, report, span_minutes


class HiddenTest(unittest.TestCase):
    def test_spans_over_midnight(self):
        self.assertEqual(span_minutes("23:30-00:15"), 45)
        self.assertEqual(span_minutes("12:01-12:00"), 1439)

    def test_never_negative(self):
        for end in range(24):
            self.assertGreaterEqual(span_minutes(f"13:00-{end:02d}:00"), 0)

    def test_night_and_day(self):
        self.assertEqual(parse_sheet("Sat 06:00-07:00\nSat 20:00-04:00")["Sat"], 540)

    def test_report_of_a_night(self):
        self.assertIn("Sun 6:30", report("Sun 23:00-05:30"))
