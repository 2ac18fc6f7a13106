"""A tour of the tools: each is called on a copy of the calculator, shown, and checked.

python tests.py            look at what a model sees
python -m pytest           the same checks, and the rest of the suite in tests/
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from agent.contracts import ToolCall
from call_functions import run_call
from cli.reset import put_calculator
from functions.tool import Catalogue
from jobs import coder

Check = Callable[[str], bool]

STOPS: list[tuple[str, str, dict[str, Any], Check]] = [
    (
        "Look around. Sizes tell a model what is worth reading.",
        "get_dir_info",
        {"directory": "."},
        lambda result: "- pkg: file_size=" in result and "- tests.py: file_size=1353 bytes, is_dir=False" in result,
    ),
    (
        "Read a file.",
        "get_file_content",
        {"file_path": "pkg/calculator.py"},
        lambda result: '"+": 3,' in result,
    ),
    (
        "A long file comes in pages, and the last line says how to read on.",
        "get_file_content",
        {"file_path": "lorem.txt"},
        lambda result: '[...File "lorem.txt" truncated at 10000 characters]' in result and "start_line=" in result,
    ),
    (
        "Find where something is.",
        "search_files",
        {"query": "precedence", "glob": "*.py"},
        lambda result: "pkg/calculator.py:18:" in result,
    ),
    (
        "The same with a regular expression.",
        "search_files",
        {"query": r"def \w+\(self\)", "regex": True, "directory": "pkg"},
        lambda result: "pkg/calculator.py:11:" in result,
    ),
    (
        "Run the program. 3 + 7 * 2 is 17, so this is the bug.",
        "run_python_file",
        {"file_path": "main.py", "args": ["3 + 7 * 2"]},
        lambda result: "= 20" in result,
    ),
    (
        "Run the tests: the verdict first, then what failed.",
        "run_tests",
        {},
        lambda result: result.startswith("2 of 9 tests failed"),
    ),
    (
        "Change one exact piece of text.",
        "edit_file",
        {"file_path": "pkg/calculator.py", "old_text": '"+": 3,', "new_text": '"+": 1,'},
        lambda result: result == 'Successfully edited "pkg/calculator.py" at line 19',
    ),
    (
        "Run the tests again, after the last change.",
        "run_tests",
        {},
        lambda result: result.startswith("All 9 tests passed"),
    ),
    (
        "Write a whole file; missing folders are made.",
        "write_file",
        {"file_path": "notes/done.txt", "content": "precedence of + is 1\n"},
        lambda result: result == 'Successfully wrote to "notes/done.txt" (21 characters written)',
    ),
    (
        "Outside is refused, and the model is told why.",
        "get_file_content",
        {"file_path": "../main.py"},
        lambda result: result == 'Error: Cannot read "../main.py" as it is outside the permitted working directory',
    ),
    (
        "A tool that does not exist: an error that lists those that do.",
        "delete_file",
        {"file_path": "tests.py"},
        lambda result: result.startswith("Error: ") and "write_file" in result,
    ),
]


def tour(show: Callable[[str], None]) -> list[str]:
    """Make every stop on a fresh copy of the calculator and return the titles of those that went wrong."""
    failed, tools = [], Catalogue(coder.tools({}))
    with tempfile.TemporaryDirectory() as scratch:
        copy = put_calculator(Path(scratch) / "calculator")
        for number, (title, name, arguments, check) in enumerate(STOPS, 1):
            result = run_call(ToolCall(f"call_{number}", name, json.dumps(arguments)), tools, {"root": copy})
            show(f"\n{number}. {title}\n   {name}({json.dumps(arguments)})\n{indented(result.content)}")
            if not check(result.content):
                failed.append(title)
    return failed


def indented(text: str, most: int = 12) -> str:
    """Show the first and the last lines of a result."""
    lines = text.split("\n")
    if len(lines) > most:
        lines[most - 4 : -3] = [f"... {len(lines) - most + 1} more lines ..."]
    return "\n".join(f"   | {line}" for line in lines)


def test_the_tour_of_the_tools_goes_as_it_says() -> None:
    assert tour(lambda text: None) == []


def main() -> int:
    failed = tour(print)
    print(f"\n{len(STOPS) - len(failed)} of {len(STOPS)} stops as expected.")
    for title in failed:
        print(f"Not as expected: {title}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
