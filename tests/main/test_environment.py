"""Nobody but config.py reads the environment, under whatever name."""

from __future__ import annotations

import ast
import subprocess
from pathlib import Path

import pytest

from config import PROJECT

NAMES = frozenset(("environ", "environb", "getenv", "getenvb", "putenv", "unsetenv", "expandvars"))
# Programs that run in processes of their own and are handed their environment: what they see is what we gave them.
PROGRAMS = frozenset(
    (
        "sandbox/running/selftest.py",
        "sandbox/running/script.py",
        "offline/repair/running/run_pytest.py",
        "bench/meter.py",
        "bench/peers/mini_swe_agent.py",
        "bench/peers/mini_swe_agent_coder.py",
    )
)
NOT_OURS = (
    "tests/",
    "datasets/bugs/",
    "calculator/",
    "samples/",
    "lessons/0",
    "lessons/1",
)


def sources() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "*.py"], cwd=PROJECT, capture_output=True, encoding="utf-8", check=False
    )
    names = (
        listed.stdout.split()
        if listed.returncode == 0
        else [str(p.relative_to(PROJECT)) for p in PROJECT.rglob("*.py")]
    )
    return [
        PROJECT / name
        for name in names
        if not name.startswith(NOT_OURS) and name not in PROGRAMS and name != "config.py"
    ]


def readings(text: str) -> list[int]:
    """The lines that reach for the environment: `os.environ`, `getattr(os, "environ")`, `from os import environ as e`,
    `import os as o; o.environ`, `vars(os)["environ"]`, `os.__dict__["environ"]`."""
    lines = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Attribute) and node.attr in NAMES:
            lines.append(node.lineno)
        elif isinstance(node, ast.ImportFrom) and node.module in ("os", "posix", "nt"):
            lines += [node.lineno for alias in node.names if alias.name in NAMES or alias.name == "*"]
        elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and node.slice.value in NAMES:
            lines.append(node.lineno)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "getattr":
            lines += [node.lineno for each in node.args if isinstance(each, ast.Constant) and each.value in NAMES]
    return lines


def test_nobody_but_the_settings_reads_the_environment():
    found = [
        f"{path.relative_to(PROJECT)}:{line}"
        for path in sources()
        for line in readings(path.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_the_walk_sees_what_it_should():
    assert len(sources()) > 100


@pytest.mark.parametrize(
    "smuggled",
    [
        "import os\nos.environ.get('A')",
        "import os\nos.environ['A']",
        "import os\nos.getenv('A')",
        "import os as o\no.environ",
        "from os import environ",
        "from os import environ as e",
        "from os import getenv as g",
        "from os import *",
        "import os\nvars(os)['environ']",
        "import os\nos.__dict__['environ']",
        "import os\ngetattr(os, 'environ')",
        "import posix\nposix.environ",
        "import os.path\nos.path.expandvars('$A')",
    ],
)
def test_every_way_to_the_environment_is_seen(smuggled: str):
    assert readings(smuggled)
