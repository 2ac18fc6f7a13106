"""write_function: what is written stands in the place of the one with its name, and nothing else has changed."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from config import PROJECT
from functions import ToolError
from functions.write_function import TOOL, write_function
from index.definitions import Definition
from sandbox.files.root import Root

PROGRAM = '''\
"""Loans."""

from dataclasses import dataclass


@dataclass
class Loan:
    title: str
    due: int

    @property
    def short(self):
        return self.title[:3]

    def late(self, today):
        return today > self.due


def count(loans):
    return len(loans)


if __name__ == "__main__":
    print(count([]))
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "loans.py").write_text(PROGRAM, encoding="utf-8")
    return tmp_path


def text(folder: Path) -> str:
    return (folder / "loans.py").read_text(encoding="utf-8")


def test_a_function_takes_the_place_of_the_one_with_its_name(folder: Path):
    said = write_function(folder, "loans.py", "def count(loans):\n    return len(set(loans))")
    assert said == 'Successfully wrote to "loans.py": count replaced at line 19'
    assert text(folder) == PROGRAM.replace("len(loans)", "len(set(loans))")


@pytest.mark.parametrize(
    "code",
    [
        "def late(self, today):\n    return today >= self.due",
        "    def late(self, today):\n        return today >= self.due",
        "class Loan:\n    def late(self, today):\n        return today >= self.due",
        "```python\ndef late(self, today):\n    return today >= self.due\n```",
        "def late(self, today):\\n    return today >= self.due",
        "def late(self, today):\r\n    return today >= self.due\r\n",
    ],
    ids=["bare", "indented", "in its class", "fenced", "newlines spelt out", "other newlines"],
)
def test_a_method_is_found_however_it_is_written(folder: Path, code: str):
    assert not isinstance(write_function(folder, "loans.py", code), ToolError)
    assert text(folder) == PROGRAM.replace("today > self.due", "today >= self.due")


def test_a_decorator_stays_where_the_new_one_names_none(folder: Path):
    write_function(folder, "loans.py", "def short(self):\n    return self.title[:9]")
    assert text(folder) == PROGRAM.replace("[:3]", "[:9]")


def test_what_is_new_goes_into_its_class_or_before_the_programs_start(folder: Path):
    write_function(folder, "loans.py", "import math\n\ndef half(n):\n    return math.ceil(n / 2)")
    write_function(folder, "loans.py", "def days(self, today):\n    return max(0, today - self.due)")
    names = [node.name for node in ast.parse(text(folder)).body if isinstance(node, Definition)]
    assert names == ["Loan", "count", "half"]
    assert "    def days(self, today):\n        return max" in text(folder)
    assert text(folder).index("import math") < text(folder).index("class Loan")
    assert text(folder).index("def half") < text(folder).index("__main__")


def test_a_file_that_is_not_there_is_made(folder: Path):
    assert "one is new" in write_function(folder, "other.py", "def one():\n    return 1")
    assert (folder / "other.py").read_text(encoding="utf-8") == "def one():\n    return 1\n"


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("class Loan:\n    title: str\n    days: int = 3", "would lose due, short, late"),
        ("class Loan:\n    days: int = 3\n\n    def late(self, today):\n        return 1", "would lose"),
        ("print(count([]))", "neither a function nor a class"),
        ("import math", "no function and no class"),
        ("def count(loans:\n    return 1", "is no Python"),
        ("def count(loans):\n\n    return  len(loans)", "says just this already"),
        ("", "no function and no class"),
    ],
)
def test_what_would_lose_or_say_nothing_is_refused_with_the_reason(folder: Path, code: str, why: str):
    said = write_function(folder, "loans.py", code)
    assert isinstance(said, ToolError)
    assert why in said
    assert text(folder) == PROGRAM


def test_a_method_without_its_class_is_asked_for_where_several_may_be_meant(folder: Path):
    (folder / "two.py").write_text("class A:\n    pass\n\n\nclass B:\n    pass\n", encoding="utf-8")
    assert "A, B" in write_function(folder, "two.py", "def go(self):\n    return 1")


def test_a_file_that_does_not_compile_is_no_place_for_a_function(folder: Path):
    (folder / "loans.py").write_text("def broken(:\n", encoding="utf-8")
    assert "does not compile as it is" in write_function(folder, "loans.py", "def one():\n    return 1")


def test_a_comment_alone_is_a_change(folder: Path):
    said = write_function(folder, "loans.py", "def count(loans):\n    # all of them\n    return len(loans)")
    assert not isinstance(said, ToolError)


def test_other_files_are_left_to_other_tools(folder: Path):
    assert "use edit_file" in write_function(folder, "notes.md", "def one():\n    return 1")


def test_the_preview_is_what_is_written_then(folder: Path):
    arguments = {"file_path": "loans.py", "code": "def count(loans):\n    return 1"}
    with Root(folder) as root:
        old, new = TOOL.change(root, arguments)
    write_function(folder, **arguments)
    assert (old, new) == (PROGRAM, text(folder))


FILES = [*sorted(PROJECT.glob("functions/*.py")), *sorted(PROJECT.glob("agent/*.py"))]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_in_real_files_just_the_one_that_was_written_changes(path: Path, tmp_path: Path):
    before = path.read_text(encoding="utf-8")
    tree = ast.parse(before)
    tops = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    methods = [each for node in tree.body if isinstance(node, ast.ClassDef) for each in node.body]
    names = [each.name for each in methods if isinstance(each, ast.FunctionDef)]
    once = [each for each in methods if isinstance(each, ast.FunctionDef) and names.count(each.name) == 1]
    for node in [*tops, *(each for each in once if each.args.args and each.args.args[0].arg == "self")][:12]:
        (tmp_path / "copy.py").write_text(before, encoding="utf-8")
        kept, node.body = node.body, [ast.Raise(exc=None, cause=None), *node.body]
        said = write_function(tmp_path, "copy.py", ast.unparse(node))
        assert not isinstance(said, ToolError), said
        assert ast.dump(ast.parse((tmp_path / "copy.py").read_text(encoding="utf-8"))) == ast.dump(tree)
        node.body = kept
