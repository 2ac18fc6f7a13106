import unittest

from subnets import Network, to_address, to_number


class HiddenTest(unittest.TestCase):
    def test_back_and_forth(self):
        for address in ("1.2.3.4", "10.20.30.40", "0.255.0.255", "200.100.50.25"):
            self.assertEqual(to_address(to_number(address)), address)

    def test_known_numbers(self):
        self.assertEqual(to_address(0x01020304), "1.2.3.4")
        self.assertEqual(to_number("1.2.3.4"), 0x01020304)

    def test_large_networks(self):
        self.assertEqual(str(Network("172.31.9.9/12")), "172.16.0.0/12")
        self.assertIn("172.31.255.255", Network("172.16.0.0/12"))
