import unittest

from templates import Template, render
from templates.parser import TemplateError


class RenderTest(unittest.TestCase):
    def test_plain_text(self):
        self.assertEqual(render("hello"), "hello")

    def test_value(self):
        self.assertEqual(render("Hi {{ name }}!", name="Ada"), "Hi Ada!")

    def test_nested_value(self):
        self.assertEqual(render("{{ user.name }}", user={"name": "Bo"}), "Bo")

    def test_missing_value_is_empty(self):
        self.assertEqual(render("[{{ nothing.here }}]"), "[]")

    def test_filters_in_order(self):
        self.assertEqual(render("{{ name|trim|title }}", name="  ada lovelace "), "Ada Lovelace")

    def test_markup_is_escaped(self):
        self.assertEqual(render("{{ text }}", text="<b>&"), "&lt;b&gt;&amp;")

    def test_raw(self):
        self.assertEqual(render("{{ text|raw }}", text="<b>"), "<b>")

    def test_autoescape_can_be_switched_off(self):
        self.assertEqual(Template("{{ t }}", autoescape=False).render({"t": "<"}), "<")

    def test_loop(self):
        source = "{% each p in items %}{{ p.name }}={{ p.price|money }};{% endeach %}"
        items = [{"name": "tea", "price": 250}, {"name": "pie", "price": 1000}]
        self.assertEqual(render(source, items=items), "tea=2.50;pie=10.00;")

    def test_condition_inside_a_loop(self):
        source = "{% each n in ns %}{% if n.show %}{{ n.v }}{% endif %}{% endeach %}"
        self.assertEqual(render(source, ns=[{"show": True, "v": 1}, {"show": False, "v": 2}]), "1")

    def test_missing_end(self):
        with self.assertRaises(TemplateError):
            render("{% if a %}x")

    def test_unknown_filter(self):
        with self.assertRaises(TemplateError):
            render("{{ a|shout }}", a=1)


if __name__ == "__main__":
    unittest.main()
