"""An entry of the journal: a day, a text and what moves from where to where."""


class Posting:
    def __init__(self, account, value, currency):
        self.account = account
        self.value = value
        self.currency = currency

    def belongs_to(self, account):
        """Is it of the account or of one below it? 'food:fruit' is below 'food'."""
        return self.account == account or self.account.startswith(account + ":")


class Entry:
    def __init__(self, day, text, postings, tags=()):
        self.day = day
        self.text = text
        self.postings = postings
        self.tags = set(tags)

    def touches(self, account):
        return any(posting.belongs_to(account) for posting in self.postings)
