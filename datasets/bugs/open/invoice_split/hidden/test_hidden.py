import pytest

from split import Trip


def test_paying_for_somebody_else():
    trip = Trip("a", "b")
    trip.spend("a", 500, ["b"])
    assert trip.balances() == {"a": 500, "b": -500}


@pytest.mark.parametrize("group", [["a"], ["b", "c"], ["a", "c"], ["a", "b", "c"]])
def test_balances_add_up_to_zero(group):
    trip = Trip("a", "b", "c")
    trip.spend("b", 1000, group)
    trip.spend("c", 77)
    assert sum(trip.balances().values()) == 0


def test_only_those_who_took_part_pay():
    trip = Trip("a", "b", "c", "d")
    trip.spend("a", 90, ["b", "c"])
    assert trip.balances() == {"a": 90, "b": -45, "c": -45, "d": 0}
    assert trip.settle() == [("b", "a", 45), ("c", "a", 45)]
