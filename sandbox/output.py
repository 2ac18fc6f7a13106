"""What is kept of a stream: its head and its tail; the middle is counted, never stored."""

from collections import deque


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
