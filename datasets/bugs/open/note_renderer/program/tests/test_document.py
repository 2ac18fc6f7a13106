import unittest

from notes import render
from notes.blocks import split_blocks

NOTE = """# Trip

Pack the *blue*
bag.

- tent
- two `mugs`

1. drive
2. sleep

> be early
```
x < 1
```
## Trip
"""


class DocumentTest(unittest.TestCase):
    def test_kinds(self):
        kinds = [block.kind for block in split_blocks(NOTE)]
        self.assertEqual(kinds, ["heading", "paragraph", "bullets", "numbers", "quote", "code", "heading"])

    def test_paragraph_lines_are_joined(self):
        self.assertIn("<p>Pack the <strong>blue</strong> bag.</p>", render(NOTE))

    def test_lists(self):
        html = render(NOTE)
        self.assertIn("<ul><li>tent</li><li>two <code>mugs</code></li></ul>", html)
        self.assertIn("<ol><li>drive</li><li>sleep</li></ol>", html)

    def test_code_block(self):
        self.assertIn("<pre>x &lt; 1</pre>", render(NOTE))

    def test_same_headings_get_different_anchors(self):
        html = render(NOTE)
        self.assertIn('<h1 id="trip">Trip</h1>', html)
        self.assertIn('<h2 id="trip-2">Trip</h2>', html)

    def test_third_heading_of_the_same_name(self):
        html = render("# A\n# A\n# A")
        self.assertEqual([line.split('"')[1] for line in html.splitlines()], ["a", "a-2", "a-3"])

    def test_contents(self):
        html = render("# One\n## Two *b*\n", with_contents=True)
        self.assertTrue(
            html.startswith('<nav>\n<a href="#one">One</a>\n  <a href="#two-b">Two <strong>b</strong></a>\n</nav>')
        )

    def test_empty(self):
        self.assertEqual(render("\n\n"), "")
