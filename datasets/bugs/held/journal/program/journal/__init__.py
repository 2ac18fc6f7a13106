from .book import Book
from .parser import JournalError, parse
from .period import Period

__all__ = ["Book", "JournalError", "Period", "parse"]
