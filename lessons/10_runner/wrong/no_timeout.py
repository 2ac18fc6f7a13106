# REASON: still running
import subprocess
import sys


def run_python(path, timeout):
    ran = subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=None, env={})
    note = f"\nProcess exited with code {ran.returncode}" if ran.returncode else ""
    return (ran.stdout + ran.stderr)[:10_000] + note
