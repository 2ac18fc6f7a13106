import unittest

from machine import assemble, run


class HiddenTest(unittest.TestCase):
    def test_three_parameters(self):
        source = "macro move from to spare\nset spare from\nset to spare\nend\nset a 9\nmove a b c\nout b\nout c\nhalt"
        self.assertEqual(run(source), [9, 9])

    def test_the_first_parameter_only(self):
        source = "macro show one two\nout one\nend\nshow 3 4\nhalt"
        self.assertEqual(run(source), [3])

    def test_the_second_parameter_only(self):
        source = "macro show one two\nout two\nend\nshow 3 4\nhalt"
        self.assertEqual(run(source), [4])

    def test_macro_in_macro(self):
        source = "macro inc r n\nadd r n\nend\nmacro both x y\ninc x 1\ninc y 2\nend\nboth a b\nout a\nout b\nhalt"
        self.assertEqual(run(source), [1, 2])

    def test_words_only(self):
        source = "macro m a1 n\nset a n\nset b a1\nend\nm 5 6\nout a\nout b\nhalt"
        self.assertEqual(run(source), [6, 5])

    def test_label_and_macro(self):
        program = assemble("macro pair x y\nout x\nout y\nend\npair 1 2\nend_here: halt")
        self.assertEqual(program.labels, {"end_here": 2})
