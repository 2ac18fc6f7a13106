import unittest

from framing import ESCAPE, FLAG, Decoder, Link, encode


class HiddenTest(unittest.TestCase):
    def test_there_and_back(self):
        for payload in (bytes(range(100, 140)), bytes([FLAG] * 5), bytes([ESCAPE, ESCAPE, 0x5E, FLAG, 0x5D]), b"\x00"):
            self.assertEqual(Decoder().feed(encode(payload)), [payload])

    def test_byte_by_byte(self):
        payload = bytes([9, ESCAPE, 8, 7, FLAG, 6])
        decoder = Decoder()
        for byte in encode(payload):
            decoder.feed([byte])
        self.assertEqual(decoder.payloads, [payload])
        self.assertEqual(decoder.damaged, 0)

    def test_all_numbers_of_a_link(self):
        sender, receiver = Link(), Link()
        for n in range(300):
            self.assertEqual(receiver.receive(sender.send(b"x")), [b"x"])
        self.assertEqual(receiver.lost, 0)

    def test_a_frame_that_ends_within_an_escape(self):
        decoder = Decoder()
        decoder.feed(bytes([FLAG, 1, 255, ESCAPE, FLAG]))
        self.assertEqual((decoder.payloads, decoder.damaged), ([], 1))
