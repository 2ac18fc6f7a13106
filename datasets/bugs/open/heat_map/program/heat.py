"""Warmth that spreads over a metal plate, cell by cell."""


class Plate:
    def __init__(self, rows, columns, temperature=0.0):
        self.cells = [[float(temperature)] * columns for _ in range(rows)]
        self.sources = {}

    @property
    def size(self):
        return len(self.cells), len(self.cells[0])

    def heat(self, row, column, temperature):
        """Hold a cell at a temperature."""
        self.sources[row, column] = float(temperature)
        self.cells[row][column] = float(temperature)

    def neighbours(self, row, column):
        rows, columns = self.size
        for dr, dc in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            r, c = row + dr, column + dc
            if 0 <= r < rows and 0 <= c < columns:
                yield self.cells[r][c]

    def step(self):
        """Every cell becomes the mean of itself and its neighbours; sources stay as they are."""
        rows, columns = self.size
        fresh = [row[:] for row in self.cells]
        for r in range(rows):
            for c in range(columns):
                if (r, c) in self.sources:
                    continue
                near = list(self.neighbours(r, c))
                fresh[r][c] = (self.cells[r][c] + sum(near)) / (1 + len(near))
            self.cells = fresh

    def settle(self, tolerance=0.01, limit=1000):
        """Step until nothing moves more than the tolerance; returns the number of steps."""
        for count in range(1, limit + 1):
            before = self.cells
            self.step()
            change = max(abs(a - b) for old, new in zip(before, self.cells) for a, b in zip(old, new))
            if change <= tolerance:
                return count
        return limit

    def draw(self, marks=" .:*#"):
        hottest = max(max(row) for row in self.cells) or 1.0
        lines = []
        for row in self.cells:
            line = ""
            for value in row:
                level = int(value / hottest * (len(marks) - 1))
                line += marks[level]
            lines.append(line)
        return "\n".join(lines)
