import unittest

from editor import LineEditor


class HiddenTest(unittest.TestCase):
    def test_redo_survives_several_undos(self):
        editor = LineEditor()
        for text in "abcd":
            editor.append(text)
        while editor.undo():
            pass
        self.assertEqual(editor.lines, [])
        while editor.redo():
            pass
        self.assertEqual(editor.text, "a\nb\nc\nd")

    def test_each_kind_of_edit_clears_redo(self):
        for edit in (lambda e: e.insert(0, "x"), lambda e: e.delete(0), lambda e: e.replace(0, "y")):
            editor = LineEditor(["p", "q"])
            editor.append("r")
            editor.undo()
            edit(editor)
            after = list(editor.lines)
            self.assertFalse(editor.redo())
            self.assertEqual(editor.lines, after)

    def test_undo_still_works_after_a_cleared_redo(self):
        editor = LineEditor(["p"])
        editor.append("r")
        editor.undo()
        editor.append("s")
        self.assertTrue(editor.undo())
        self.assertEqual(editor.lines, ["p"])
