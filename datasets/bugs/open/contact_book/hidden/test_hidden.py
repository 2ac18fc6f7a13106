import unittest

from contacts import Contact, ContactBook


class HiddenTest(unittest.TestCase):
    def test_index_of_single_names(self):
        book = ContactBook()
        book.add(Contact("Prince", ""))
        book.add(Contact("Ann", "Olsen"))
        self.assertEqual(book.index(), {"P": ["Prince"], "O": ["Ann Olsen"]})

    def test_small_letters_share_a_page(self):
        book = ContactBook()
        book.add(Contact("Jan", "van Dyk"))
        book.add(Contact("Kim", "Vance"))
        self.assertEqual(list(book.index()), ["V"])
        self.assertEqual(sorted(book.index()["V"]), ["Jan van Dyk", "Kim Vance"])

    def test_index_lists_everybody_once(self):
        book = ContactBook()
        for first in "abcdef":
            book.add(Contact(first, first * 2))
        self.assertEqual(sum(len(names) for names in book.index().values()), len(book))
