"""A name is changed where it means the thing that was named, and nowhere else."""

from __future__ import annotations

import ast

import pytest

from offline.coder.changing import blocks, replacements
from offline.coder.renaming import Renaming, renamed, renaming_of

HOME = '''\
"""count counts."""

__all__ = ["count", "other"]


def count(items, start=0):
    """Return the count of items."""
    return len(items) + start  # count is right


def other(count):
    return count + 1


def third():
    count_of = count([1])
    é = "ü"; return count_of + count([2], start=count([é]))
'''
AWAY = """\
import home
from home import count as c
from home import count


def use(items):
    return count(items) + home.count(items) + c(items)


def hides():
    count = 3
    return count
"""


def change(old: str, new: str, files: dict[str, str], only: str = "") -> dict[str, str]:
    found = renaming_of(old, new, files, only)
    assert isinstance(found, Renaming), found
    made = {path: renamed(path, text, found) for path, text in files.items()}
    for text in made.values():
        ast.parse(text)
    return made


def test_a_function_is_renamed_where_it_is_meant_and_not_where_a_local_has_its_name():
    made = change("count", "tally", {"home.py": HOME, "away.py": AWAY})
    assert made["home.py"] == (
        HOME.replace('["count"', '["tally"')
        .replace("def count(items", "def tally(items")
        .replace("count_of = count(", "count_of = tally(")
        .replace("count_of + count([2], start=count([é]))", "count_of + tally([2], start=tally([é]))")
    )
    assert made["away.py"] == (
        AWAY.replace("import count as c", "import tally as c")
        .replace("import count\n", "import tally\n")
        .replace("return count(items) + home.count(items)", "return tally(items) + home.tally(items)")
    )


def test_a_method_and_an_attribute_are_renamed_with_every_use():
    text = "class Cart:\n    def __init__(self):\n        self.lines = []\n\n    def add(self, x):\n        self.lines.append(x)\n"
    use = "from cart import Cart\ncart = Cart()\ncart.add(1)\nadd = len(cart.lines)\n"
    made = change("Cart.add", "put", {"cart.py": text, "use.py": use})
    assert "def put(self, x)" in made["cart.py"]
    assert made["use.py"] == use.replace("cart.add(1)", "cart.put(1)")
    assert "self.rows.append" in change("lines", "rows", {"cart.py": text, "use.py": use})["cart.py"]


def test_a_local_variable_and_a_parameter_are_renamed_with_calls_that_name_it():
    text = "def area(width, height):\n    return width * height\n\n\nprint(area(width=2, height=3))\n"
    assert change("width", "columns", {"a.py": text})["a.py"] == text.replace("width", "columns")


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ("count", "other", "used already"),
        ("count", "class", "cannot be used as a name"),
        ("count", "len", "cannot be used as a name"),
        ("nothing_here", "x1", "no nothing_here"),
    ],
)
def test_what_cannot_be_renamed_is_said(old: str, new: str, part: str):
    found = renaming_of(old, new, {"home.py": HOME})
    assert isinstance(found, str)
    assert part in found


def test_two_classes_with_the_same_method_are_not_guessed_between():
    text = "class A:\n    def go(self): ...\n\n\nclass B:\n    def go(self): ...\n"
    assert "A and B" in str(renaming_of("go", "run_it", {"a.py": text}))


def test_the_edits_replay_to_the_wanted_text_each_old_text_being_unique_in_its_turn():
    text = "a = 1\nb = 1\na = 1\nb = 1\nc = a\n"
    wanted = text.replace("a", "x")
    for before, after in replacements(text, wanted):
        assert text.count(before) == 1
        text = text.replace(before, after)
    assert text == wanted


def test_added_lines_are_edits_that_are_unique():
    text = "import a\n\n\ndef f():\n    pass\n\n\ndef g():\n    pass\n"
    wanted = "import a\nimport b\n\n\ndef f():\n    pass\n\n\ndef g():\n    pass\n\n\ndef h():\n    pass\n"
    for block in blocks(text, wanted):
        assert text.count(block["old_text"]) == 1
        text = text.replace(block["old_text"], block["new_text"])
    assert text == wanted
