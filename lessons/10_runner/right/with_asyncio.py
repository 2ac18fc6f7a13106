import asyncio
import contextlib
import os
import signal
import sys


async def main(path, timeout):
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        path,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env={},
        start_new_session=True,
    )
    reading = asyncio.ensure_future(process.communicate())
    done, _ = await asyncio.wait({reading}, timeout=timeout)
    if not done:
        os.killpg(process.pid, signal.SIGKILL)
    output, _ = await reading
    if done:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    text = output.decode(errors="replace")[:9_500]
    if not done:
        return f"{text}\nstopped after {timeout} s"
    if process.returncode != 0:
        return f"{text}\nProcess exited with code {process.returncode}"
    return text


def run_python(path, timeout):
    return asyncio.run(main(path, timeout))
