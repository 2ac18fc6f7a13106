"""The child process: loads the learner's file, runs the lesson's check on it, writes the verdict to a file.

Started by checker.py inside the sandbox, in a scratch folder that holds `parts/` (the learner's file and the others
that it may import), `work/` and `relay/`. The arguments: the lesson's folder, the name of the part, how the learner
knows the file, and "shipped" where the real agent stands in for the learner.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import sys
import traceback
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).resolve().parent


def load_file(path: Path, name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)  # type: ignore[arg-type]
    sys.modules[name] = module
    spec.loader.exec_module(module)  # type: ignore[union-attr]
    return module


def load_shipped(lesson: Path) -> ModuleType:
    """The real agent's code under the names that the lesson's check uses."""
    sys.path.insert(0, str(HERE.parent))
    return load_file(lesson / "shipped.py", "shipped")


def used(parts: Path, but: str) -> list[str]:
    """The names of the parts that were imported, beside the one that is checked."""
    files = {name: str(getattr(module, "__file__", "")) for name, module in list(sys.modules.items())}
    return sorted(name for name, file in files.items() if file == str(parts / f"{name}.py") and name != but)


def main() -> None:
    sys.path.remove(str(HERE))
    lesson, part = HERE / sys.argv[1], sys.argv[2]
    shipped = sys.argv[4:] == ["shipped"]
    scratch = Path.cwd()
    sys.path.insert(0, str(scratch / "parts"))
    parent = os.getpid()
    checking = load_file(HERE / "checking.py", "lessons_checking")

    def load() -> ModuleType:
        return load_shipped(lesson) if shipped else importlib.import_module(part)

    check = checking.Check(load, sys.argv[3], scratch, checking.Relay(scratch / "relay"))
    check.stub, check.fresh = checking.stub, load_file(HERE / "fresh.py", "lessons_fresh").Fresh()
    broken = ""
    try:
        course = load_file(lesson / "check.py", "lesson_check")
        course.check(check)
    except checking.Failed as failed:  # outside a case: the file cannot be loaded
        check.cases.append({"title": "the file can be used", "state": "failed", **failed.parts})
    except BaseException as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        if not any(case["state"] == "failed" for case in check.cases):  # else it is what the failed case lacks
            broken = f"{type(error).__name__}: {error} ({Path(frame.filename).name}, line {frame.lineno})"
    if os.getpid() != parent:  # the learner's code forked, and this is the copy
        os._exit(0)
    verdict = {"cases": check.cases, "picture": check.picture, "recording": check.recording, "broken": broken}
    verdict["used"] = used(scratch / "parts", part)
    draft = scratch / "verdict.draft"
    draft.write_text(json.dumps(verdict), encoding="utf-8", errors="backslashreplace")
    draft.rename(scratch / "verdict.json")
    sys.stdout.flush()
    os._exit(0)  # threads that the learner's code left behind must not hold the verdict back


if __name__ == "__main__":
    main()
