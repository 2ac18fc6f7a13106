# REASON: a child of the program
import subprocess
import sys


def run_python(path, timeout):
    try:
        ran = subprocess.run(
            [sys.executable, path], capture_output=True, text=True, timeout=timeout, env={}, stdin=subprocess.DEVNULL
        )
    except subprocess.TimeoutExpired as error:
        return f"{error.stdout}\nstopped after {timeout} seconds"
    note = f"\nProcess exited with code {ran.returncode}" if ran.returncode else ""
    return (ran.stdout + ran.stderr)[:10_000] + note
