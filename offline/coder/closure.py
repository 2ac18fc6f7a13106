"""Which files of a large project are worth reading: the tests that fail, and what they import, and what that imports.

A small project is read whole. Of a large one the rest would only fill the conversation.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import PurePosixPath

MOST_FILES = 40
MOST_TEST_FILES = 3
HEADING = re.compile(r"^(?:(?:FAIL|ERROR): |_{3,} (?:ERROR (?:collecting|at \w+ of) )?)(?P<name>[\w./\[\]-]+)", re.M)
FRAME = re.compile(r'^\s*(?:File "(?P<long>[^"]+)", line (?P<at>\d+)|(?P<short>[\w./-]+\.py):(?P<line>\d+): )', re.M)
COUNTED = re.compile(r"(\d+) (?:failed|errors?)\b|^(\d+) of \d+ tests failed")
STAND_IN = '"""Not read: no failing test runs it."""\n\n\ndef __getattr__(name):\n    return type(name, (), {})\n'
ELSEWHERE = ("/lib/python", "site-packages", "<frozen")


@dataclass(frozen=True)
class Failing:
    """A test that failed: its name as a person says it, its file where that is told, and what was told about it."""

    name: str
    path: str
    told: str


def failing_tests(result: str, top: Collection[str]) -> list[Failing]:
    """Read a result of run_tests. `top` are the names in the working directory."""
    result = result.partition("=== short test summary info ===")[0].rstrip("=")
    headings = list(HEADING.finditer(result))
    ends = [heading.start() for heading in headings[1:]] + [len(result)]
    told = [result[heading.start() : end].strip() for heading, end in zip(headings, ends, strict=False)]
    frames = [match["long"] or match["short"] for match in FRAME.finditer(result)]
    root = root_of([frame for frame in frames if is_absolute(frame)], top)
    found = []
    for heading, text in zip(headings, told, strict=True):
        own = [match["long"] or match["short"] for match in FRAME.finditer(text)]
        paths = [path for frame in own if (path := relative(frame, root))]
        name = heading["name"]
        path = name if name.endswith(".py") else next(iter(paths), "")
        found.append(Failing(name.partition("[")[0].rpartition(".")[2] if path != name else name, path, text))
    return found


def count_failing(result: str) -> int:
    """How many tests failed, as the first line of a result of run_tests counts them; not all of them are named."""
    return sum(int(one or other) for one, other in COUNTED.findall(result.split("\n", 1)[0]))


def is_absolute(frame: str) -> bool:
    return frame.startswith("/") or frame[1:3] in (":\\", ":/")


def root_of(frames: Sequence[str], top: Collection[str]) -> str:
    """The working directory, as the absolute paths of frames tell it: below it each begins with a name of `top`."""
    own = [frame.replace("\\", "/") for frame in frames if not any(part in frame for part in ELSEWHERE)]
    if not own:
        return ""
    parts = own[0].split("/")[:-1]
    for depth in range(len(parts), 0, -1):
        prefix = "/".join(parts[:depth]) + "/"
        if all(frame.startswith(prefix) and frame[len(prefix) :].split("/")[0] in top for frame in own):
            return prefix
    return ""


def relative(frame: str, root: str) -> str:
    """The path in the working directory, "" for a file from elsewhere."""
    frame = frame.replace("\\", "/")
    if any(part in frame for part in ELSEWHERE):
        return ""
    if is_absolute(frame):
        return frame.removeprefix(root) if root and frame.startswith(root) else ""
    return frame


def paths_to_read(files: Mapping[str, str], missing: Collection[str], top: Collection[str]) -> list[str]:
    """The files that are imported by those that were read, and were not asked for yet. What a package's own
    `__init__.py` imports counts only where one of the others names it."""
    wanted: dict[str, None] = {}
    for path, module, names in imports_in(files):
        if PurePosixPath(path).name == "__init__.py" and not named_elsewhere(path, module, names, files):
            continue
        wanted.update(dict.fromkeys(files_of(module, names, files, missing, PurePosixPath(path).parent, top)))
    new = [path for path in wanted if path not in files and path not in missing]
    return new[: max(0, MOST_FILES - len(files))]


def stand_ins(files: Mapping[str, str], missing: Collection[str], top: Collection[str]) -> dict[str, str]:
    """A module without content for each that was not read and is imported all the same, so that the rest can be."""
    found: dict[str, str] = {}
    for path, module, names in imports_in(files):
        for one in files_of(module, names, files, missing, PurePosixPath(path).parent, top):
            if one not in files and one not in missing:
                found[one] = STAND_IN
    return found


def imports_in(files: Mapping[str, str]) -> Iterator[tuple[str, str, list[str]]]:
    for path, text in files.items():
        if path.endswith(".py"):
            yield from ((path, module, names) for module, names in imports_of(path, text))


def named_elsewhere(path: str, module: str, names: Sequence[str], files: Mapping[str, str]) -> bool:
    """Whether another file that was read names what an `__init__.py` imports."""
    words = [module.rpartition("/")[2].rpartition(".")[2], *names]
    others = "\n".join(text for other, text in files.items() if other != path and not other.endswith("__init__.py"))
    return any(word == "*" or re.search(rf"\b{re.escape(word)}\b", others) for word in words if word)


def imports_of(path: str, text: str) -> Iterator[tuple[str, list[str]]]:
    """Dotted module and names of each import; of a relative one the module begins with the folder and a slash."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, []) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module or "", [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            folder = (
                PurePosixPath(path).parents[node.level - 1] if node.level <= len(PurePosixPath(path).parents) else ""
            )
            yield f"{folder}/{node.module or ''}", [alias.name for alias in node.names]


def files_of(
    module: str,
    names: Sequence[str],
    files: Mapping[str, str],
    missing: Collection[str],
    folder: PurePosixPath,
    top: Collection[str],
) -> list[str]:
    """The files that may be what an import means, those to be tried first."""
    base, _, dotted = module.rpartition("/")
    parts = dotted.split(".") if dotted else []
    if not base:
        base = home_of(parts[0], folder, top) if parts else ""
        if base is None:
            return []
    place = PurePosixPath(base, *parts)
    parents = [str(PurePosixPath(base, *parts[:end], "__init__.py")) for end in range(1, len(parts))]
    as_file, as_package = f"{place}.py", str(place / "__init__.py")
    if not parts or (len(parts) == 1 and parts[0] in top):  # a folder for sure
        as_file = as_package
    if as_file not in missing and as_file != as_package and as_package not in files:
        return [*parents, as_file]
    known = files.get(as_package, "" if as_package in missing else None)
    if known is None:
        return [*parents, as_package]
    unknown = [name for name in names if name != "*" and not re.search(rf"\b{re.escape(name)}\b", known)]
    submodules = [name for name in names if re.search(rf"^\s*from \. import .*\b{re.escape(name)}\b", known, re.M)]
    return [*parents, *(str(place / f"{name}.py") for name in (*unknown, *submodules))]


def home_of(name: str, folder: PurePosixPath, top: Collection[str]) -> str | None:
    """The folder in which a module that is imported by its full name lies, None when it is not the project's own."""
    if name in top or f"{name}.py" in top:
        return "."
    if name in sys.stdlib_module_names or installed(name):
        return None
    return "src" if "src" in top else str(folder)


def installed(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except (ImportError, ValueError):
        return False
