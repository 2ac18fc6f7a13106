import os
import signal
import subprocess
import sys
import threading

MOST = 10_000


def run_python(path, timeout):
    """Keep the beginning while it comes, and let the rest fall."""
    process = subprocess.Popen(
        [sys.executable, "-u", path],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={"PYTHONIOENCODING": "utf-8"},
        start_new_session=True,
    )
    kept = bytearray()

    def read():
        for part in iter(lambda: process.stdout.read1(65536), b""):
            kept.extend(part[: max(0, MOST - len(kept))])

    reader = threading.Thread(target=read)
    reader.start()
    reader.join(timeout)
    note = ""
    if reader.is_alive():
        note = "\nIt was stopped: its time was up."
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    reader.join()
    code = process.wait()
    if code and not note:
        note = f"\nProcess exited with code {code}"
    return kept.decode("utf-8", "replace") + note
