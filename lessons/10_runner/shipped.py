"""The real agent in place of the learner's run_python(): its tool, behind its sandbox."""

from pathlib import Path

from functions.run_python_file import run_python_file
from sandbox.running import reports

KEEPS = 100_000  # characters, head and tail; its dispatcher sends the model less of them when the window is short


def run_python(path: str, timeout: float) -> str:
    reports.RUN_SECONDS = timeout
    return run_python_file(Path(path).parent, Path(path).name)
