"""Names, texts and numbers that are drawn anew for each run of a check: no answer can have been written for them."""

from __future__ import annotations

import random

SYLLABLES = (
    "ba be bo da de do fa fe fo ga go ka ke ko la le lo ma me mi mo na ne no pa pe po ra re ro sa se so ta te to"
)
FOREIGN = ("gr\u00f6\u00dfe", "na\u00efve", "\u6e2c\u8a66", "\u0434\u043e\u043c", "\U0001f680")


class Fresh(random.Random):
    """Python's own random numbers, and words. A word comes once in the life of a Fresh."""

    def __init__(self) -> None:
        super().__init__()
        self._said: set[str] = set()

    def word(self, syllables: int = 3) -> str:
        """A word that can be spoken: small ASCII letters, which may be a name in Python or of a file."""
        while True:
            made = "".join(self.choices(SYLLABLES.split(), k=syllables))
            if made not in self._said:
                self._said.add(made)
                return made

    def words(self, count: int) -> list[str]:
        return [self.word() for _ in range(count)]

    def sentence(self) -> str:
        """Five words that nobody has said before, one that ASCII cannot spell, and a full stop."""
        return " ".join([*self.words(5), self.choice(FOREIGN)]).capitalize() + "."
