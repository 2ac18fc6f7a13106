"""The coder's calls as shell commands, and what the commands printed as the coder's results.

Each prints a line before and after what counts, since clients put words of their own around it. What a command was for
is read off the command again, so nothing is kept between requests. It takes a POSIX shell and `python3`.
"""

from __future__ import annotations

import ast
import json
import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from offline.repair.reading.project import read_project
from offline.wire.conversation import Call, Step
from sandbox.running.process import Outcome
from sandbox.running.reports import pytest_verdict, unittest_verdict

SKIPPED = ("*/.*", "*/__pycache__/*", "*/node_modules/*", "*/site-packages/*")
END = 'echo "== end $?"'
LIST = (
    f"""echo "== files"; find . -type f {" ".join(f"! -path '{each}'" for each in SKIPPED)} -exec wc -c {{}} +; {END}"""
)
READ = 'echo "== file"; cat {path}; echo; ' + END
RUN = 'echo "== run"; python3 {arguments} 2>&1; ' + END
EDIT = (
    """python3 - <<'EDIT'
for path, old, new in {edits}:
    with open(path, encoding="utf-8", newline="") as file:
        text = file.read()
    assert text.count(old) == 1, path
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text.replace(old, new))
EDIT
"""
    + 'echo "== edited"; '
    + END
)
SHOWN = re.compile(r"== (?:files|file|run|edited)\n(?P<text>.*?)\n?^== end (?P<code>\d+)", re.MULTILINE | re.DOTALL)


def command_for(calls: Sequence[Call], files: Mapping[str, str]) -> str:
    """The command that does one call, or several edits."""
    call = calls[0]
    if call.name == "get_dir_info":
        return LIST
    if call.name == "get_file_content":
        return READ.format(path=shlex.quote(str(call.arguments["file_path"])))
    if call.name == "edit_file":
        edits = [[each.arguments[name] for name in ("file_path", "old_text", "new_text")] for each in calls]
        return EDIT.format(edits=edits)
    return RUN.format(arguments=shlex.join(arguments_for(call, files)))


def arguments_for(call: Call, files: Mapping[str, str]) -> list[str]:
    """What Python is started with to run the tests, or a file."""
    if call.name == "run_python_file":
        return [str(call.arguments["file_path"]), *map(str, call.arguments.get("args") or ())]
    project = read_project(files)
    if project.framework == "pytest":
        return ["-m", "pytest", "-q", "--tb=short", "--no-header", "--color=no", "-p", "no:cacheprovider"]
    if not project.test_paths:
        return ["-m", "unittest"]
    folders = {str(PurePosixPath(path).parent) for path in project.test_paths}
    if len(folders) > 1 or (folder := folders.pop()) == "." or f"{folder}/__init__.py" in files:
        modules = [path.removesuffix(".py").replace("/", ".") for path in project.test_paths]
        return ["-m", "unittest", *modules]
    return ["-m", "unittest", "discover", "-s", folder, "-t", folder, "-p", "*test*.py"]


def steps_of(said: str, command: str, result: str) -> list[Step]:
    """The coder's steps that a command was; none for a command of somebody else."""
    found = SHOWN.search(plain(result))
    text, failed = (found["text"], found["code"] != "0") if found else (result, True)
    error = f"Error: {text.strip()[:500] or 'nothing was printed'}"
    if command == LIST:
        sizes = re.findall(r"^\s*(\d+) \./(.+)$", text, re.MULTILINE)
        return listings({path: int(size) for size, path in sizes})
    if command.startswith(READ.split("{")[0]):
        path = shlex.split(command.split("cat ", 1)[1].split(";")[0])[0]
        return [Step(said, "get_file_content", {"file_path": path}, error if failed else text)]
    if edits := re.search(r"^for path, old, new in (\[.*\]):$", command, re.MULTILINE):
        names = ("file_path", "old_text", "new_text")
        made = [dict(zip(names, each, strict=True)) for each in ast.literal_eval(edits[1])]
        done = "Error" in plain(result).split("== edited")[0]
        return [Step(said, "edit_file", each, error if done or not found else "edited") for each in made]
    if command.startswith(RUN.split("{")[0]):
        words = shlex.split(command.split("python3 ", 1)[1].split(" 2>&1")[0])
        code = int(found["code"]) if found else 1
        if words[0] == "-m":
            return [Step(said, "run_tests", {"path": "."}, report(text))]
        shown = f"STDOUT:\n{text}" + (f"\nProcess exited with code {code}" if code else "")
        return [Step(said, "run_python_file", {"file_path": words[0], "args": words[1:]}, shown)]
    return []


def report(text: str) -> str:
    """A report of unittest or pytest as the coder knows it, the verdict first. "" where it cannot be read."""
    runner = "unittest" if re.search(r"^Ran \d+ tests?", text, re.MULTILINE) else "pytest"
    closing = re.findall(r"^=* ?(\d+ (?:passed|failed|error).*?) ?=*$", text, re.MULTILINE)
    if runner == "pytest":
        text = text[: text.rfind(closing[-1]) + len(closing[-1])] if closing else ""
    outcome = Outcome(text, text, int(bool(re.search(r"FAILED|\bfailed\b|\berrors?\b", text))), None, None, 0.0)
    return (pytest_verdict(outcome) if runner == "pytest" else unittest_verdict(outcome)) if text else ""


def listings(sizes: Mapping[str, int | None]) -> list[Step]:
    """The listings of all folders in which something is, from paths with sizes in bytes (None: a folder)."""
    folders: dict[str, dict[str, int | None]] = {".": {}}
    for path, size in sizes.items():
        parts = PurePosixPath(path).parts
        for depth in range(len(parts)):
            folder, is_last = str(PurePosixPath(*parts[:depth])), depth == len(parts) - 1
            folders.setdefault(folder, {})[parts[depth]] = size if is_last else None
    return [Step("", "get_dir_info", {"directory": folder}, listed(names)) for folder, names in folders.items()]


def listed(names: Mapping[str, int | None]) -> str:
    lines = (f"- {name}: file_size={size or 0} bytes, is_dir={size is None}" for name, size in sorted(names.items()))
    return "\n".join(lines) or "nothing is there"


def plain(result: str) -> str:
    """What a command printed or a file holds, where a client puts it into JSON; with a line that is no Python where it
    says that it was cut, so that nobody takes it for the whole."""
    try:
        told = json.loads(result)
    except ValueError:
        return result
    texts = {key: each for key, each in told.items() if isinstance(each, str)} if isinstance(told, dict) else {}
    named = (texts[key] for key in ("output", "stdout", "content", "text", "result") if key in texts)
    cut = "\n[cut by the client]" if texts and any("truncated" in key and told[key] is True for key in told) else ""
    return f"{next(named, max(texts.values(), key=len, default=result))}{cut}"
