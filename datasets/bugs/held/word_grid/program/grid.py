"""The grid of a crossword: which squares get numbers, and where the answers are.

A grid is drawn with '#' for black squares and '.' or letters for the others.
"""

BLACK = "#"
EMPTY = "."


class GridError(ValueError):
    pass


class Slot:
    def __init__(self, number, direction, squares):
        self.number = number
        self.direction = direction
        self.squares = squares

    @property
    def name(self):
        return f"{self.number}{self.direction[0]}"

    def __len__(self):
        return len(self.squares)


class Grid:
    def __init__(self, drawing):
        self.rows = [list(line.strip()) for line in drawing.split()]
        if not self.rows or len({len(row) for row in self.rows}) != 1:
            raise GridError("the rows of a grid are equally long")
        self.height = len(self.rows)
        self.width = len(self.rows[0])

    def is_open(self, x, y):
        return 0 <= x < self.width and 0 <= y < self.height and self.rows[y][x] != BLACK

    def starts_across(self, x, y):
        return self.is_open(x, y) and not self.is_open(x - 1, y) and self.is_open(x + 1, y)

    def starts_down(self, x, y):
        return self.is_open(x, y) and self.is_open(x, y - 1) and self.is_open(x, y + 1)

    def run(self, x, y, dx, dy):
        squares = []
        while self.is_open(x, y):
            squares.append((x, y))
            x, y = x + dx, y + dy
        return squares

    def slots(self):
        """Numbered from the top left, row by row; across before down."""
        found = []
        number = 0
        for y in range(self.height):
            for x in range(self.width):
                across, down = self.starts_across(x, y), self.starts_down(x, y)
                if across or down:
                    number += 1
                if across:
                    found.append(Slot(number, "across", self.run(x, y, 1, 0)))
                if down:
                    found.append(Slot(number, "down", self.run(x, y, 0, 1)))
        return found

    def slot(self, name):
        for slot in self.slots():
            if slot.name == name:
                return slot
        raise GridError(f"no {name}")

    def pattern(self, name):
        return "".join(self.rows[y][x] for x, y in self.slot(name).squares)

    def fill(self, name, word):
        """Write a word; what is there already has to agree with it."""
        slot = self.slot(name)
        word = word.upper()
        if len(word) != len(slot):
            raise GridError(f"{word} does not fit {name}")
        for (x, y), letter in zip(slot.squares, word):
            if self.rows[y][x] not in (EMPTY, letter):
                raise GridError(f"{word} crosses {self.rows[y][x]}")
        for (x, y), letter in zip(slot.squares, word):
            self.rows[y][x] = letter

    def fitting(self, name, words):
        pattern = self.pattern(name)
        return [
            word
            for word in words
            if len(word) == len(pattern) and all(p in (EMPTY, c) for p, c in zip(pattern, word.upper()))
        ]

    def is_symmetric(self):
        """Black squares stay where they are under half a turn."""
        black = [[square == BLACK for square in row] for row in self.rows]
        return black == [row[::-1] for row in black[::-1]]

    def __str__(self):
        return "\n".join("".join(row) for row in self.rows)
