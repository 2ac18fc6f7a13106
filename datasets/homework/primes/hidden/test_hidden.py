import unittest

from primes import is_prime, primes_up_to


class HiddenTest(unittest.TestCase):
    def test_all(self):
        wanted = [n for n in range(2, 400) if all(n % d for d in range(2, n))]
        self.assertEqual([n for n in range(-9, 400) if is_prime(n)], wanted)
        self.assertEqual(primes_up_to(399), wanted)

    def test_ends(self):
        self.assertEqual([len(primes_up_to(n)) for n in (0, 1, 2, 3, 4, 5)], [0, 0, 1, 2, 2, 3])
