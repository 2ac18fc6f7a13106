import pytest

from patches import Hunk, PatchError, apply, inverse

TEXT = [f"line {n}" for n in range(1, 21)]


@pytest.mark.parametrize("places", [[1], [20], [3, 9], [1, 2, 3, 4], [2, 7, 11, 18, 20]])
@pytest.mark.parametrize("new", [[], ["x"], ["x", "y"], ["x", "y", "z"]])
def test_there_and_back(places, new):
    hunks = [Hunk(place, [f"line {place}"], new) for place in places]
    changed = apply(TEXT, hunks)
    assert len(changed) == 20 + len(places) * (len(new) - 1)
    assert [line for line in changed if line.startswith("line")] == [
        line for number, line in enumerate(TEXT, 1) if number not in places
    ]
    assert apply(changed, inverse(hunks)) == TEXT


def test_order_does_not_matter():
    hunks = [Hunk(10, ["line 10"], []), Hunk(2, ["line 2"], ["a", "b"])]
    assert apply(TEXT, hunks) == apply(TEXT, hunks[::-1])


def test_next_line_is_not_it():
    with pytest.raises(PatchError):
        apply(TEXT, [Hunk(4, ["line 5"], ["x"])])


def test_append_at_the_end():
    assert apply(TEXT, [Hunk(21, [], ["end"])])[-1] == "end"
    assert TEXT[-1] == "line 20"
