import unittest

from jsonpath import exists, find_all, find_one


class HiddenTest(unittest.TestCase):
    def test_leaves_have_no_children(self):
        self.assertEqual(find_all({"a": 1, "b": "text", "c": None}, "*.*"), [])

    def test_star_over_mixed_values(self):
        data = {"a": [1, 2], "b": {"x": 3}, "c": 4}
        self.assertEqual(find_all(data, "[*][*]"), [1, 2, 3])

    def test_steps_that_lead_nowhere(self):
        for path in ("a.b", "a[0]", "a[*]", "b[5].x", "c"):
            self.assertFalse(exists({"a": 7, "b": [1]}, path))

    def test_empty_path_is_the_whole(self):
        self.assertEqual(find_one([1], ""), [1])
