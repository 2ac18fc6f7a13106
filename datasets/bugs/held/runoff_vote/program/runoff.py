"""Elections in which voters rank the candidates and the weakest one drops out until somebody has a majority."""


class ElectionError(ValueError):
    pass


def read_ballot(text, candidates):
    """'Ann > Cem > Bob': best first; who is not named is not wanted."""
    ballot = [name.strip() for name in text.split(">") if name.strip()]
    for name in ballot:
        if name not in candidates:
            raise ElectionError(f"no such candidate: {name}")
    if len(set(ballot)) < len(ballot):
        raise ElectionError("a candidate is named twice")
    return ballot


class Election:
    def __init__(self, candidates):
        if not candidates:
            raise ElectionError("nobody stands for election")
        self.candidates = list(candidates)
        self.ballots = []
        self.spoilt = 0

    def cast(self, text, papers=1):
        try:
            ballot = read_ballot(text, self.candidates)
        except ElectionError:
            self.spoilt += papers
            return
        self.ballots.extend([ballot] * papers)

    def favourite(self, ballot, standing):
        """Who of those still standing is named first; None when nobody is."""
        for name in ballot:
            if name in standing:
                return name
        return None

    def count(self, standing):
        counts = {name: 0 for name in self.candidates if name in standing}
        for ballot in self.ballots:
            name = self.favourite(ballot, standing)
            counts[name] += 1
        return counts

    def weakest(self, counts):
        """Fewest votes; of several the one who has fewer first places, then the one listed last."""
        firsts = self.count(self.candidates)
        order = {name: -place for place, name in enumerate(self.candidates)}
        return min(counts, key=lambda name: (counts[name], firsts[name], order[name]))

    def rounds(self):
        """The counts of every round, until one candidate has more than half of the votes that still count."""
        standing = set(self.candidates)
        history = []
        while True:
            counts = self.count(standing)
            history.append(counts)
            if len(standing) == 1 or 2 * max(counts.values()) > sum(counts.values()):
                return history
            standing.discard(self.weakest(counts))

    def winner(self):
        last = self.rounds()[-1]
        return max(last, key=lambda name: last[name])

    def report(self):
        lines = []
        for number, counts in enumerate(self.rounds(), 1):
            cells = ", ".join(f"{name} {votes}" for name, votes in counts.items())
            lines.append(f"round {number}: {cells}")
        lines.append(f"elected: {self.winner()}")
        return "\n".join(lines)
