import random
import unittest

from merge import merge, second_largest


class HiddenTest(unittest.TestCase):
    def test_merge(self):
        chance = random.Random(1)
        for _ in range(200):
            one, other = (sorted(chance.choices(range(-9, 10), k=chance.randrange(6))) for _ in range(2))
            self.assertEqual(merge(one, other), sorted(one + other))

    def test_second(self):
        chance = random.Random(2)
        for _ in range(200):
            numbers = chance.choices(range(-9, 10), k=chance.randrange(1, 7))
            ordered = sorted(set(numbers))
            self.assertEqual(second_largest(numbers), ordered[-2] if len(ordered) > 1 else None)
