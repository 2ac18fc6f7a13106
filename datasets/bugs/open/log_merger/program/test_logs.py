import unittest

from logs.entry import Entry, parse
from logs.merge import merge, read, select
from logs.report import counts, report

WEB = """2024-05-01 10:00:00 INFO started
2024-05-01 10:00:05 ERROR no answer
  at line 5
2024-05-01 10:00:09 INFO stopped
"""
DISK = """2024-05-01 10:00:01 WARN disk nearly full
2024-05-01 10:00:05 DEBUG checked
"""


class LogsTest(unittest.TestCase):
    def test_parse(self):
        entry = parse("2024-05-01 10:00:00 INFO started up", "web")
        self.assertEqual(entry, Entry("2024-05-01 10:00:00", "INFO", "started up", "web"))

    def test_not_an_entry(self):
        self.assertIsNone(parse("Traceback follows", "web"))

    def test_continued_message(self):
        entries = read("web", WEB)
        self.assertEqual(len(entries), 3)
        self.assertEqual(entries[1].message, "no answer / at line 5")
        self.assertEqual(entries[1].source, "web")

    def test_merged_by_time(self):
        merged = merge({"web": WEB, "disk": DISK})
        self.assertEqual([e.source for e in merged], ["web", "disk", "disk", "web", "web"])

    def test_select_by_level(self):
        merged = merge({"disk": DISK})
        self.assertEqual([e.level for e in select(merged, "INFO")], ["WARN"])

    def test_select_by_time(self):
        merged = merge({"web": WEB})
        self.assertEqual(len(select(merged, end="2024-05-01 10:00:09")), 2)

    def test_counts(self):
        table = counts(merge({"disk": DISK}))
        self.assertEqual(table, {"disk": {"DEBUG": 1, "INFO": 0, "WARN": 1, "ERROR": 0}})

    def test_report(self):
        lines = report({"web": WEB, "disk": DISK}).splitlines()
        self.assertEqual(lines[0], "2024-05-01 10:00:01 [disk] WARN disk nearly full")
        self.assertEqual(lines[-1], "web: ERROR 1")


if __name__ == "__main__":
    unittest.main()
