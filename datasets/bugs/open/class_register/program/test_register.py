import unittest

from register import Register


class RegisterTest(unittest.TestCase):
    def setUp(self):
        self.register = Register()
        for pupil, subject, mark in [
            ("Eli", "maths", 40),
            ("Eli", "maths", 50),
            ("Eli", "music", 90),
            ("Mia", "maths", 80),
            ("Mia", "music", 55),
            ("Oda", "maths", 67.5),
        ]:
            self.register.record(pupil, subject, mark)

    def test_averages(self):
        self.assertEqual(self.register.average("Eli", "maths"), 45)
        self.assertEqual(self.register.average("Eli"), 60)
        self.assertIsNone(self.register.average("Zed"))

    def test_bad_mark(self):
        with self.assertRaises(ValueError):
            self.register.record("Eli", "maths", 101)

    def test_failing(self):
        self.assertEqual(self.register.failing(), {"Eli": ["maths"]})

    def test_ranking_shares_places(self):
        rows = self.register.ranking()
        self.assertEqual([(place, pupil) for place, pupil, _ in rows], [(1, "Mia"), (1, "Oda"), (3, "Eli")])

    def test_table(self):
        self.assertEqual(
            self.register.table(),
            ",maths,music\nEli,45.0,90.0\nMia,80.0,55.0\nOda,67.5,",
        )

    def test_names(self):
        self.assertEqual(self.register.pupils(), ["Eli", "Mia", "Oda"])


if __name__ == "__main__":
    unittest.main()
