"""Builds the site: `uv run --group docs python docs/build.py`. It lands in .runs/site.

Pages show code of the real source by name: the snippet `excerpts/main.py/run_agent.py` is that function of that file.
Markers in the source would do as well, but they would stand in the way of everybody who reads it, and ruff, which
formats Python in Markdown too, takes a marker's `--8<-- "x"` for a comparison. A name that is gone stops the build.
A link to a file outside docs/, right where the repository is read, leads in the site to a page that shows the file.
The page of a lesson is its README, which lies beside its check, and is staged from there.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
DOCS = PROJECT / "docs"
LESSONS = PROJECT / "lessons"
STAGE = PROJECT / ".runs" / "docs"  # excerpts/ for the snippets, and pages/, which mkdocs.yml builds
PAGES = STAGE / "pages"
WANTED = re.compile(r"^excerpts/(?P<file>[\w./]+\.py)/(?P<name>\w+)\.py$", re.MULTILINE)
LINK = re.compile(r"\]\((?P<target>(?!\w+:)[^)#\s]+)(?P<anchor>#[^)\s]*)?\)")
HELP = [
    sys.executable,
    "-c",
    "import os; os.environ['COLUMNS'] = '80'\nimport sys, main; sys.exit(main.main())",
    "--help",
]


def main() -> int:
    """Stage the pages, then build; the exit code of Zensical, for which a warning is an error."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--stage", action="store_true", help="only write what the build reads, in .runs/docs")
    options = parser.parse_args()
    shutil.rmtree(STAGE, ignore_errors=True)
    try:
        write_excerpts()
        write_pages()
    except LookupError as error:
        print(f"Error: {error}", file=sys.stderr)
        return 1
    if options.stage:
        return 0
    return subprocess.run(["zensical", "build", "--clean", "--strict"], cwd=PROJECT, check=False).returncode


def write_excerpts() -> None:
    """Write what the pages ask for. Raises LookupError, naming the page, for code that is not there."""
    for page in sorted(DOCS.rglob("*.md")):
        for wanted in WANTED.finditer(page.read_text(encoding="utf-8")):
            source = PROJECT / wanted["file"]
            code = excerpt(source.read_text(encoding="utf-8"), wanted["name"]) if source.is_file() else None
            if code is None:
                raise LookupError(f"{page.name} shows {wanted['name']} of {wanted['file']}, which is not there")
            write(STAGE / "excerpts" / wanted["file"] / f"{wanted['name']}.py", code)
    write(STAGE / "excerpts" / "tools.txt", tools())
    told = subprocess.run(HELP, cwd=PROJECT, capture_output=True, encoding="utf-8", check=True).stdout
    write(STAGE / "excerpts" / "help.txt", told)


def write_pages() -> None:
    """Copy docs/ and the lessons' pages, with a page for each file or folder of the source that a page links to."""
    shutil.copytree(DOCS, PAGES, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    shown: set[Path] = set()
    for source in sorted([*DOCS.rglob("*.md"), *LESSONS.glob("*/README.md")]):
        text = LINK.sub(lambda link, source=source: linked(link, source, shown), source.read_text(encoding="utf-8"))
        (PAGES / page_of(source)).write_text(text, encoding="utf-8")
    for source in sorted(shown):
        write(PAGES / page_of(source), folder_page(source) if source.is_dir() else file_page(source))


def linked(link: re.Match[str], source: Path, shown: set[Path]) -> str:
    """The link as the site needs it; what it leads to is added to `shown` when it is source."""
    target = (source.parent / link["target"]).resolve()
    if not target.is_relative_to(PROJECT) or not target.exists():
        return link[0]  # for the strict build to find
    page, folder = page_of(target), page_of(source).parent
    if page.parts[0] != "source":
        return f"]({os.path.relpath(page, folder)}{link['anchor'] or ''})"
    shown.add(target)
    return f"]({os.path.relpath(page, folder)})"


def page_of(source: Path) -> Path:
    """Where the page of a file lies in the site."""
    if source.is_relative_to(DOCS):
        return source.relative_to(DOCS)
    if source.parent.parent == LESSONS and source.name == "README.md":
        return Path("lessons", f"{source.parent.name}.md")
    return Path("source", f"{source.relative_to(PROJECT).as_posix()}.md")


def file_page(source: Path) -> str:
    language = "python" if source.suffix == ".py" else "text"
    text = source.read_text(encoding="utf-8")
    return f"# {source.relative_to(PROJECT).as_posix()}\n\n`````{language}\n{text}`````"


def folder_page(source: Path) -> str:
    lines = [f"# {source.relative_to(PROJECT).as_posix()}/", ""]
    for file in sorted(source.glob("*.py")):
        told = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
        lines.append(f"- `{file.name}`: {told.splitlines()[0] if told else 'nothing but a package'}")
    return "\n".join(lines)


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
    from functions.tool import Catalogue
    from jobs import coder

    rows = ["| tool | takes | what the model is told | |", "|---|---|---|---|"]
    for tool in Catalogue(coder.tools({})).values():
        parameters = tool.schema["parameters"]
        required = parameters["required"]
        takes = ", ".join(f"`{name}`" if name in required else f"`{name}`?" for name in parameters["properties"])
        kind = "reads" if tool.reads_only else "changes or runs"
        rows.append(f"| `{tool.name}` | {takes} | {tool.schema['description']} | {kind} |")
    return "\n".join(rows)


def write(target: Path, text: str) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
