import os
import signal
import sys
from contextlib import suppress
from subprocess import DEVNULL, PIPE, STDOUT, Popen, TimeoutExpired


def run_python(path, timeout):
    options = {
        "stdin": DEVNULL,
        "stdout": PIPE,
        "stderr": STDOUT,
        "env": {"LANG": "C.UTF-8"},
        "start_new_session": True,
    }
    late = False
    with Popen([sys.executable, "-I", path], **options) as process:
        try:
            raw = process.communicate(timeout=timeout)[0]
        except TimeoutExpired:
            late = True
            os.killpg(os.getpgid(process.pid), signal.SIGKILL)
            raw = process.communicate()[0]
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    text = raw.decode(errors="backslashreplace")[-10_000:]
    if late:
        return f"{text}\n[timed out: ended after {timeout} s]"
    if process.returncode:
        return f"{text}\n[Process exited with code {process.returncode}]"
    return text
