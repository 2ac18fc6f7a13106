"""How much paint a flat needs: walls less openings, in square metres."""

import math
from dataclasses import dataclass, field

LITRES_PER_SQUARE_METRE = 0.1
TIN_SIZES = (10, 5, 1)


@dataclass
class Room:
    name: str
    length: float
    width: float
    height: float = 2.5
    openings: list = field(default_factory=list)

    def add_opening(self, width, height, count=1):
        for _ in range(count):
            self.openings.append((width, height))

    @property
    def perimeter(self):
        return 2 * self.length + self.width

    @property
    def wall_area(self):
        holes = sum(w * h for w, h in self.openings)
        return max(0.0, self.perimeter * self.height - holes)

    @property
    def ceiling_area(self):
        return self.length * self.width


def litres(rooms, coats=2, ceilings=False):
    area = sum(room.wall_area for room in rooms)
    if ceilings:
        area += sum(room.ceiling_area for room in rooms)
    return round(area * LITRES_PER_SQUARE_METRE * coats, 2)


def tins(amount):
    """Whole tins by size for an amount of litres, large tins first."""
    left = math.ceil(amount)
    counts = {}
    for size in TIN_SIZES:
        counts[size], left = divmod(left, size)
    return {size: count for size, count in counts.items() if count}


def shopping_list(rooms, coats=2):
    rows = []
    for room in sorted(rooms, key=lambda r: r.name):
        rows.append(f"{room.name}: {litres([room], coats):.1f} l")
    needed = tins(litres(rooms, coats))
    rows.append("buy " + ", ".join(f"{count} x {size} l" for size, count in needed.items()))
    return rows
