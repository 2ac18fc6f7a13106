"""Who knows whom: mutual friends, suggestions and circles."""


class Network:
    def __init__(self):
        self.links = {}

    def add(self, person):
        self.links.setdefault(person, set())

    def connect(self, first, second):
        if first == second:
            raise ValueError("nobody is a friend of themselves")
        self.add(first)
        self.add(second)
        self.links[first].add(second)
        self.links[second].add(first)

    def disconnect(self, first, second):
        self.links[first].discard(second)
        self.links[second].discard(first)

    def friends(self, person):
        return sorted(self.links[person])

    def mutual(self, first, second):
        return sorted(self.links[first] & self.links[second])

    def suggestions(self, person):
        """Friends of friends, those with most mutual friends first."""
        counts = {}
        for friend in self.links[person]:
            for other in self.links[friend]:
                if other != person and other not in self.links[friend]:
                    counts[other] = counts.get(other, 0) + 1
        return sorted(counts, key=lambda other: (-counts[other], other))

    def circles(self):
        """Groups in which everybody is connected somehow, the largest first."""
        unseen = set(self.links)
        groups = []
        while unseen:
            group = set()
            waiting = [min(unseen)]
            while waiting:
                person = waiting.pop()
                if person in group:
                    continue
                group.add(person)
                waiting.extend(self.links[person])
            unseen -= group
            groups.append(sorted(group))
        return sorted(groups, key=lambda group: (-len(group), group))

    def most_connected(self):
        return max(sorted(self.links), key=lambda person: len(self.links[person]))


def load(text):
    """Lines of 'name: friend, friend'."""
    network = Network()
    for line in text.strip().splitlines():
        name, _, rest = line.partition(":")
        network.add(name.strip())
        for friend in rest.split(","):
            if friend.strip():
                network.connect(name.strip(), friend.strip())
    return network
