"""The librarian's mind."""
