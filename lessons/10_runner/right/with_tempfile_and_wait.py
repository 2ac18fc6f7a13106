import os
import signal
import sys
import tempfile
from subprocess import DEVNULL, STDOUT, Popen, TimeoutExpired


def run_python(path, timeout):
    with tempfile.TemporaryFile() as output:
        process = Popen(
            [sys.executable, path], stdin=DEVNULL, stdout=output, stderr=STDOUT, env={}, start_new_session=True
        )
        try:
            code = process.wait(timeout)
            ending = "" if code == 0 else f"Process exited with code {code}"
        except TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            ending = "The program was stopped."
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        output.seek(0)
        return output.read(9_000).decode(errors="replace") + ending
