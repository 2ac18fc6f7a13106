import unittest

from phrases import PhraseBook, form_for
from phrases.locales import chain, normal


class LocaleTest(unittest.TestCase):
    def test_normal(self):
        self.assertEqual(normal("PT_br"), "pt-BR")

    def test_chain(self):
        self.assertEqual(chain("de_at", "en"), ["de-AT", "de", "en"])
        self.assertEqual(chain("en", "en"), ["en"])


class PluralTest(unittest.TestCase):
    def test_polish(self):
        self.assertEqual([form_for("pl", n) for n in (1, 3, 12, 22, 25)], ["one", "few", "other", "few", "other"])


class BookTest(unittest.TestCase):
    def setUp(self):
        self.book = PhraseBook()
        self.book.add("en", {"hi": "Hello {name}", "bye": "Goodbye", "files": {"one": "{n} file", "other": "{n} files"}})
        self.book.add("de", {"hi": "Hallo {name}", "files": {"one": "{n} Datei", "other": "{n} Dateien"}})
        self.book.add("de-CH", {"hi": "Sali {name}"})

    def test_own_text(self):
        self.assertEqual(self.book.text("hi", "de-CH", name="Urs"), "Sali Urs")

    def test_text_of_the_language(self):
        self.assertEqual(self.book.count("files", 2, "de_ch"), "2 Dateien")

    def test_a_region_without_texts_of_its_own(self):
        self.assertEqual(self.book.text("hi", "de-AT", name="Eva"), "Hallo Eva")

    def test_last_resort(self):
        self.assertEqual(self.book.text("bye", "de-CH"), "Goodbye")

    def test_a_language_without_texts(self):
        self.assertEqual(self.book.count("files", 1, "it"), "1 file")

    def test_no_text_anywhere(self):
        self.assertEqual(self.book.text("thanks", "de-CH"), "thanks")
        self.assertEqual(self.book.missing, {("de-CH", "thanks")})

    def test_coverage(self):
        self.assertEqual(self.book.coverage("de"), 66)
