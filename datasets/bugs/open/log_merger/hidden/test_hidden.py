import unittest

from logs.merge import merge, read
from logs.report import report

LINE = "2024-01-0{} 00:00:00 ERROR failed {}\n more\n  and more\n"


class HiddenTest(unittest.TestCase):
    def test_continued_messages_keep_source_and_text(self):
        text = "".join(LINE.format(day, day) for day in range(1, 4))
        entries = read("job", text)
        self.assertEqual([e.source for e in entries], ["job"] * 3)
        self.assertEqual(entries[2].message, "failed 3 / more / and more")

    def test_report_of_continued_messages(self):
        lines = report({"b": LINE.format(1, "x"), "a": LINE.format(2, "y")}).splitlines()
        self.assertEqual(lines[0], "2024-01-01 00:00:00 [b] ERROR failed x / more / and more")
        self.assertEqual(lines[2:], ["a: ERROR 1", "b: ERROR 1"])

    def test_same_time_by_name(self):
        merged = merge({"z": LINE.format(1, 1), "c": LINE.format(1, 1)})
        self.assertEqual([e.source for e in merged], ["c", "z"])

    def test_continuation_before_any_entry_is_dropped(self):
        self.assertEqual(read("x", "  lost\n"), [])
