"""Seats of a small theatre: rows are letters, seats are numbered from 1."""

import string


class SeatTaken(Exception):
    pass


class SeatMap:
    def __init__(self, rows, seats_per_row):
        if not 1 <= rows <= 26:
            raise ValueError("rows must be 1 to 26")
        self.seats_per_row = seats_per_row
        self.rows = string.ascii_uppercase[:rows]
        self.taken = {}

    def parse(self, code):
        row, number = code[0].upper(), int(code[1:])
        if row not in self.rows or not 1 <= number <= self.seats_per_row:
            raise KeyError(code)
        return row, number

    def reserve(self, code, name):
        seat = self.parse(code)
        if seat in self.taken:
            raise SeatTaken(code)
        self.taken[seat] = name

    def release(self, code):
        return self.taken.pop(self.parse(code), None)

    def free_in_row(self, row):
        return [n for n in range(1, self.seats_per_row + 1) if (row, n) not in self.taken]

    def find_together(self, count):
        """The first `count` neighbouring free seats, front row first, as codes."""
        for row in self.rows:
            for start in range(1, self.seats_per_row - count + 1):
                block = [(row, start + i) for i in range(count)]
                if all(seat not in self.taken for seat in block):
                    return [f"{r}{n}" for r, n in block]
        return []

    def draw(self):
        lines = []
        for row in self.rows:
            marks = "".join("x" if (row, n) in self.taken else "." for n in range(1, self.seats_per_row + 1))
            lines.append(f"{row} {marks}")
        return "\n".join(lines)
