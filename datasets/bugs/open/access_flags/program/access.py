"""Permissions as bit flags, granted to people through groups."""

READ = 1
WRITE = 2
SHARE = 4
DELETE = 8
NAMES = {"r": READ, "w": WRITE, "s": SHARE, "d": DELETE}
EVERYTHING = READ | WRITE | SHARE | DELETE


def parse_flags(text):
    """'rw' -> READ | WRITE; '-' stands for nothing."""
    flags = 0
    for char in text:
        if char == "-":
            continue
        if char not in NAMES:
            raise ValueError(f"unknown permission: {char}")
        flags |= NAMES[char]
    return flags


def show_flags(flags):
    return "".join(char if flags & bit else "-" for char, bit in NAMES.items())


class Access:
    def __init__(self):
        self.groups = {}
        self.members = {}
        self.denied = {}

    def define(self, group, flags):
        self.groups[group] = parse_flags(flags)

    def join(self, person, group):
        if group not in self.groups:
            raise KeyError(group)
        self.members.setdefault(person, set()).add(group)

    def leave(self, person, group):
        self.members.get(person, set()).discard(group)

    def deny(self, person, flags):
        self.denied[person] = self.denied.get(person, 0) & parse_flags(flags)

    def flags(self, person):
        granted = 0
        for group in self.members.get(person, ()):
            granted |= self.groups[group]
        return granted & ~self.denied.get(person, 0)

    def allowed(self, person, flags):
        wanted = parse_flags(flags)
        return self.flags(person) & wanted == wanted

    def who_can(self, flags):
        return sorted(person for person in self.members if self.allowed(person, flags))
