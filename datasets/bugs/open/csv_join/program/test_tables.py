import unittest

from tables import inner_join, left_join, read_table, write_table

PEOPLE = "id,name\n1,Ada\n2,Bo\n3,Cy\n"
PHONES = "id,phone\n1,555\n1,556\n3,777\n"


class ReaderTest(unittest.TestCase):
    def test_rows(self):
        self.assertEqual(read_table(PEOPLE)[1], {"id": "2", "name": "Bo"})

    def test_quoted_fields(self):
        rows = read_table('a,b\n"x, y","say ""hi"""\n')
        self.assertEqual(rows, [{"a": "x, y", "b": 'say "hi"'}])

    def test_round_trip(self):
        rows = [{"a": "1,2", "b": 'q"q'}]
        self.assertEqual(read_table(write_table(rows)), rows)


class JoinTest(unittest.TestCase):
    def setUp(self):
        self.people = read_table(PEOPLE)
        self.phones = read_table(PHONES)

    def test_inner_join(self):
        joined = inner_join(self.people, self.phones, "id")
        self.assertEqual([(r["name"], r["phone"]) for r in joined], [("Ada", "555"), ("Ada", "556"), ("Cy", "777")])

    def test_left_join_keeps_the_unmatched(self):
        joined = left_join(self.people, self.phones, "id")
        self.assertEqual(len(joined), 4)
        self.assertIn({"id": "2", "name": "Bo", "phone": ""}, joined)

    def test_left_join_with_an_empty_table(self):
        self.assertEqual(left_join(self.people, [], "id"), self.people)

    def test_same_column_name(self):
        joined = inner_join([{"id": "1", "v": "a"}], [{"id": "1", "v": "b"}], "id")
        self.assertEqual(joined, [{"id": "1", "v": "a", "v_2": "b"}])
