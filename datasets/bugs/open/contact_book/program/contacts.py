"""A contact book that can be searched, merged and exported as text cards."""


class Contact:
    def __init__(self, first, last, phones=(), tags=()):
        self.first = first
        self.last = last
        self.phones = list(phones)
        self.tags = set(tags)

    @property
    def full_name(self):
        return f"{self.first} {self.last}".strip()

    @property
    def sort_key(self):
        return (self.last.lower(), self.first.lower())

    @property
    def initials(self):
        return "".join(part[0].upper() for part in (self.first, self.last) if part)

    def card(self):
        lines = [f"NAME {self.full_name}"]
        lines += [f"TEL {phone}" for phone in self.phones]
        if self.tags:
            lines.append("TAGS " + ",".join(sorted(self.tags)))
        return "\n".join(lines)


class ContactBook:
    def __init__(self):
        self._contacts = {}

    def add(self, contact):
        """Add a contact; one of the same name takes the new phones and tags."""
        key = contact.full_name.lower()
        known = self._contacts.get(key)
        if known is None:
            self._contacts[key] = contact
            return contact
        known.phones += [p for p in contact.phones if p not in known.phones]
        known.tags |= contact.tags
        return known

    def __len__(self):
        return len(self._contacts)

    def __iter__(self):
        return iter(sorted(self._contacts.values(), key=lambda c: c.sort_key))

    def search(self, term):
        term = term.lower()
        return [c for c in self if term in c.full_name.lower() or any(term in p for p in c.phones)]

    def tagged(self, tag):
        return [c for c in self if tag in c.tags]

    def index(self):
        """Names under the first letter of the last name."""
        pages = {}
        for contact in self:
            letter = (contact.last or contact.first)[0].upper()
            pages.setdefault(letter, []).append(contact.first)
        return pages

    def export(self):
        return "\n\n".join(contact.card() for contact in self)
