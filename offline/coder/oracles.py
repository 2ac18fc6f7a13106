"""What a project says about itself that tells right from wrong, beside its tests: examples in its docstrings that are
no doctests, and a traceback. (Doctests the search finds itself.)
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from offline.repair.reading.claims import claims

FRAME = re.compile(r'^\s*File "(?P<path>[^"]+)", line (?P<line>\d+)(?:, in (?P<function>\S+))?', re.MULTILINE)
RAISED = re.compile(r"^(?P<kind>[A-Za-z_][\w.]*(?:Error|Exception|Interrupt|Exit|Warning|Iteration))\b(?::.*)?$", re.M)
ARROW = re.compile(r"\)`?\s*(?:==|-+>|=+>|→)\s*\S")
SCRIPT_NAME = "test_what_the_script_does"


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


def known(name: str, paths: Iterable[str]) -> str:
    """The project's path that an absolute or shortened file name means, "" when it means none."""
    name = name.replace("\\", "/")
    return max((path for path in paths if name == path or name.endswith(f"/{path}")), key=len, default="")


def examples_told(files: Mapping[str, str]) -> str:
    """The lines of docstrings such as `area(2, 3) == 6` and `area(2, 3) -> 6`, "" when there are none."""
    lines = [line.strip() for text in docstrings(files) for line in text.splitlines() if ">>>" not in line]
    return "\n".join(line for line in lines if ARROW.search(line) and claims(line))


def docstrings(files: Mapping[str, str]) -> Iterable[str]:
    for path, text in files.items():
        try:
            tree = ast.parse(text) if path.endswith(".py") else ast.Module([], [])
        except (SyntaxError, ValueError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                yield ast.get_docstring(node) or ""


def script_test(script: str, text: str, words: Sequence[str] = ()) -> dict[str, str]:
    """A test that a script runs to its end: what stands under `if __name__ == "__main__"`, or the whole of it. The
    guard itself is not run, or to break it would do; and a script that prints has to print something."""
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
    return {f"{SCRIPT_NAME}.py": made}


def is_guard(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and "__name__" in ast.unparse(node.test) and "__main__" in ast.unparse(node.test)


def module_of(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".").removeprefix("src.")
