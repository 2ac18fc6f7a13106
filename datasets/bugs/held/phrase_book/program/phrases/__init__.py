from .book import PhraseBook
from .plurals import form_for

__all__ = ["PhraseBook", "form_for"]
