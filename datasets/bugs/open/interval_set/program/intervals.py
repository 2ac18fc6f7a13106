"""Sets of whole numbers kept as ranges, such as pages to print: '1-3,7,10-12'."""


class IntervalSet:
    def __init__(self, ranges=()):
        self.ranges = []
        for first, last in ranges:
            self.add(first, last)

    @classmethod
    def parse(cls, text):
        result = cls()
        for part in text.split(","):
            part = part.strip()
            if not part:
                continue
            first, dash, last = part.partition("-")
            result.add(int(first), int(last) if dash else int(first))
        return result

    def add(self, first, last=None):
        """Add a range with both ends; ranges that touch become one."""
        last = first if last is None else last
        if last < first:
            raise ValueError(f"{first}-{last} runs backwards")
        kept = []
        for a, b in self.ranges:
            if b < first - 1 or a > last + 1:
                kept.append((a, b))
            else:
                first, last = min(a, first), max(b, last)
        kept.append((first, last))
        self.ranges = sorted(kept)

    def remove(self, first, last=None):
        last = first if last is None else last
        kept = []
        for a, b in self.ranges:
            if a < first:
                kept.append((a, min(b, first)))
            if b > last:
                kept.append((max(a, last), b))
        self.ranges = kept

    def __contains__(self, number):
        return any(a <= number <= b for a, b in self.ranges)

    def __iter__(self):
        for a, b in self.ranges:
            yield from range(a, b + 1)

    def __len__(self):
        return sum(b - a + 1 for a, b in self.ranges)

    def __str__(self):
        return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in self.ranges)

    def gaps(self):
        return [(b + 1, c - 1) for (_, b), (c, _) in zip(self.ranges, self.ranges[1:])]
