import os
import signal
import subprocess
import sys


def run_python(path, timeout):
    """Standard output and standard error apart, each in half the room."""
    process = subprocess.Popen(
        [sys.executable, path],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        env={},
        preexec_fn=os.setsid,
    )
    stopped = False
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        stopped = True
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
    else:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    said = f"STDOUT:\n{out[:4900]}\nSTDERR:\n{err[-4900:]}"
    if stopped:
        said += f"\nTimeout: the program was still running after {timeout} s"
    elif process.returncode != 0:
        said += f"\nProcess exited with code {process.returncode}"
    return said
