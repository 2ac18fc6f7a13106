import unittest

from contacts import Contact, ContactBook


class ContactBookTest(unittest.TestCase):
    def setUp(self):
        self.book = ContactBook()
        self.book.add(Contact("Zoe", "Adams", ["111"], {"work"}))
        self.book.add(Contact("Abe", "Young", ["222"]))
        self.book.add(Contact("Bea", "Adams", ["333"], {"family"}))

    def test_sorted_by_last_name(self):
        self.assertEqual([c.first for c in self.book], ["Bea", "Zoe", "Abe"])

    def test_search_by_name_and_phone(self):
        self.assertEqual([c.first for c in self.book.search("adam")], ["Bea", "Zoe"])
        self.assertEqual([c.first for c in self.book.search("22")], ["Abe"])

    def test_same_name_is_merged(self):
        self.book.add(Contact("zoe", "adams", ["111", "444"], {"club"}))
        self.assertEqual(len(self.book), 3)
        zoe = self.book.search("zoe")[0]
        self.assertEqual(zoe.phones, ["111", "444"])
        self.assertEqual(zoe.tags, {"work", "club"})

    def test_tagged(self):
        self.assertEqual([c.full_name for c in self.book.tagged("family")], ["Bea Adams"])

    def test_index(self):
        self.assertEqual(self.book.index(), {"A": ["Bea Adams", "Zoe Adams"], "Y": ["Abe Young"]})

    def test_card(self):
        contact = Contact("Cy", "", ["5"], {"b", "a"})
        self.assertEqual(contact.card(), "NAME Cy\nTEL 5\nTAGS a,b")
        self.assertEqual(contact.initials, "C")

    def test_export(self):
        self.assertEqual(self.book.export().count("NAME"), 3)


if __name__ == "__main__":
    unittest.main()
