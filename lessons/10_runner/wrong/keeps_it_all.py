# REASON: at most
import os
import signal
import subprocess
import sys


def run_python(path, timeout):
    process = subprocess.Popen(
        [sys.executable, path],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={},
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )
    note = ""
    try:
        output, _ = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        note = "\nit was stopped"
    if process.returncode > 0:
        note = f"\nProcess exited with code {process.returncode}"
    return output + note
