import pytest

from grid import Grid


@pytest.fixture
def small():
    return Grid("""
        ...#
        .#..
        ....
        #...
    """)
