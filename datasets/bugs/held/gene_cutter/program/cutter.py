"""Cut DNA with restriction enzymes, on paper.

An enzyme knows a site and where in it it cuts the upper strand. It also cuts where the site stands on
the other strand, read in the other direction.
"""

PAIRS = {"A": "T", "T": "A", "C": "G", "G": "C"}


def clean(sequence):
    sequence = "".join(sequence.split()).upper()
    for base in sequence:
        if base not in PAIRS:
            raise ValueError(f"not a base: {base}")
    return sequence


def complement(sequence):
    return "".join(PAIRS[base] for base in sequence)


def reverse_complement(sequence):
    """The other strand in its own reading direction."""
    return complement(sequence)[::-1]


def positions(sequence, site):
    """Where a site starts, overlaps included."""
    found = []
    start = sequence.find(site)
    while start != -1:
        found.append(start)
        start = sequence.find(site, start + 1)
    return found


class Enzyme:
    def __init__(self, name, site):
        """site: such as 'G^AATTC', with the cut marked."""
        before, mark, after = site.partition("^")
        if not mark:
            raise ValueError(f"{name}: no cut is marked")
        self.name = name
        self.site = clean(before + after)
        self.offset = len(clean(before))

    @property
    def symmetric(self):
        return self.site == reverse_complement(self.site)

    def cuts(self, sequence):
        """Places of the upper strand before which it is cut."""
        places = {start + self.offset for start in positions(sequence, self.site)}
        if not self.symmetric:
            other = complement(self.site)
            back = len(self.site) - self.offset
            places |= {start + back for start in positions(sequence, other)}
        return sorted(place for place in places if 0 < place < len(sequence))


def digest(sequence, *enzymes):
    """The pieces, from left to right."""
    sequence = clean(sequence)
    places = sorted({place for enzyme in enzymes for place in enzyme.cuts(sequence)})
    edges = [0, *places, len(sequence)]
    return [sequence[a:b] for a, b in zip(edges, edges[1:])]


def gel(pieces):
    """What a gel shows: lengths, longest first, and how many of each."""
    lengths = [len(piece) for piece in pieces]
    return [(length, lengths.count(length)) for length in sorted(set(lengths), reverse=True)]


def gc_percent(sequence):
    sequence = clean(sequence)
    if not sequence:
        return 0.0
    return round(100 * sum(base in "GC" for base in sequence) / len(sequence), 1)
