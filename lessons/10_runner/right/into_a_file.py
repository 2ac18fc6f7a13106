import os
import signal
import subprocess
import sys
import tempfile


def run_python(path, timeout):
    """What it prints goes into a file, of which the end is kept."""
    stopped = ""
    with tempfile.TemporaryFile() as file:
        process = subprocess.Popen(
            [sys.executable, path], stdout=file, stderr=file, env={}, stdin=subprocess.DEVNULL, process_group=0
        )
        try:
            process.wait(timeout)
        except subprocess.TimeoutExpired:
            stopped = f"\nThe time was up after {timeout} s."
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()
        file.seek(max(0, file.tell() - 9000))
        text = file.read().decode(errors="replace")
    code = process.returncode
    return text + stopped + (f"\nProcess exited with code {code}" if code and not stopped else "")
