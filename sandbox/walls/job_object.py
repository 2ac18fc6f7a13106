"""Job Objects: what Windows gives without administrator rights. Limits, and no wall.

THIS FILE HAS NEVER RUN. It is by design, from the documentation; we have no Windows to run it on.

https://learn.microsoft.com/windows/win32/procthread/job-objects: every process that a member of the job starts is a
member too; memory and the number of processes are limited for all together; closing the last handle kills all. Files
and network stay open, so the level is `limits`, and the message points to WSL2.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import subprocess
import tempfile
import threading
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sandbox.running.process import Streams

_EXTENDED_LIMIT_INFORMATION = 9
_ACTIVE_PROCESS, _JOB_MEMORY, _KILL_ON_CLOSE, _DIE_ON_EXCEPTION = 0x8, 0x200, 0x2000, 0x400
_CREATE_SUSPENDED = 0x4
_TICK_SECONDS = 0.05
_KILLED = 1


class _Basic(ctypes.Structure):
    _fields_ = [
        ("per_process_time", ctypes.c_int64),
        ("per_job_time", ctypes.c_int64),
        ("flags", ctypes.c_uint32),
        ("smallest_working_set", ctypes.c_size_t),
        ("largest_working_set", ctypes.c_size_t),
        ("active_processes", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("priority_class", ctypes.c_uint32),
        ("scheduling_class", ctypes.c_uint32),
    ]


class _Extended(ctypes.Structure):
    _fields_ = [
        ("basic", _Basic),
        ("io", ctypes.c_uint64 * 6),
        ("process_memory", ctypes.c_size_t),
        ("job_memory", ctypes.c_size_t),
        ("peak_process_memory", ctypes.c_size_t),
        ("peak_job_memory", ctypes.c_size_t),
    ]


def run(job: dict[str, Any], streams: Streams, cancelled: threading.Event | None) -> dict[str, Any]:
    """Run the command of the job and wait; the answer has the shape that the supervisor gives elsewhere."""
    with (
        tempfile.TemporaryDirectory(prefix="glassbox-", ignore_cleanup_errors=True) as private,
        _Job(job["limits"]) as fence,
    ):
        home = dict.fromkeys(("HOME", "TMPDIR", "TEMP", "TMP"), private)
        process = subprocess.Popen(
            job["command"],
            cwd=job["directory"],
            env={**home, **job["environment"]},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            creationflags=_CREATE_SUSPENDED,  # it must be in the job before it can start another
        )
        fence.take_in(process)
        readers = [_Reader(streams, number, stream) for number, stream in enumerate((process.stdout, process.stderr))]
        stopped = _wait(process, job["limits"]["seconds"], streams, cancelled)
        fence.end_all()
        code = process.wait()
        for reader in readers:
            reader.join()
    return {"code": code, "stopped": stopped}


def _wait(process: subprocess.Popen, seconds: float, streams: Streams, cancelled: threading.Event | None) -> str | None:
    deadline = time.monotonic() + seconds
    while True:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_TICK_SECONDS)
            return None
        if cancelled is not None and cancelled.is_set():
            return "cancelled"
        if time.monotonic() > deadline:
            return "time"
        if streams.too_much():
            return "output"


class _Reader(threading.Thread):
    """Reads one pipe until its end, which comes when all members of the job are dead."""

    def __init__(self, streams: Streams, number: int, stream: Any) -> None:
        super().__init__(daemon=True)
        self._streams, self._number, self._stream = streams, number, stream
        self.start()

    def run(self) -> None:
        with self._stream:
            while data := os.read(self._stream.fileno(), 65536):
                self._streams.take(self._number, data)


class _Job:
    """The job object; leaving it kills every member."""

    def __init__(self, limits: dict[str, Any]) -> None:
        self._kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        self._kernel.CreateJobObjectW.restype = ctypes.c_void_p
        self._handle = ctypes.c_void_p(self._checked(self._kernel.CreateJobObjectW(None, None)))
        wanted = _Extended()
        wanted.basic.flags = _ACTIVE_PROCESS | _JOB_MEMORY | _KILL_ON_CLOSE | _DIE_ON_EXCEPTION
        wanted.basic.active_processes = limits["processes"]
        wanted.job_memory = limits["memory_bytes"]
        size, kind = ctypes.sizeof(wanted), _EXTENDED_LIMIT_INFORMATION
        self._checked(self._kernel.SetInformationJobObject(self._handle, kind, ctypes.byref(wanted), size))

    def __enter__(self) -> _Job:
        return self

    def __exit__(self, *_: object) -> None:
        self._kernel.CloseHandle(self._handle)

    def take_in(self, process: subprocess.Popen) -> None:
        """Put a suspended process into the job, then let it begin."""
        handle = ctypes.c_void_p(int(process._handle))
        try:
            self._checked(self._kernel.AssignProcessToJobObject(self._handle, handle))
            ctypes.WinDLL("ntdll").NtResumeProcess(handle)
        except BaseException:
            process.kill()
            raise

    def end_all(self) -> None:
        self._kernel.TerminateJobObject(self._handle, _KILLED)

    def _checked(self, result: Any) -> Any:
        if not result:
            raise ctypes.WinError(ctypes.get_last_error())
        return result
