"""What the files are: which hold tests, which hold the program, and which framework runs the tests.

Everything is judged from the text alone; nothing is imported here.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

TEST_FOLDERS = {"tests", "test"}


@dataclass(frozen=True)
class Project:
    """The files of one repair, sorted into program and tests. Paths are relative and use "/"."""

    files: Mapping[str, str]
    test_paths: tuple[str, ...]  # files that hold tests, in order
    program_paths: tuple[str, ...]  # Python files that may be edited
    framework: str  # "unittest" | "pytest" | "none"

    @property
    def import_roots(self) -> tuple[str, ...]:
        """The folders from which the tests import: the top, "src", and every test folder."""
        folders = {str(PurePosixPath(path).parent) for path in self.test_paths}
        if any(path.startswith("src/") for path in self.files):
            folders.add("src")
        return (".", *sorted(folders - {"."}))

    def module_of(self, path: str) -> str:
        """The dotted name under which a test file is imported: from the first folder above it that is no package."""
        pure = PurePosixPath(path)
        parts = [pure.stem]
        for folder in pure.parents:
            if f"{folder}/__init__.py" not in self.files:
                break
            parts.insert(0, folder.name)
        return ".".join(parts)

    def files_of(self, tests: Iterable[str]) -> list[str]:
        """The test files that tests stand in, in order; none where that is every file, or not known of one test."""
        named = {name: path for path in self.test_paths for name in (path, self.module_of(path))}
        if len(named) < 2 * len(self.test_paths):  # two of one name, in two folders
            return []
        found = set[str]()
        for test in tests:
            name = test.partition("::")[0]
            while name not in named and "." in name:  # unittest's: file, class and function
                name = name.rpartition(".")[0]
            if name not in named:
                return []
            found.add(named[name])
        return [path for path in self.test_paths if path in found] if len(found) < len(self.test_paths) else []


def read_project(files: Mapping[str, str]) -> Project:
    """Sort the files of a project. Files that do not parse count as program, never as tests by content."""
    python = sorted(path for path in files if path.endswith(".py"))
    trees = {path: _parse(files[path]) for path in python}
    tests = [path for path in python if _is_test_file(path, trees[path])]
    if any(_is_collected(path) for path in tests):  # then the others in test folders are run by hand, if at all
        tests = [path for path in tests if _is_collected(path) or not _is_test_helper(path)]
    helpers = [path for path in python if _is_test_helper(path)]
    program = [path for path in python if path not in helpers and (path not in tests or _is_mixed(path, trees[path]))]
    return Project(files, tuple(tests), tuple(program), _framework(tests, trees, files))


def protected_lines(tree: ast.Module) -> set[int]:
    """The lines of a program file that are never edited: of tests kept in the same file, and `if __name__ == ...`."""
    lines: set[int] = set()
    for node in tree.body:
        if _is_test_definition(node) or _is_main_guard_of_tests(node):
            lines.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        elif isinstance(node, ast.If) and "__name__" in ast.unparse(node.test):
            lines.add(node.lineno)  # whether the script runs at all
    return lines


def _parse(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _is_test_name(path: str) -> bool:
    stem = PurePosixPath(path).stem
    return stem.startswith("test_") or stem.endswith("_test") or stem in TEST_FOLDERS


def _is_collected(path: str) -> bool:
    """Whether unittest or pytest finds a file by its name."""
    stem = PurePosixPath(path).stem
    return stem.startswith("test") or stem.endswith("_test")


def _is_test_helper(path: str) -> bool:
    """Part of the tests without holding any: a conftest, or a helper in a test folder."""
    pure = PurePosixPath(path)
    return pure.name == "conftest.py" or bool(TEST_FOLDERS & set(pure.parts[:-1]))


def _is_test_file(path: str, tree: ast.Module | None) -> bool:
    if tree is None:
        return _is_test_name(path)
    return any(_is_test_definition(node) for node in tree.body)


def _is_mixed(path: str, tree: ast.Module | None) -> bool:
    """A file that holds tests and the program they test."""
    if tree is None or _is_test_name(path) or _is_test_helper(path):
        return False
    definitions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return any(isinstance(node, definitions) and not _is_test_definition(node) for node in tree.body)


def _is_test_definition(node: ast.stmt) -> bool:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return node.name.startswith("test")
    if not isinstance(node, ast.ClassDef):
        return False
    bases = {ast.unparse(base).rpartition(".")[2] for base in node.bases}
    if any(base.endswith("TestCase") for base in bases):
        return True
    holds_tests = any(isinstance(item, ast.FunctionDef) and item.name.startswith("test") for item in node.body)
    return holds_tests and (node.name.startswith("Test") or node.name.endswith(("Test", "Tests")))


def _is_main_guard_of_tests(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and "unittest.main" in ast.unparse(node)


def _framework(tests: list[str], trees: Mapping[str, ast.Module | None], files: Mapping[str, str]) -> str:
    if not tests:
        return "none"
    if any(PurePosixPath(path).name == "conftest.py" for path in files):
        return "pytest"
    return "pytest" if any(_needs_pytest(trees[path]) for path in tests) else "unittest"


def _needs_pytest(tree: ast.Module | None) -> bool:
    if tree is None:
        return False
    for node in tree.body:
        if isinstance(node, ast.Import) and any(name.name.split(".")[0] == "pytest" for name in node.names):
            return True
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "pytest":
            return True
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test"):
            return True
        if isinstance(node, ast.ClassDef) and _is_test_definition(node) and not _is_test_case(node):
            return True
    return False


def _is_test_case(node: ast.ClassDef) -> bool:
    return any("TestCase" in ast.unparse(base) for base in node.bases) or bool(node.bases)
