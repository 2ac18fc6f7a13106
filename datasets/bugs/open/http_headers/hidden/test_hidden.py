import unittest

from headers import parse_headers


class HiddenTest(unittest.TestCase):
    def test_values_with_colons(self):
        headers = parse_headers("Location: https://a.test:8080/x?t=1:2\nDate: Mon, 10:20:30")
        self.assertEqual(headers.get("location"), "https://a.test:8080/x?t=1:2")
        self.assertEqual(headers.get("date"), "Mon, 10:20:30")

    def test_continued_value_with_a_colon(self):
        self.assertEqual(parse_headers("A: b\n c:d\nE: f").get("A"), "b c:d")

    def test_empty_value(self):
        self.assertEqual(parse_headers("A:\nB: 1").get("A"), "")
