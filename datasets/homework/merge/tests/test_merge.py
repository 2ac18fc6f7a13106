import unittest

from merge import merge, second_largest


class MergeTest(unittest.TestCase):
    def test_both(self):
        self.assertEqual(merge([1, 4, 6], [2, 3, 7]), [1, 2, 3, 4, 6, 7])

    def test_one_is_longer(self):
        self.assertEqual(merge([5], [1, 2, 8, 9]), [1, 2, 5, 8, 9])

    def test_equal_numbers_stay(self):
        self.assertEqual(merge([1, 2], [2, 2, 3]), [1, 2, 2, 2, 3])

    def test_one_is_empty(self):
        self.assertEqual(merge([], [1, 2]), [1, 2])
        self.assertEqual(merge([3, 4], []), [3, 4])

    def test_what_was_given_is_not_changed(self):
        one, other = [1, 3], [2]
        merge(one, other)
        self.assertEqual((one, other), ([1, 3], [2]))

    def test_second_largest(self):
        self.assertEqual(second_largest([4, 9, 7, 1]), 7)

    def test_second_largest_of_negative_numbers(self):
        self.assertEqual(second_largest([-5, -2, -9]), -5)

    def test_the_largest_twice(self):
        self.assertEqual(second_largest([3, 8, 8, 5]), 5)

    def test_second_largest_in_front(self):
        self.assertEqual(second_largest([6, 7, 1]), 6)

    def test_largest_in_front(self):
        self.assertEqual(second_largest([9, 4, 7]), 7)

    def test_too_few(self):
        self.assertIsNone(second_largest([4]))
        self.assertIsNone(second_largest([4, 4]))
