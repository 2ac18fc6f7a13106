"""Titles to short names for addresses, unique within a site."""

import unicodedata

SPELLED = {"ß": "ss", "æ": "ae", "ø": "oe", "&": " and ", "%": " percent "}


def to_ascii(text):
    for char, spelling in SPELLED.items():
        text = text.replace(char, spelling)
    decomposed = unicodedata.normalize("NFKD", text)
    return decomposed.encode("ascii", "ignore").decode("ascii")


def slugify(title, limit=40):
    words = []
    word = ""
    for char in to_ascii(title).lower():
        if char.isalnum():
            word += char
        elif char == "'":
            continue
        elif word:
            words.append(word)
            word = ""
    if word:
        words.append(word)
    return shorten(words, limit)


def shorten(words, limit):
    """Join words up to the limit; a first word that is too long is cut."""
    if not words:
        return "untitled"
    slug = words[0][:limit]
    for word in words[1:]:
        if len(slug) + 1 + len(word) > limit:
            break
        slug += "-" + word
    return slug


class SlugRegistry:
    def __init__(self):
        self.used = {}

    def register(self, title):
        slug = base = slugify(title)
        number = 1
        while slug in self.used:
            number += 1
            slug = f"{base}-{number}"
        self.used[slug] = title
        return slug

    def lookup(self, slug):
        return self.used.get(slug.strip("/").lower())
