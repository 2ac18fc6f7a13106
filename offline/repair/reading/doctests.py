"""Tests where nobody wrote a test file: the examples in docstrings and text files, and scripts that should not fail.

Both become a test file in the search's own copy, in the same words as other tests, so that nothing else need know.
"""

from __future__ import annotations

import ast
import doctest
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import PurePosixPath

from .project import Project

DOCTEST_NAME = "test_what_the_examples_say"
SCRIPT_NAME = "test_what_the_script_does"
TEXTS = (".txt", ".md", ".rst")
MOST_SCRIPTS = 3
HEADER = '''import contextlib
import io
import unittest


def printed(function):
    """What a function prints, and what it gives unless that is None, as an interactive Python shows it."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        value = function()
    return output.getvalue() + ("" if value is None else repr(value) + "\\n")


'''


def with_examples(files: Mapping[str, str], project: Project) -> dict[str, str] | None:
    """The files and their examples as one more test file; None when there are none."""
    if ">>>" not in "".join(files.values()):
        return None
    tests = [test for path, name, text in _places(files, project) for test in _tests_of(path, name, text, project)]
    if not tests:
        return None
    methods = "\n".join(f"    def test_{number}_{name}(self):\n{body}" for number, (name, body) in enumerate(tests))
    modules = dict.fromkeys(re.findall(r"^ +from ([\w.]+) import", methods, re.MULTILINE))
    imports = "".join(f"import {module}\n" for module in modules)
    return {**files, f"{DOCTEST_NAME}.py": f"{imports}{HEADER}class Examples(unittest.TestCase):\n{methods}"}


def with_scripts(files: Mapping[str, str], project: Project) -> dict[str, str] | None:
    """The files and a test that runs each script, which may end as it likes but not with an error; None without one."""
    scripts = [path for path in project.program_paths if "__main__" in files[path] and not path.endswith("__init__.py")]
    if not scripts:
        return None
    body = "".join(
        f"    def test_{number}(self):\n"
        f"        with contextlib.redirect_stdout(io.StringIO()), mock.patch('sys.argv', [{path!r}]):\n"
        f"            with contextlib.suppress(SystemExit, EOFError):\n"
        f"                runpy.run_path({path!r}, run_name='__main__')\n\n"
        for number, path in enumerate(scripts[:MOST_SCRIPTS])
    )
    imports = "import contextlib\nimport io\nimport runpy\nimport unittest\nfrom unittest import mock\n\n\n"
    return {**files, f"{SCRIPT_NAME}.py": f"{imports}class Script(unittest.TestCase):\n{body}"}


def _places(files: Mapping[str, str], project: Project) -> Iterator[tuple[str, str, str]]:
    """(path, name, text) of every docstring of the program and every text file with examples."""
    for path in project.program_paths:
        try:
            tree = ast.parse(files[path])
        except (SyntaxError, ValueError, RecursionError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                yield path, getattr(node, "name", PurePosixPath(path).stem), ast.get_docstring(node) or ""
    for path, text in files.items():
        if path.endswith(TEXTS):
            yield path, PurePosixPath(path).stem, text


def _tests_of(path: str, name: str, text: str, project: Project) -> Iterator[tuple[str, str]]:
    """(name, body) of a test for every example that shows a result, after what the examples before it do."""
    try:
        examples = doctest.DocTestParser().get_examples(text)
    except ValueError:  # an example that is not written as one
        return
    before: list[str] = []
    for example in examples:
        source = example.source.rstrip("\n")
        check = _check(source, example)
        if check is None:
            before.append(source)
            continue
        imports = _imports("\n".join([*before, source]), path, project)
        lines = "\n".join([*imports, *before, check]).split("\n")
        body = "".join(f"        {line}\n" for line in lines)
        if _parses(f"class One:\n    def test(self):\n{body}"):
            yield re.sub(r"\W", "_", name), body
        if isinstance(ast.parse(source).body[-1], ast.Assign | ast.AugAssign):
            before.append(source)


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


def _check(source: str, example: doctest.Example) -> str | None:
    """The line that checks an example; None where nothing is shown, or nothing that can be compared."""
    if example.exc_msg is not None:
        kind = example.exc_msg.partition(":")[0].strip()
        inner = "\n".join(f"    {line}" for line in source.split("\n"))
        return f"with self.assertRaises({kind.rpartition('.')[2]}):\n{inner}" if kind.isidentifier() else None
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return None
    if not example.want or example.options or not tree.body or not isinstance(tree.body[-1], ast.Expr):
        return None
    try:
        ast.literal_eval(example.want.strip())
    except (ValueError, SyntaxError):
        return f"self.assertEqual(printed(lambda: {source}), {example.want!r})" if len(tree.body) == 1 else None
    return f"self.assertEqual({source}, {example.want.strip()})"


def _imports(source: str, path: str, project: Project) -> list[str]:
    """Imports of the names that examples use: from the file that they stand in, else from any that defines them."""
    try:
        names = {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
    except SyntaxError:
        return []
    homes = [path, *project.program_paths] if path.endswith(".py") else list(project.program_paths)
    found: dict[str, str] = {}
    for home in homes:
        for name in sorted(names & _defined(project.files[home])):
            found.setdefault(name, home)
    return [f"from {_module(home)} import {name}" for name, home in found.items()]


@cache
def _defined(text: str) -> set[str]:
    """The names that the top of a file defines or imports."""
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError):
        return set()
    names = {node.name for node in body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)}
    targets = [target for node in body if isinstance(node, ast.Assign) for target in node.targets]
    names |= {target.id for target in targets if isinstance(target, ast.Name)}
    imports = [node for node in body if isinstance(node, ast.Import | ast.ImportFrom)]
    return names | {(one.asname or one.name).split(".")[0] for node in imports for one in node.names}


def _module(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").removeprefix("src/").replace("/", ".")
