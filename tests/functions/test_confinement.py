"""What the person is told about the sandbox, and that a language model's code is not run where nothing holds it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from config import PROJECT
from functions.run_python_file import run_python_file
from functions.run_tests import run_tests
from sandbox.files.root import Root
from sandbox.running import levels, pretending

FORCED = """
import sys
from cli import start as cli
from sandbox.running import pretending
with pretending.hidden(*filter(None, sys.argv[1].split(","))):
    sys.exit(cli.main(sys.argv[2:]))
"""

UNCONFINED = pretending.all_but("seccomp", "namespaces")  # they stand here, and do not hold code in without the others


def run_forced(hidden: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command line as if this system had not got these walls."""
    return subprocess.run(
        [sys.executable, "-c", FORCED, hidden, *arguments],
        cwd=PROJECT,
        env={"PATH": "", "RUNS_DIRECTORY": os.environ["RUNS_DIRECTORY"], **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )


def language_model(address: str) -> dict[str, str]:
    return {"LLM_PROVIDER": "lmstudio", "LMSTUDIO_BASE_URL": f"{address}/v1"}


def test_the_tools_run_no_code_where_no_wall_holds_it(calculator: Path):
    with pretending.hidden(*UNCONFINED), Root(calculator) as root:
        root.allow_unconfined = False
        for answer in (run_python_file(root, "main.py"), run_tests(root)):
            assert answer.startswith("Error: Code is not run here")
            assert "--allow-unconfined" in answer


def test_the_tools_run_code_there_once_the_person_has_allowed_it(calculator: Path):
    with pretending.hidden(*UNCONFINED), Root(calculator) as root:
        root.allow_unconfined = True
        assert run_tests(root).startswith("2 of 9 tests failed")


def test_a_language_models_code_is_refused_at_level_limits_and_the_person_knows(built_in_model: str, calculator: Path):
    ran = run_forced(
        ",".join(UNCONFINED), "run the tests", "--workdir", str(calculator), **language_model(built_in_model)
    )
    assert "Code is not run here" in ran.stdout
    assert "sandbox: limits" in ran.stderr
    assert "--allow-unconfined" in ran.stderr


def test_with_allow_unconfined_it_runs_and_every_run_says_so(built_in_model: str, calculator: Path):
    arguments = ("run the tests", "--allow-unconfined", "--workdir", str(calculator))
    ran = run_forced(",".join(UNCONFINED), *arguments, **language_model(built_in_model))
    assert "2 of 9 tests failed" in ran.stdout
    assert "No wall holds code in on this system" in ran.stderr


def test_the_built_in_model_may_run_the_persons_own_program_there_and_it_is_said(
    project: Callable[[dict[str, str]], Path], soon_repaired: dict[str, str]
):
    place = project(soon_repaired)
    ran = run_forced(",".join(UNCONFINED), "fix the bug", "--provider", "offline", "--workdir", str(place))
    assert ran.stdout.startswith("Fixed."), ran.stderr
    assert "No wall holds code in on this system" in ran.stderr


@pytest.mark.skipif(not levels.level().at_least("full"), reason="this system lacks one of the three walls")
def test_without_namespaces_the_level_is_strong_and_says_what_that_costs(calculator: Path):
    ran = run_forced("namespaces", "run the tests", "--provider", "offline", "--json", "--workdir", str(calculator))
    assert json.loads(ran.stdout)["sandbox"].startswith("sandbox: strong (Landlock ")
    assert "Level strong" in ran.stderr


def test_the_sandbox_command_shows_the_level_and_the_eight_attempts():
    ran = run_forced("", "--sandbox")
    assert ran.returncode == 0
    assert ran.stdout.startswith(f"sandbox: {levels.level().name} ")
    assert ran.stdout.count("held") + ran.stdout.count("ESCAPED") >= 8
