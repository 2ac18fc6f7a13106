"""Targets of a build and what they are made from, read from lines such as 'app: main.o util.o'."""


class Targets:
    def __init__(self):
        self.needs = {}

    @classmethod
    def parse(cls, text):
        targets = cls()
        for number, line in enumerate(text.splitlines(), 1):
            line = line.split("#")[0].strip()
            if not line:
                continue
            name, colon, sources = line.partition(":")
            if not colon:
                raise ValueError(f"line {number}: expected 'target: sources'")
            targets.add(name.strip(), sources.split())
        return targets

    def add(self, name, sources):
        known = self.needs.setdefault(name, [])
        for source in sources:
            if source not in known:
                known.append(source)

    def is_source(self, name):
        return name not in self.needs

    def used_by(self, name):
        return sorted(target for target, sources in self.needs.items() if name in sources)
