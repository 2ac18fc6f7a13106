import pytest

from auction import Auction, Lot


@pytest.fixture
def vase():
    lot = Lot("vase", reserve=100)
    lot.bid("ann", 150)
    lot.bid("bob", 180)
    return lot


def test_second_price(vase):
    assert vase.result() == ("bob", 150)


def test_a_later_third_bid_raises_the_price(vase):
    vase.bid("cas", 170)
    assert vase.result() == ("bob", 170)


def test_single_bidder_pays_the_reserve():
    lot = Lot("clock", reserve=40)
    lot.bid("ann", 90)
    assert lot.result() == ("ann", 40)


def test_reserve_not_reached():
    lot = Lot("clock", reserve=40)
    lot.bid("ann", 39)
    assert lot.result() is None


def test_equal_bids_earlier_wins():
    lot = Lot("pen")
    lot.bid("ann", 10)
    lot.bid("bob", 10)
    assert lot.result() == ("ann", 10)


def test_a_bid_cannot_be_lowered(vase):
    vase.bid("bob", 1)
    assert vase.bids["bob"] == 180


@pytest.mark.parametrize("amount", [0, -5])
def test_bad_bid(amount):
    with pytest.raises(ValueError):
        Lot("pen").bid("ann", amount)


def test_close_adds_up_bills():
    auction = Auction()
    for name in ("pen", "cup"):
        lot = auction.offer(name)
        lot.bid("ann", 20)
        lot.bid("bob", 5)
    auction.offer("rug", 500)
    assert auction.close() == ({"ann": 10}, ["rug"])
