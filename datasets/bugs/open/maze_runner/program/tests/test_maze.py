import pytest

from maze import Maze, reachable, walk_length
from maze.explore import collect_keys

SIMPLE = """
#####
#S..#
#.#.#
#..E#
#####
"""

DOORS = """
########
#SaA.b.#
######B#
#E....c#
########
"""


@pytest.fixture
def simple():
    return Maze(SIMPLE)


def test_start_and_exit(simple):
    assert simple.start == (1, 1)
    assert simple.exit == (3, 3)


def test_shortest_way(simple):
    assert walk_length(simple) == 4


def test_reachable(simple):
    assert len(reachable(simple)) == 8


def test_closed_door():
    assert walk_length(Maze(DOORS)) is None


def test_open_doors():
    assert walk_length(Maze(DOORS), {"a", "b"}) == 12


def test_keys_open_further_doors():
    assert collect_keys(Maze(DOORS)) == {"a", "b", "c"}


def test_no_start():
    with pytest.raises(ValueError):
        Maze("###")
