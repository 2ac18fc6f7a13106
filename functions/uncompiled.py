"""What a model is told of a change that would break a Python file."""

from __future__ import annotations


def would_not_compile(path: str, before: str, after: str, line: int, problem: SyntaxError) -> str:
    """Return what is wrong, where, and what the file still has around `line`, where the change was to be made."""
    wrong, lines = after.split("\n"), before.split("\n")
    number = min(problem.lineno or 1, len(wrong))
    said = [f'Not written: "{path}" compiles, and would not any more. Line {number} would be, {problem.msg}:']
    said += [wrong[number - 1], " " * max(0, (problem.offset or 1) - 1) + "^"]
    if line:
        said.append("The file still has there:")
        around = range(max(1, line - 1), min(len(lines), line + 2) + 1)
        said += [f"line {each}: {lines[each - 1]}" for each in around]
    return "\n".join(said)
