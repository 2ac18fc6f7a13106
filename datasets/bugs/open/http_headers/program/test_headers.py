import unittest

from headers import accepted, parse_headers, parse_parameters

TEXT = """Host: example.test
Accept: text/html;q=0.8, text/plain, image/png;q=0
ACCEPT: text/css; q=0.9
X-Note: one
  two

Body: ignored
"""


class HeadersTest(unittest.TestCase):
    def setUp(self):
        self.headers = parse_headers(TEXT)

    def test_case_does_not_matter(self):
        self.assertEqual(self.headers.get("host"), "example.test")

    def test_continued_line(self):
        self.assertEqual(self.headers.get("x-note"), "one two")

    def test_body_is_not_read(self):
        self.assertNotIn("Body", self.headers)

    def test_several_values(self):
        self.assertEqual(len(self.headers.get_all("accept")), 2)

    def test_names(self):
        self.assertEqual(self.headers.names(), ["Host", "Accept", "X-Note"])

    def test_colon_in_a_value(self):
        self.assertEqual(parse_headers("Host: a:80").get("Host"), "a:80")

    def test_not_a_header(self):
        with self.assertRaises(ValueError):
            parse_headers("nonsense")

    def test_parameters(self):
        self.assertEqual(parse_parameters('text/html; Charset="utf-8"'), ("text/html", {"charset": "utf-8"}))

    def test_accepted(self):
        self.assertEqual(accepted(self.headers), ["text/plain", "text/css", "text/html"])


if __name__ == "__main__":
    unittest.main()
