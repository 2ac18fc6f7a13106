"""Long texts that came from outside, kept so that they can be read on in pages."""

from __future__ import annotations

import threading
from collections import OrderedDict

from config import MAX_CHARACTERS

MOST_KEPT = 30  # texts; the oldest goes first
LARGEST_KEPT = 4 * 2**20  # characters of one text


class Pages:
    """The long results of one session. A page has at most MAX_CHARACTERS characters of whole lines where it can."""

    def __init__(self) -> None:
        self._texts: OrderedDict[str, str] = OrderedDict()
        self._made = 0
        self._lock = threading.Lock()

    def first(self, text: str) -> str:
        """Return the text, or its first page with a note of how to read on."""
        if len(text) <= MAX_CHARACTERS:
            return text
        with self._lock:
            self._made += 1
            name = f"r{self._made}"
            self._texts[name] = text[:LARGEST_KEPT]
            while len(self._texts) > MOST_KEPT:
                self._texts.popitem(last=False)
        return self.page(name, 1)

    def page(self, name: str, number: int) -> str:
        """Return one page. Raises KeyError for a result that is not kept, IndexError for a page that it has not."""
        with self._lock:
            text = self._texts[name]
        starts = starts_of(text)
        if not 1 <= number <= len(starts):
            raise IndexError(len(starts))
        begin = starts[number - 1]
        end = starts[number] if number < len(starts) else len(text)
        note = f"[page {number} of {len(starts)} of result {name}, {len(text):,} characters in all"
        more = f'; read on with read_more(result="{name}", page={number + 1})]' if number < len(starts) else "]"
        return f"{text[begin:end].rstrip()}\n{note}{more}"


def starts_of(text: str) -> list[int]:
    """Where each page of a text begins: after a line break where there is one in the page's second half."""
    starts = [0]
    while len(text) - starts[-1] > MAX_CHARACTERS:
        end = starts[-1] + MAX_CHARACTERS
        line = text.rfind("\n", starts[-1] + MAX_CHARACTERS // 2, end)
        starts.append(line + 1 if line >= 0 else end)
    return starts
