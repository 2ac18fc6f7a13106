"""A maze drawn in text: # wall, S start, E exit, lower case letters are keys, capitals are doors."""

STEPS = [(-1, 0), (0, 1), (1, 0), (0, -1)]


class Maze:
    def __init__(self, text):
        self.rows = [line for line in text.strip("\n").splitlines()]
        self.start = self.find("S")
        self.exit = self.find("E")
        if self.start is None:
            raise ValueError("the maze has no start")

    def find(self, mark):
        for r, row in enumerate(self.rows):
            c = row.find(mark)
            if c >= 0:
                return r, c
        return None

    def cell(self, position):
        r, c = position
        if 0 <= r < len(self.rows) and 0 <= c < len(self.rows[r]):
            return self.rows[r][c]
        return "#"

    def is_open(self, position, keys=frozenset()):
        mark = self.cell(position)
        if mark == "#":
            return False
        if mark in "ABCD":
            return mark.lower() in keys
        return True

    def neighbours(self, position, keys=frozenset()):
        r, c = position
        for dr, dc in STEPS:
            place = (r + dr, c + dc)
            if self.is_open(place, keys):
                yield place
