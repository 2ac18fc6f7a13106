"""Frames on a serial line: marked by a flag, with an escape for bytes that look like one, and a checksum."""

FLAG = 0x7E
ESCAPE = 0x7D
TOGGLE = 0x20


class FrameError(ValueError):
    pass


def checksum(data):
    """Makes the sum of all bytes, itself included, a multiple of 256."""
    return -sum(data) % 256


def encode(payload):
    out = bytearray([FLAG])
    for byte in bytes(payload) + bytes([checksum(payload)]):
        if byte in (FLAG, ESCAPE):
            out += bytes([ESCAPE, byte ^ TOGGLE])
        else:
            out.append(byte)
    out.append(FLAG)
    return bytes(out)


class Decoder:
    """Takes bytes as they come, in pieces of any size, and collects the payloads of whole frames."""

    def __init__(self, longest=256):
        self.longest = longest
        self.buffer = bytearray()
        self.escaped = False
        self.inside = False
        self.payloads = []
        self.damaged = 0

    def feed(self, data):
        """Returns the payloads that were completed by these bytes."""
        before = len(self.payloads)
        for byte in data:
            self._take(byte)
        return self.payloads[before:]

    def _take(self, byte):
        if byte == FLAG:
            if self.inside and self.buffer:
                self._finish()
            self._restart()
            self.inside = True
        elif not self.inside:
            return
        elif byte == ESCAPE:
            self.escaped = True
        else:
            if self.escaped:
                byte ^= TOGGLE
            self.buffer.append(byte)
            if len(self.buffer) > self.longest:
                self.damaged += 1
                self._restart()
                self.inside = False

    def _finish(self):
        if self.escaped or sum(self.buffer) % 256:
            self.damaged += 1
        else:
            self.payloads.append(bytes(self.buffer[:-1]))

    def _restart(self):
        self.buffer.clear()
        self.escaped = False


class Link:
    """Numbers the payloads it sends and notices what got lost on the way."""

    def __init__(self):
        self.sent = 0
        self.expected = 0
        self.lost = 0
        self.decoder = Decoder()

    def send(self, payload):
        frame = encode(bytes([self.sent]) + bytes(payload))
        self.sent = (self.sent + 1) % 256
        return frame

    def receive(self, data):
        received = []
        for payload in self.decoder.feed(data):
            number = payload[0]
            self.lost += (number - self.expected) % 256
            self.expected = (number + 1) % 256
            received.append(payload[1:])
        return received
