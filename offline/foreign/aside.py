"""What a client has no tool for, done in a copy of the files that it showed, behind the sandbox: tests and scripts."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Mapping

from offline.foreign.shell import arguments_for
from offline.repair.repair import ENVIRONMENT, LIMITS
from offline.wire.conversation import Call, Step
from sandbox.files.root import Refusal, Root
from sandbox.running.process import Limits, run_python
from sandbox.running.reports import pytest_verdict, unittest_verdict

SECONDS = 30.0
CAN = frozenset(("run_tests", "run_python_file"))
NOTE = "The tests were run in my own copy of the files, since I was given no tool that runs them."


def step_aside(call: Call, files: Mapping[str, str]) -> Step:
    """Run the tests, or a file, in a copy; where that cannot be, the step has failed."""
    arguments = arguments_for(call, files)
    try:
        with tempfile.TemporaryDirectory(prefix="aside-", ignore_cleanup_errors=True) as place, Root(place) as root:
            for path, text in files.items():
                with contextlib.suppress(Refusal):  # a path that leads elsewhere is no part of the program
                    root.write_text(path, text)
            outcome = run_python(root, arguments, limits=Limits(seconds=SECONDS, **LIMITS), environment=ENVIRONMENT)
    except Refusal as refusal:
        return Step("", call.name, call.arguments, f"Error: no tests found: {refusal}")
    if call.name == "run_tests":
        told = pytest_verdict(outcome) if arguments[1] == "pytest" else unittest_verdict(outcome)
        return Step("", call.name, call.arguments, told.replace(f"{place}/", ""))
    code = f"\nProcess exited with code {outcome.exit_code}" if outcome.exit_code else ""
    return Step("", call.name, call.arguments, f"STDOUT:\n{outcome.stdout}\nSTDERR:\n{outcome.stderr}{code}")
