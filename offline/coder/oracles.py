"""Tests made of what a project says about itself where it has none that fail: the examples in its docstrings and its
text files, and a script that must run to its end. They live in the copy that is searched and are never written.
"""

from __future__ import annotations

import ast
import doctest
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from offline.repair.claims import claims

FRAME = re.compile(r'^\s*File "(?P<path>[^"]+)", line (?P<line>\d+)(?:, in (?P<function>\S+))?', re.MULTILINE)
RAISED = re.compile(r"^(?P<kind>[A-Za-z_][\w.]*(?:Error|Exception|Interrupt|Exit|Warning|Iteration))\b(?::.*)?$", re.M)
EXAMPLES = "test_examples_in_"
SCRIPT = "test_the_script_runs"
OPTIONS = "doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE"

CHECK = f"""\
import contextlib
import doctest
import io
import unittest


def check(examples, names):
    for source, wanted, error in examples:
        printed = io.StringIO()
        try:
            with contextlib.redirect_stdout(printed):
                exec(compile(source, "<example>", "single"), names)
        except Exception as raised:
            if error is None:
                raise
            assert f"{{type(raised).__name__}}: {{raised}}".strip(": ") == error.strip().split("\\n")[-1].rpartition(".")[2]
            continue
        assert error is None, f"{{source.strip()}} raised nothing"
        got = printed.getvalue()
        same = doctest.OutputChecker().check_output(wanted, got, {OPTIONS})
        assert same, f"{{source.strip()}} gave {{got.strip()}} and should give {{wanted.strip()}}"


"""


@dataclass(frozen=True)
class Crash:
    """A traceback: the script that was started ("" when it was none), where it was raised, and what."""

    script: str
    path: str
    line: int
    kind: str


def crash_in(text: str, paths: Sequence[str]) -> Crash | None:
    """Read the last traceback in a text, in which files of the project are named; None when there is none."""
    frames = [(known(match["path"], paths), int(match["line"]), match["function"]) for match in FRAME.finditer(text)]
    own = [(path, line, function) for path, line, function in frames if path]
    raised = RAISED.findall(text)
    if not own or not raised:
        return None
    script = own[0][0] if own[0][2] == "<module>" and frames[0][0] == own[0][0] else ""
    return Crash(script, own[-1][0], own[-1][1], raised[-1].rpartition(".")[2])


def known(name: str, paths: Sequence[str]) -> str:
    """The project's path that an absolute or shortened file name means, "" when it means none."""
    name = name.replace("\\", "/")
    fitting = [path for path in paths if name == path or name.endswith(f"/{path}")]
    return max(fitting, key=len, default="")


def example_tests(files: Mapping[str, str]) -> dict[str, str]:
    """A test file for each file with examples: doctests, and in docstrings also lines such as `f(3) -> 6`."""
    made = {}
    for path, text in sorted(files.items()):
        tests = [test for test in (in_docstrings(path, text) if path.endswith(".py") else in_text(text)) if test[1]]
        if tests:
            name = re.sub(r"\W", "_", path.removesuffix(".py"))
            made[f"{EXAMPLES}{name}.py"] = test_file(path, tests)
    return made


Examples = list[tuple[str, str, str | None]]  # source, what it prints, the error that it raises


def in_text(text: str) -> Iterator[tuple[str, Examples]]:
    yield "the_text", examples_in(text)


def in_docstrings(path: str, text: str) -> Iterator[tuple[str, Examples]]:
    """The examples of each docstring, under the name of what has it."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            docstring = ast.get_docstring(node) or ""
            yield getattr(node, "name", PurePosixPath(path).stem), examples_in(docstring) or arrows_in(docstring)


def examples_in(text: str) -> Examples:
    try:
        found = doctest.DocTestParser().get_examples(text)
    except ValueError:
        return []
    skipped = doctest.OPTIONFLAGS_BY_NAME["SKIP"]
    return [(one.source, one.want, one.exc_msg) for one in found if not one.options.get(skipped)]


def arrows_in(docstring: str) -> Examples:
    """Lines such as `area(2, 3) == 6` and `area(2, 3) -> 6`, as examples."""
    lines = [line for line in docstring.splitlines() if re.search(r"\)`?\s*(?:==|-+>|=+>|→)\s*\S", line)]
    said = [claim for claim in claims("\n".join(lines)) if claim.says == "equals"]
    return [(f"({claim.expression}) == ({claim.value})\n", "True\n", None) for claim in said]


def test_file(path: str, tests: Sequence[tuple[str, Examples]]) -> str:
    names = "vars(module)" if path.endswith(".py") else "{}"
    imported = (
        f"import importlib\n\nmodule = importlib.import_module({module_of(path)!r})\n" if path.endswith(".py") else ""
    )
    lines = ["class Examples(unittest.TestCase):"]
    for number, (name, examples) in enumerate(tests, 1):
        lines += [f"    def test_{name}_{number}(self):", f"        check({examples!r}, dict({names}))", ""]
    return f"{imported}{CHECK}{chr(10).join(lines)}"


def script_test(script: str, text: str, words: Sequence[str] = ()) -> dict[str, str]:
    """A test that a script runs to its end: what stands under `if __name__ == "__main__"`, or the whole of it. The
    guard itself is not run, or to break it would do."""
    guard = next((node for node in ast.parse(text).body if is_guard(node)), None)
    start = f"runpy.run_path({script!r}, run_name='__main__')"
    if guard is not None:
        body = "\n".join(ast.unparse(statement) for statement in guard.body)
        start = f"exec({body!r}, vars(importlib.import_module({module_of(script)!r})))"
    prints = "    assert printed.getvalue(), 'the script printed nothing'" if "print(" in text else ""
    made = f"""\
import contextlib
import importlib
import io
import runpy
import unittest
from unittest import mock


class Script(unittest.TestCase):
    def test_script(self):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), mock.patch("sys.argv", {[script, *words]!r}):
            try:
                {start}
            except SystemExit as left:
                assert not left.code, f"the script left with {{left.code!r}}"
    {prints}
"""
    return {f"{SCRIPT}.py": made}


def is_guard(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and "__name__" in ast.unparse(node.test) and "__main__" in ast.unparse(node.test)


def module_of(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".").removeprefix("src.")
