"""Square map tiles over a plane: x grows to the east, y to the south."""

from dataclasses import dataclass

TILE = 256


@dataclass(frozen=True)
class Box:
    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self):
        return self.right - self.left

    @property
    def height(self):
        return self.bottom - self.top

    def contains(self, x, y):
        return self.left <= x < self.right and self.top <= y < self.bottom

    def overlap(self, other):
        left, top = max(self.left, other.left), max(self.top, other.top)
        right, bottom = min(self.right, other.right), min(self.bottom, other.bottom)
        if left >= right or top >= bottom:
            return None
        return Box(left, top, right, bottom)


def tile_at(x, y):
    return int(x // TILE), int(y // TILE)


def tile_box(column, row):
    return Box(column * TILE, row * TILE, (column + 1) * TILE, (row + 1) * TILE)


def tiles_for(view):
    """Tiles that a view touches, row by row."""
    first_column, first_row = tile_at(view.left, view.top)
    last_column, last_row = tile_at(view.right - 1, view.bottom - 1)
    return [(c, r) for r in range(first_row, last_row + 1) for c in range(first_column, last_column + 1)]


def visible_parts(view):
    """(tile, part of the tile in its own pixels) for everything in view."""
    parts = []
    for column, row in tiles_for(view):
        box = tile_box(row, column)
        part = box.overlap(view)
        if part:
            parts.append(((column, row), shift(part, -box.left, -box.top)))
    return parts


def shift(box, dx, dy):
    return Box(box.left + dx, box.top + dy, box.right + dx, box.bottom + dy)
