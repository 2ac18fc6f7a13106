import pytest

from grid import Grid


@pytest.mark.parametrize("drawing", ["... ... ...", "#.# ... #.#", "..#.. .#... ..... ...#. ..#..", ". . .", "...#..."])
def test_every_open_square_belongs_to_the_slots_it_should(drawing):
    grid = Grid(drawing)
    turned = Grid(" ".join("".join(column) for column in zip(*drawing.split())))
    down = sorted(slot.squares for slot in grid.slots() if slot.direction == "down")
    across = sorted([(y, x) for x, y in slot.squares] for slot in turned.slots() if slot.direction == "across")
    assert down == across


def test_one_column():
    assert [(slot.name, len(slot)) for slot in Grid(". . . # .").slots()] == [("1d", 3)]


def test_plus():
    assert [slot.name for slot in Grid("#.# ... #.#").slots()] == ["1d", "2a"]
