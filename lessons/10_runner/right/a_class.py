import os
import signal
import subprocess
import sys


class Program:
    MOST = 9_900

    def __init__(self, path):
        self.process = subprocess.Popen(
            [sys.executable, path],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={},
            start_new_session=True,
        )

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.kill()
        self.process.stdout.close()

    def kill(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
        self.process.wait()

    def wait(self, timeout):
        try:
            return self.process.communicate(timeout=timeout)[0], ""
        except subprocess.TimeoutExpired:
            self.kill()
            return self.process.communicate()[0], f"\n(stopped: it ran longer than {timeout} s)"


def run_python(path, timeout):
    with Program(path) as program:
        output, note = program.wait(timeout)
        text = output.decode("utf-8", "replace")[-Program.MOST :] + note
        code = program.process.returncode
        return text if note or code == 0 else f"{text}\nProcess exited with code {code}"
