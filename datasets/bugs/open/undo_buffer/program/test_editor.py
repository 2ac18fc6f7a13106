import unittest

from editor import LineEditor


class EditorTest(unittest.TestCase):
    def setUp(self):
        self.editor = LineEditor(["one", "two"])

    def test_append(self):
        self.editor.append("three")
        self.assertEqual(self.editor.text, "one\ntwo\nthree")

    def test_undo_insert(self):
        self.editor.insert(0, "zero")
        self.assertTrue(self.editor.undo())
        self.assertEqual(self.editor.lines, ["one", "two"])

    def test_undo_delete(self):
        self.editor.delete(0)
        self.editor.undo()
        self.assertEqual(self.editor.lines, ["one", "two"])

    def test_redo(self):
        self.editor.replace(1, "2")
        self.editor.undo()
        self.editor.redo()
        self.assertEqual(self.editor.lines, ["one", "2"])

    def test_nothing_to_undo(self):
        self.assertFalse(self.editor.undo())

    def test_a_new_edit_forgets_what_was_undone(self):
        self.editor.replace(0, "uno")
        self.editor.undo()
        self.editor.append("three")
        self.assertFalse(self.editor.redo())
        self.assertEqual(self.editor.lines, ["one", "two", "three"])

    def test_bad_index(self):
        with self.assertRaises(IndexError):
            self.editor.delete(2)


if __name__ == "__main__":
    unittest.main()
