"""Texts of a program in several languages, with plural forms and placeholders."""

from .locales import chain, normal
from .plurals import form_for


class PhraseBook:
    def __init__(self, last="en"):
        self.last = last
        self.catalogues = {}
        self.missing = set()

    def add(self, locale, texts):
        self.catalogues.setdefault(normal(locale), {}).update(texts)

    def find(self, key, locale):
        """(locale where it was found, text); the key itself when no catalogue has it."""
        for name in chain(locale, self.last):
            catalogue = self.catalogues.get(name)
            if catalogue is None:
                return None, key
            if key in catalogue:
                return name, catalogue[key]
        self.missing.add((normal(locale), key))
        return None, key

    def text(self, key, locale, **values):
        _, text = self.find(key, locale)
        if isinstance(text, dict):
            text = text["other"]
        return fill(text, values)

    def count(self, key, number, locale, **values):
        """A text with a number in it, in the form that fits; {n} stands for the number."""
        found_in, text = self.find(key, locale)
        if isinstance(text, dict):
            form = form_for(found_in.split("-")[0], number)
            text = text.get(form, text["other"])
        return fill(text, {"n": number, **values})

    def coverage(self, locale):
        """Percent of the keys of the last resort that a locale has itself."""
        wanted = self.catalogues.get(normal(self.last), {})
        have = self.catalogues.get(normal(locale), {})
        if not wanted:
            return 100
        return 100 * sum(key in have for key in wanted) // len(wanted)


def fill(text, values):
    for name, value in values.items():
        text = text.replace("{" + name + "}", str(value))
    return text
