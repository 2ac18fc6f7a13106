"""Code of the real agent in the lessons' pages: `python -m lessons pages` pulls it, and a test holds it to the source.

A fenced block of a README with title="Api._answer in reach/api.py" holds that definition, as it stands there.
"""

from __future__ import annotations

import ast
import re
import textwrap
from pathlib import Path

from lessons.course import PROJECT, CourseError, Lesson

BLOCK = re.compile(r'^```python title="(?P<name>[\w.]+) in (?P<file>[\w/]+\.py)"\n.*?^```$', re.MULTILINE | re.DOTALL)
NOT_THERE = "{file} has no {name}, and a page of the course shows it."


def write_pages(lessons: list[Lesson]) -> None:
    """Pull the code into each README. Raises CourseError for code that is not there."""
    for lesson in lessons:
        text = pulled(lesson.readme)
        if text != lesson.readme:
            (lesson.folder / "README.md").write_text(text, encoding="utf-8")


def pulled(text: str, project: Path = PROJECT) -> str:
    """Return a page with its blocks as the source has them now. Raises CourseError for what is not there any more."""

    def block(found: re.Match[str]) -> str:
        name, file = found["name"], found["file"]
        path = project / file
        code = definition(path.read_text(encoding="utf-8"), name) if path.is_file() else ""
        if not code:
            raise CourseError(NOT_THERE.format(file=file, name=name))
        return f'```python title="{name} in {file}"\n{code}\n```'

    return BLOCK.sub(block, text)


def definition(source: str, name: str) -> str:
    """The function, method, class or constant of that name, moved to the margin; "" when there is none."""
    node: ast.AST | None = ast.parse(source)
    for part in name.split("."):
        node = next((each for each in ast.iter_child_nodes(node) if part in names_of(each)), None) if node else None
    if node is None:
        return ""
    return textwrap.dedent("\n".join(source.splitlines()[node.lineno - 1 : node.end_lineno]))  # type: ignore[attr-defined]


def names_of(node: ast.AST) -> list[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return [name for each in (node, *targets) if (name := getattr(each, "name", None) or getattr(each, "id", None))]
