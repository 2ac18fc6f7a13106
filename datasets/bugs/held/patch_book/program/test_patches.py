import pytest

from patches import Hunk, PatchError, apply, inverse, read_patch, summary, write_patch

POEM = ["roses", "are", "red", "violets", "are", "blue"]
PATCH = """@1
-roses
+tulips
@3
-red
+yellow
+and
+red
@6
-blue
"""


@pytest.fixture
def hunks():
    return read_patch(PATCH)


def test_read(hunks):
    assert hunks[1] == Hunk(3, ["red"], ["yellow", "and", "red"])


def test_write(hunks):
    assert write_patch(hunks) == PATCH.strip()


def test_nonsense():
    with pytest.raises(PatchError):
        read_patch("@1\nroses")


@pytest.mark.parametrize(
    "hunk, expected",
    [
        (Hunk(1, ["roses"], ["tulips"]), ["tulips", "are", "red", "violets", "are", "blue"]),
        (Hunk(5, ["are", "blue"], ["fade"]), ["roses", "are", "red", "violets", "fade"]),
        (Hunk(4, [], ["and"]), ["roses", "are", "red", "and", "violets", "are", "blue"]),
    ],
)
def test_one_place(hunk, expected):
    assert apply(POEM, [hunk]) == expected


def test_several_places(hunks):
    assert apply(POEM, hunks) == ["tulips", "are", "yellow", "and", "red", "violets", "are"]


def test_three_insertions():
    hunks = [Hunk(1, [], ["a"]), Hunk(2, [], ["b"]), Hunk(3, [], ["c"])]
    assert apply(["x", "y", "z"], hunks) == ["a", "x", "b", "y", "c", "z"]


def test_text_that_does_not_fit(hunks):
    with pytest.raises(PatchError):
        apply(["something", "else"], hunks)


def test_inverse_moves_lines(hunks):
    assert [hunk.line for hunk in inverse(hunks)] == [1, 3, 8]


def test_summary(hunks):
    assert summary(hunks) == "3 places, 4 lines added, 3 removed"
