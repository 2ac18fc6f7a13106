import unittest

from phrases import PhraseBook


class HiddenTest(unittest.TestCase):
    def setUp(self):
        self.book = PhraseBook(last="fr-CA")
        self.book.add("fr-CA", {"a": "A", "n": {"one": "{n} chose", "other": "{n} choses"}})
        self.book.add("pl", {"a": "B"})

    def test_where_it_was_found(self):
        for locale, place in (("pl-PL", "pl"), ("pl", "pl"), ("xx-YY", "fr-CA"), ("fr-CA", "fr-CA"), ("fr", "fr-CA")):
            self.assertEqual(self.book.find("a", locale)[0], place)

    def test_the_rule_of_the_language_that_has_it(self):
        self.assertEqual(self.book.count("n", 0, "pl-PL"), "0 chose")

    def test_missing_is_noted_for_an_unknown_locale(self):
        self.assertEqual(self.book.find("z", "zz"), (None, "z"))
        self.assertEqual(self.book.find("z", "pl-PL"), (None, "z"))
        self.assertEqual(self.book.missing, {("zz", "z"), ("pl-PL", "z")})

    def test_no_catalogue_at_all(self):
        self.assertEqual(PhraseBook().text("k{x}", "en", x=1), "k1")
