"""Every subject has its bytecode before it is measured: an installer that compiles nothing, or a variable that forbids
to write what was compiled, would be measured as the subject's own slowness at every start.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from config import PROJECT

# Variables that would make one subject's Python behave unlike another's.
PYTHONS_OWN = ("PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX", "PYTHONOPTIMIZE", "PYTHONPATH", "PYTHONSTARTUP")

COMPILE = """
import compileall, importlib.util, os, sys, sysconfig
places = [sysconfig.get_path("purelib"), sysconfig.get_path("platlib"), *sys.argv[1:]]
for place in dict.fromkeys(places):
    compileall.compile_dir(place, quiet=2, workers=1)
sources = {os.path.join(top, name) for place in places for top, _, names in os.walk(place) for name in names
           if name.endswith(".py") and "/." not in top.removeprefix(place)}
missing = sum(not os.path.exists(importlib.util.cache_from_source(source)) for source in sources)
print(len(sources), missing)
"""
OURS = ("agent", "bench/peers", "cli", "functions", "jobs", "offline", "providers", "records", "sandbox")


def same_for_all(environment: Mapping[str, str]) -> dict[str, str]:
    """An environment without what only some Pythons would be told."""
    return {name: value for name, value in environment.items() if name not in PYTHONS_OWN}


def compile_all(pythons: Iterable[str], environment: Mapping[str, str]) -> None:
    """Compile what each of these Pythons can import, and say so. Raises OSError where that cannot be done."""
    for python in dict.fromkeys(pythons):
        ours = [str(PROJECT / room) for room in OURS] if python == sys.executable else []
        command = [python, "-c", COMPILE, *ours]
        ran = subprocess.run(command, env=same_for_all(environment), capture_output=True, encoding="utf-8", check=False)
        if ran.returncode:
            raise OSError(f"what {python} imports cannot be compiled: {ran.stderr.strip().splitlines()[-1:]}")
        total, missing = map(int, ran.stdout.split())
        where = "this project and its environment" if ours else Path(python).parents[1].name
        left = f"; {missing} have no bytecode, because Python cannot compile them" if missing else ""
        print(f"compiled: {where}, {total} files{left}", file=sys.stderr)
