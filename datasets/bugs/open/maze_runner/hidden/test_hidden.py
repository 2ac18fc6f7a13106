from maze import Maze, walk_length
from maze.explore import collect_keys

CHAIN = "SaAbBcCdDE"


def test_a_chain_of_doors():
    assert collect_keys(Maze(CHAIN)) == {"a", "b", "c", "d"}


def test_with_all_keys_the_exit_is_near():
    maze = Maze(CHAIN)
    assert walk_length(maze, collect_keys(maze)) == 9


def test_keys_behind_their_own_door():
    assert collect_keys(Maze("SbAacE")) == {"b"}


def test_no_keys_at_all():
    assert collect_keys(Maze("S..E")) == set()


def test_branches():
    maze = Maze("c.S.a\n#.A.#\n#.d.#")
    assert collect_keys(maze) == {"a", "c", "d"}
