import unittest

from subnets import Network, prefix_for, to_address, to_number


class AddressTest(unittest.TestCase):
    def test_number(self):
        self.assertEqual(to_number("0.0.1.2"), 258)
        self.assertEqual(to_number("255.255.255.255"), 2**32 - 1)

    def test_back(self):
        self.assertEqual(to_address(to_number("192.168.4.17")), "192.168.4.17")

    def test_bad(self):
        for text in ("1.2.3", "1.2.3.256", "a.b.c.d"):
            with self.assertRaises(ValueError):
                to_number(text)


class NetworkTest(unittest.TestCase):
    def setUp(self):
        self.network = Network("192.168.4.77/24")

    def test_starts_at_the_prefix(self):
        self.assertEqual(str(self.network), "192.168.4.0/24")

    def test_contains(self):
        self.assertIn("192.168.4.255", self.network)
        self.assertNotIn("192.168.5.0", self.network)

    def test_hosts(self):
        self.assertEqual(self.network.hosts, 254)
        self.assertEqual(Network("10.0.0.1/32").hosts, 1)

    def test_split(self):
        self.assertEqual(
            [str(n) for n in self.network.split(26)],
            ["192.168.4.0/26", "192.168.4.64/26", "192.168.4.128/26", "192.168.4.192/26"],
        )

    def test_overlap(self):
        self.assertTrue(self.network.overlaps(Network("192.168.0.0/16")))
        self.assertFalse(self.network.overlaps(Network("10.0.0.0/8")))

    def test_prefix_for(self):
        self.assertEqual(prefix_for(254), 24)
        self.assertEqual(prefix_for(255), 23)

    def test_bad_prefix(self):
        with self.assertRaises(ValueError):
            Network("10.0.0.0/33")


if __name__ == "__main__":
    unittest.main()
