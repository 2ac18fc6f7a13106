"""What is read of a run's output, and what is kept: head and tail; the middle is counted, never stored."""

import os
import selectors
from collections import deque
from collections.abc import Callable

TIMES_TOO_MUCH = 100  # a program that prints this many times what is kept will not stop by itself


class Streams:
    """Standard output and error of one run: two pipes, read as they fill, kept in bounded memory."""

    def __init__(self, limit: int, on_output: Callable[[bytes], None] | None) -> None:
        self.most, self.on_output = TIMES_TOO_MUCH * limit, on_output
        self.kept = (Kept(limit), Kept(limit))
        self.selector = selectors.DefaultSelector()
        self.ours, self.theirs = [], []
        for number in (0, 1):
            ours, theirs = os.pipe()
            os.set_blocking(ours, False)
            self.ours.append(ours)
            self.theirs.append(theirs)
            self.selector.register(ours, selectors.EVENT_READ, number)

    def __enter__(self) -> "Streams":
        return self

    def __exit__(self, *_: object) -> None:
        self.selector.close()
        self.close_theirs()
        for descriptor in self.ours:
            os.close(descriptor)

    def close_theirs(self) -> None:
        while self.theirs:
            os.close(self.theirs.pop())

    def too_much(self) -> bool:
        return max(kept.total for kept in self.kept) > self.most

    def read(self, timeout: float, also: object = None) -> bool:
        """Read what is there. Whether `also` is ready."""
        ready = self.selector.select(timeout)
        for key, _ in ready:
            if key.fileobj is not also:
                self._read(key.fd, key.data)
        return any(key.fileobj is also for key, _ in ready)

    def read_what_is_left(self) -> None:
        """What is in the pipes now: all writers are dead. Never waits for the end of file."""
        while not self.too_much() and self.selector.get_map() and (ready := self.selector.select(0)):
            for key, _ in ready:
                self._read(key.fd, key.data)

    def _read(self, descriptor: int, number: int) -> None:
        try:
            data = os.read(descriptor, 65536)
        except BlockingIOError:
            return
        if not data:
            self.selector.unregister(descriptor)
            return
        self.take(number, data)

    def take(self, number: int, data: bytes) -> None:
        self.kept[number].add(data)
        if number == 0 and self.on_output:
            self.on_output(data)


class Kept:
    """The first and last `limit / 2` bytes of a stream of any length, in bounded memory.

    A model needs the head (what was it doing?) and the tail (the traceback). Memory stays below about twice `limit`.
    """

    def __init__(self, limit: int) -> None:
        self.total = 0
        self._head_limit = limit - limit // 2
        self._tail_limit = limit // 2
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._tail_size = 0

    def add(self, data: bytes) -> None:
        self.total += len(data)
        room = self._head_limit - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        if not data or not self._tail_limit:
            return
        data = data[-self._tail_limit :]
        self._tail.append(data)
        self._tail_size += len(data)
        while self._tail_size - len(self._tail[0]) >= self._tail_limit:
            self._tail_size -= len(self._tail.popleft())

    def text(self) -> str:
        """The stream as UTF-8 text; what is not UTF-8 is shown as backslash escapes, a cut middle as one line."""
        tail = b"".join(self._tail)[-self._tail_limit :] if self._tail_limit else b""
        missing = self.total - len(self._head) - len(tail)
        if not missing:
            return _decode(bytes(self._head) + tail)
        note = f"\n[... {missing} bytes in the middle are not shown ...]\n"
        return _decode(_whole_characters(bytes(self._head))) + note + _decode(tail.lstrip(bytes(range(0x80, 0xC0))))


def _decode(data: bytes) -> str:
    return data.decode("utf-8", "backslashreplace")


def _whole_characters(data: bytes) -> bytes:
    """Without a character that the cut left in half at the end."""
    for length in range(1, min(4, len(data)) + 1):
        byte = data[-length]
        if byte >= 0xC0:
            needed = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return data if length >= needed else data[:-length]
        if byte < 0x80:
            return data
    return data
