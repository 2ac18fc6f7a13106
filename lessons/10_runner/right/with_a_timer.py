import os
import signal
import subprocess
import sys
import threading


def run_python(path, timeout):
    process = subprocess.Popen(
        [sys.executable, path],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        env={"PATH": os.defpath},
        start_new_session=True,
    )
    stopped = []

    def end(late=True):
        stopped.extend([True] * late)
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    timer = threading.Timer(timeout, end)
    timer.start()
    output = process.communicate()[0].decode("utf-8", "replace")
    timer.cancel()
    end(late=False)
    if len(output) > 10_000:
        output = output[:5_000] + "\n[...]\n" + output[-4_900:]
    if stopped:
        return output + "\nstopped: too slow"
    return output + (f"\nProcess exited with code {process.returncode}" if process.returncode else "")
