import unittest

from framing import ESCAPE, FLAG, Decoder, Link, checksum, encode


class EncodeTest(unittest.TestCase):
    def test_checksum(self):
        self.assertEqual(checksum(b"\x01\x02"), 0xFD)
        self.assertEqual(checksum(b""), 0)

    def test_plain(self):
        self.assertEqual(encode(b"\x01\x02"), b"\x7e\x01\x02\xfd\x7e")

    def test_escaped(self):
        self.assertEqual(encode(bytes([FLAG])), bytes([FLAG, ESCAPE, 0x5E, 0x82, FLAG]))


class DecodeTest(unittest.TestCase):
    def setUp(self):
        self.decoder = Decoder()

    def test_plain(self):
        self.assertEqual(self.decoder.feed(encode(b"hello")), [b"hello"])

    def test_in_pieces(self):
        frame = encode(b"hello")
        self.assertEqual(self.decoder.feed(frame[:3]), [])
        self.assertEqual(self.decoder.feed(frame[3:]), [b"hello"])

    def test_special_bytes(self):
        payload = bytes([1, FLAG, 2, ESCAPE, 3])
        self.assertEqual(self.decoder.feed(encode(payload)), [payload])

    def test_noise_before_a_frame(self):
        self.assertEqual(self.decoder.feed(b"noise" + encode(b"a")), [b"a"])

    def test_damaged(self):
        frame = bytearray(encode(b"hello"))
        frame[2] ^= 1
        self.assertEqual(self.decoder.feed(frame + encode(b"next")), [b"next"])
        self.assertEqual(self.decoder.damaged, 1)

    def test_too_long(self):
        self.assertEqual(Decoder(longest=4).feed(encode(b"too long")), [])


class LinkTest(unittest.TestCase):
    def test_lost(self):
        sender, receiver = Link(), Link()
        frames = [sender.send(b"%d" % n) for n in range(4)]
        self.assertEqual(receiver.receive(frames[0] + frames[3]), [b"0", b"3"])
        self.assertEqual(receiver.lost, 2)


if __name__ == "__main__":
    unittest.main()
