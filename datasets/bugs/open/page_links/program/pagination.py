"""Cut a list into pages and make the row of links below it: 1 ... 4 [5] 6 ... 12."""

GAP = "..."


class Paginator:
    def __init__(self, items, per_page):
        if per_page < 1:
            raise ValueError("a page holds at least one item")
        self.items = list(items)
        self.per_page = per_page

    @property
    def pages(self):
        return max(1, (len(self.items) + self.per_page - 1) // self.per_page)

    def page(self, number):
        """Items of a page; pages are numbered from 1."""
        self._check(number)
        start = (number - 1) * self.per_page
        return self.items[start : start + self.per_page]

    def label(self, number):
        """'21-40 of 55'"""
        self._check(number)
        if not self.items:
            return "nothing found"
        first = (number - 1) * self.per_page
        last = min(number * self.per_page, len(self.items))
        return f"{first}-{last} of {len(self.items)}"

    def _check(self, number):
        if not 1 <= number <= self.pages:
            raise IndexError(f"no page {number}")

    def links(self, current, around=1):
        """Page numbers to show, with gaps; a gap never hides a single page."""
        self._check(current)
        shown = {1, self.pages} | set(range(max(1, current - around), min(self.pages, current + around) + 1))
        result = []
        previous = 0
        for number in sorted(shown):
            if number - previous == 2:
                result.append(number - 1)
            elif number - previous > 2:
                result.append(GAP)
            result.append(number)
            previous = number
        return result

    def bar(self, current):
        parts = []
        for link in self.links(current):
            parts.append(f"[{link}]" if link == current else str(link))
        return " ".join(parts)
