import unittest

from primes import is_prime, primes_up_to


class PrimesTest(unittest.TestCase):
    def test_two(self):
        self.assertTrue(is_prime(2))

    def test_small(self):
        self.assertTrue(is_prime(7))
        self.assertTrue(is_prime(13))

    def test_one_and_below(self):
        self.assertFalse(is_prime(1))
        self.assertFalse(is_prime(0))
        self.assertFalse(is_prime(-5))

    def test_even(self):
        self.assertFalse(is_prime(10))

    def test_squares(self):
        self.assertFalse(is_prime(9))
        self.assertFalse(is_prime(49))

    def test_up_to(self):
        self.assertEqual(primes_up_to(10), [2, 3, 5, 7])

    def test_the_end_is_included(self):
        self.assertEqual(primes_up_to(13), [2, 3, 5, 7, 11, 13])

    def test_none(self):
        self.assertEqual(primes_up_to(1), [])
