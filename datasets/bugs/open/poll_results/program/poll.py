"""Count the ballots of a poll and share out seats."""


class Poll:
    def __init__(self, options):
        self.options = list(options)
        self.votes = dict.fromkeys(self.options, 0)
        self.spoiled = 0

    def cast(self, choice):
        if choice in self.votes:
            self.votes[choice] += 1
        else:
            self.spoiled += 1

    def cast_many(self, text):
        for choice in text.split():
            self.cast(choice)

    @property
    def valid(self):
        return sum(self.votes.values())

    def percentages(self):
        return {option: round(100 * count / self.valid, 1) for option, count in self.votes.items()}

    def turnout(self, electorate):
        if electorate <= 0:
            raise ValueError("nobody may vote")
        return round(100 * (self.valid + self.spoiled) / electorate, 1)

    def winners(self):
        if not any(self.votes.values()):
            return []
        best = max(self.votes.values())
        return [option for option, count in self.votes.items() if count == best]

    def seats(self, total, threshold=0.0):
        """Largest quotients (count / 1, 2, 3, ...) among options that reach the threshold in percent."""
        share = self.percentages()
        allowed = [option for option in self.options if self.votes[option] and share[option] >= threshold]
        given = dict.fromkeys(self.options, 0)
        if not allowed:
            return given
        for _ in range(total):
            best = max(allowed, key=lambda option: self.votes[option] / (given[option] + 1))
            given[best] += 1
        return given


def show(poll):
    lines = []
    share = poll.percentages()
    for option in sorted(poll.options, key=lambda o: (-poll.votes[o], o)):
        lines.append(f"{option:<8}{poll.votes[option]:>4}{share[option]:>7.1f}%")
    return "\n".join(lines)
