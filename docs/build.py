"""Builds the site: `uv run --group docs python docs/build.py`. It lands in .runs/site.

Pages show code of the real source by name: the snippet `excerpts/main.py/run_agent.py` is that function of that file.
Markers in the source would do as well, but they would stand in the way of everybody who reads it, and ruff, which
formats Python in Markdown too, takes a marker's `--8<-- "x"` for a comparison. A name that is gone stops the build.
"""

from __future__ import annotations

import argparse
import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
DOCS = PROJECT / "docs"
EXCERPTS = PROJECT / ".runs" / "docs" / "excerpts"
WANTED = re.compile(r"^excerpts/(?P<file>[\w./]+\.py)/(?P<name>\w+)\.py$", re.MULTILINE)


def main() -> int:
    """Write the excerpts, then build; the exit code of Zensical, for which a warning is an error."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--excerpts", action="store_true", help="only write what the pages take from the source")
    options = parser.parse_args()
    try:
        write_excerpts()
    except LookupError as error:
        print(f"Error: {error}", file=sys.stderr)
        return 1
    if options.excerpts:
        return 0
    return subprocess.run(["zensical", "build", "--clean", "--strict"], cwd=PROJECT, check=False).returncode


def write_excerpts() -> None:
    """Write what the pages ask for. Raises LookupError, naming the page, for code that is not there."""
    shutil.rmtree(EXCERPTS, ignore_errors=True)
    for page in sorted(DOCS.rglob("*.md")):
        for wanted in WANTED.finditer(page.read_text(encoding="utf-8")):
            source = PROJECT / wanted["file"]
            code = excerpt(source.read_text(encoding="utf-8"), wanted["name"]) if source.is_file() else None
            if code is None:
                raise LookupError(f"{page.name} shows {wanted['name']} of {wanted['file']}, which is not there")
            write(f"{wanted['file']}/{wanted['name']}.py", code)
    write("tools.txt", tools())
    write("help.txt", subprocess.run(HELP, cwd=PROJECT, capture_output=True, encoding="utf-8", check=True).stdout)


HELP = [
    sys.executable,
    "-c",
    "import os; os.environ['COLUMNS'] = '80'\nimport sys, main; sys.exit(main.main())",
    "--help",
]


def excerpt(source: str, name: str) -> str | None:
    """Return the function, class or constant of this name as it stands in the source, None when there is none."""
    lines = source.splitlines()
    for node in ast.parse(source).body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if name in (getattr(node, "name", None), *(getattr(target, "id", None) for target in targets)):
            first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", []))])
            return "\n".join(lines[first - 1 : node.end_lineno])
    return None


def tools() -> str:
    """The catalogue as a table, from the schemas that a model is sent."""
    sys.path.insert(0, str(PROJECT))
    from list_functions import TOOLS

    rows = ["| tool | takes | what the model is told | |", "|---|---|---|---|"]
    for tool in TOOLS.values():
        parameters = tool.schema["parameters"]
        required = parameters["required"]
        takes = ", ".join(f"`{name}`" if name in required else f"`{name}`?" for name in parameters["properties"])
        kind = "reads" if tool.reads_only else "changes or runs"
        rows.append(f"| `{tool.name}` | {takes} | {tool.schema['description']} | {kind} |")
    return "\n".join(rows)


def write(path: str, text: str) -> None:
    target = EXCERPTS / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
