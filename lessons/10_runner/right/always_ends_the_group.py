import contextlib
import os
import subprocess
import sys
from signal import SIGKILL

HALF = 4_900


def run_python(path: str, timeout: float) -> str:
    process = subprocess.Popen(
        args=[sys.executable, path],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env={},
        start_new_session=True,
    )
    notes = []
    try:
        out = process.communicate(timeout=timeout)[0]
        if process.returncode:
            notes.append(f"Process exited with code {process.returncode}")
    except subprocess.TimeoutExpired:
        notes.append(f"It was stopped after {timeout} seconds.")
    finally:
        with contextlib.suppress(OSError):
            os.killpg(process.pid, SIGKILL)
    if notes and "stopped" in notes[0]:
        out = process.communicate()[0]
    if len(out) > 2 * HALF:
        out = out[:HALF] + "\n[...]\n" + out[-HALF:]
    return "\n".join([out, *notes])
