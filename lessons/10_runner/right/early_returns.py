import os
import signal
import subprocess
import sys


def run_python(path, timeout):
    process = subprocess.Popen(
        [sys.executable, path],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={},
        start_new_session=True,
        text=True,
        errors="replace",
    )
    try:
        output, nothing = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, nothing = process.communicate()
        return output[:9000] + "\nThe program was stopped after " + str(timeout) + " seconds"
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except OSError:
        print("nothing was left")
    if len(output) > 9000:
        output = output[:9000]
    if process.returncode == 0:
        return output
    return output + "\nProcess exited with code " + str(process.returncode)
