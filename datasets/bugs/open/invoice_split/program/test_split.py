import pytest

from split import Trip, shares


@pytest.fixture
def trip():
    return Trip("ann", "bob", "cas")


@pytest.mark.parametrize("amount, expected", [(300, [100, 100, 100]), (100, [34, 33, 33]), (2, [1, 1, 0])])
def test_shares(amount, expected):
    assert list(shares(amount, ["a", "b", "c"]).values()) == expected


def test_nobody_twice():
    with pytest.raises(ValueError):
        Trip("ann", "ann")


def test_unknown_person(trip):
    with pytest.raises(KeyError):
        trip.spend("dan", 100)


def test_balances_for_all(trip):
    trip.spend("ann", 900)
    assert trip.balances() == {"ann": 600, "bob": -300, "cas": -300}


def test_balances_for_some(trip):
    trip.spend("ann", 900)
    trip.spend("bob", 400, ["bob", "cas"])
    assert trip.balances() == {"ann": 600, "bob": -100, "cas": -500}


def test_settle(trip):
    trip.spend("ann", 900)
    trip.spend("bob", 400, ["bob", "cas"])
    assert trip.settle() == [("cas", "ann", 500), ("bob", "ann", 100)]


def test_summary(trip):
    trip.spend("cas", 600)
    assert trip.summary() == "1 expenses, 6.00 in all\nann pays cas 2.00\nbob pays cas 2.00"
