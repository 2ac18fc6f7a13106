"""Run the harness as this user or as an ordinary one, and collect what it says."""

import functools
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ORDINARY_USER = 65534
PROJECT = Path(__file__).parents[2]
USERS = ("root", "ordinary user") if hasattr(os, "geteuid") and os.geteuid() == 0 else ("ordinary user",)


def python_for(user: str) -> str | None:
    """An interpreter that the user can reach (root's own may lie in a home that is closed to others)."""
    if not _changes_user(user):
        return sys.executable
    for path in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        check = [path, "-c", "import sys; sys.exit(sys.version_info < (3, 11))"]
        try:
            if (
                subprocess.run(check, user=ORDINARY_USER, group=ORDINARY_USER, cwd="/", capture_output=True).returncode
                == 0
            ):
                return path
        except OSError:
            continue
    return None


@contextmanager
def place_for(user: str) -> Iterator[tuple[Path, dict[str, str], dict[str, object]]]:
    """A directory that the user owns, the environment and the arguments to subprocess for running as that user."""
    top = Path(tempfile.mkdtemp(prefix="glassbox-test-"))
    try:
        top.chmod(0o755)
        code = top / "code"
        for name in ("sandbox", "tests"):
            shutil.copytree(PROJECT / name, code / name, ignore=shutil.ignore_patterns("__pycache__"))
        if (PROJECT / "config.py").exists():
            shutil.copy(PROJECT / "config.py", code)
        base, temporary = top / "base", top / "temporary"
        base.mkdir()
        temporary.mkdir()
        temporary.chmod(0o1777)  # without walls an attack kills whoever would clean up
        change: dict[str, object] = {}
        if _changes_user(user):
            os.chown(base, ORDINARY_USER, ORDINARY_USER)
            change = {"user": ORDINARY_USER, "group": ORDINARY_USER, "extra_groups": []}
        packages = [path for path in sys.path if path.endswith("site-packages")]
        environment = {
            "PATH": os.defpath,
            "PYTHONPATH": os.pathsep.join([str(code), str(code / "tests"), *packages]),
            "PYTHONDONTWRITEBYTECODE": "1",
            "HOME": str(base),
            "TMPDIR": str(temporary),
        }
        yield base, environment, change
    finally:
        shutil.rmtree(top, ignore_errors=True)


@functools.cache
def results(user: str, hidden: str, landlock_at_most: int = 1000) -> tuple[str, dict[str, tuple[str, list[str]]]]:
    """The observed line of the level, and for each attack what it said and what changed outside."""
    with place_for(user) as (base, environment, change):
        (base / "world").mkdir()
        if change:
            os.chown(base / "world", ORDINARY_USER, ORDINARY_USER)
        command = [python_for(user), "-m", "escapes.harness", str(base / "world"), hidden, str(landlock_at_most)]
        done = subprocess.run(command, env=environment, cwd=base, capture_output=True, text=True, timeout=300, **change)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, done.stderr
    return lines[0], {line["name"]: (line["said"], line["changed"]) for line in lines[1:]}


def _changes_user(user: str) -> bool:
    return user == "ordinary user" and os.geteuid() == 0
