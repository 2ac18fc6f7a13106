import unittest

from notes.inline import render_inline


class InlineTest(unittest.TestCase):
    def test_plain(self):
        self.assertEqual(render_inline("a < b & c"), "a &lt; b &amp; c")

    def test_marks(self):
        self.assertEqual(render_inline("*big* _soft_"), "<strong>big</strong> <em>soft</em>")

    def test_nested(self):
        self.assertEqual(render_inline("*a _b_ c*"), "<strong>a <em>b</em> c</strong>")

    def test_code_is_left_alone(self):
        self.assertEqual(render_inline("`*x* <y>`"), "<code>*x* &lt;y&gt;</code>")

    def test_link(self):
        self.assertEqual(render_inline("[*go*](x.html)!"), '<a href="x.html"><strong>go</strong></a>!')

    def test_escapes(self):
        self.assertEqual(render_inline(r"\*no\*"), "*no*")

    def test_lonely_marks(self):
        self.assertEqual(render_inline("2 * 3 [a] `"), "2 * 3 [a] `")
