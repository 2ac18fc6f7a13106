import pytest

from auction import Auction, Lot


@pytest.mark.parametrize("reserve", [0, 1, 25, 99])
def test_lone_bidder(reserve):
    lot = Lot("x", reserve)
    lot.bid("a", 100)
    assert lot.result() == ("a", reserve)


def test_price_is_never_below_the_reserve():
    lot = Lot("x", 60)
    lot.bid("a", 50)
    lot.bid("b", 80)
    lot.bid("c", 10)
    assert lot.result() == ("b", 60)


def test_order_of_bids_does_not_matter():
    for amounts in ([10, 20, 30], [30, 20, 10], [20, 30, 10], [10, 30, 20]):
        lot = Lot("x", 5)
        for index, amount in enumerate(amounts):
            lot.bid(str(index), amount)
        assert lot.result()[1] == 20


def test_bill_of_a_lone_winner():
    auction = Auction()
    auction.offer("x", 30).bid("a", 31)
    assert auction.close() == ({"a": 30}, [])
