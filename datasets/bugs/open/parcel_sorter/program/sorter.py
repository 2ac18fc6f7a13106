"""Send parcels to chutes by postcode: the most specific rule wins ('44*' beats '4*')."""


class NoChute(LookupError):
    pass


class Sorter:
    def __init__(self):
        self.rules = {}
        self.chutes = {}
        self.capacity = {}

    def add_chute(self, name, capacity):
        self.chutes[name] = []
        self.capacity[name] = capacity

    def rule(self, pattern, *chutes):
        """Chutes for a postcode or a beginning with a star, the preferred one first."""
        for chute in chutes:
            if chute not in self.chutes:
                raise KeyError(chute)
        if "*" in pattern[:-1]:
            raise ValueError("a star stands at the end")
        self.rules[pattern] = chutes

    def matching(self, postcode):
        """Patterns that fit, the most specific first."""
        fitting = []
        for pattern in self.rules:
            if pattern == postcode:
                fitting.append((len(pattern) + 1, pattern))
            elif pattern.endswith("*") and postcode.startswith(pattern[:-1]):
                fitting.append((len(pattern), pattern))
        return [pattern for _, pattern in sorted(fitting, reverse=True)]

    def is_full(self, chute):
        return len(self.chutes[chute]) >= self.capacity[chute]

    def sort(self, parcel, postcode):
        for pattern in self.matching(postcode):
            for chute in self.rules[pattern]:
                self.chutes[chute].append(parcel)
                return chute
        raise NoChute(postcode)

    def empty(self, chute):
        parcels = self.chutes[chute]
        self.chutes[chute] = []
        return parcels

    def load(self):
        """Percent by chute; a chute without capacity is out of use."""
        return {
            chute: 100 * len(parcels) // self.capacity[chute] if self.capacity[chute] else 100
            for chute, parcels in self.chutes.items()
        }
