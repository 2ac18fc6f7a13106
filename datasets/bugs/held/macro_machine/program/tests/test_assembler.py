import unittest

from machine import AssemblyError, assemble, run


class AssemblerTest(unittest.TestCase):
    def test_labels_and_data(self):
        program = assemble("first: word 7 8\nsecond: space 2\nstart: load a second\njump start")
        self.assertEqual(program.data, [7, 8, 0, 0])
        self.assertEqual(repr(program.instructions[0]), "load a 2")
        self.assertEqual(repr(program.instructions[1]), "jump 0")

    def test_comments_and_empty_lines(self):
        self.assertEqual(len(assemble("; nothing\n\nhalt ; the end").instructions), 1)

    def test_macro_without_parameters(self):
        self.assertEqual(run("macro stop\nhalt\nend\nout 1\nstop"), [1])

    def test_macro_with_one_parameter(self):
        source = "macro twice register\nadd register register\nend\nset b 4\ntwice b\ntwice b\nout b\nhalt"
        self.assertEqual(run(source), [16])

    def test_macro_with_two_parameters(self):
        source = "macro scale register factor\nmul register factor\nout register\nend\nset c 3\nscale c 5\nhalt"
        self.assertEqual(run(source), [15])

    def test_wrong_number_of_arguments(self):
        with self.assertRaises(AssemblyError) as caught:
            assemble("macro m x\nout x\nend\nm 1 2")
        self.assertEqual(caught.exception.number, 4)

    def test_errors_tell_the_line(self):
        for source in ("halt\nfly", "halt\nadd a", "halt\nadd 5 a", "halt\njump nowhere"):
            with self.assertRaises(AssemblyError) as caught:
                assemble(source)
            self.assertEqual(caught.exception.number, 2)
