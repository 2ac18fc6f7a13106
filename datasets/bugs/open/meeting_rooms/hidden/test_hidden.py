import pytest

from rooms import Conflict, RoomPlan, Slot


def test_back_to_back_bookings():
    plan = RoomPlan({"a": 3})
    for hour in (9, 8, 11, 10):
        plan.book("a", Slot(hour * 60, hour * 60 + 60), 1)
    assert len(plan.bookings["a"]) == 4


@pytest.mark.parametrize("start, end", [(0, 5), (4, 6), (9, 12), (10, 11), (20, 30), (1, 50)])
def test_overlap_goes_both_ways(start, end):
    fixed = Slot(5, 10)
    other = Slot(start, end)
    expected = bool(set(range(5, 10)) & set(range(start, end)))
    assert fixed.overlaps(other) is expected
    assert other.overlaps(fixed) is expected


def test_whole_day_then_nothing():
    plan = RoomPlan({"a": 3})
    plan.book("a", Slot(480, 1080), 3)
    assert plan.free_slots("a") == []
    assert plan.load() == {"a": 1.0}
    with pytest.raises(Conflict):
        plan.book("a", Slot(480, 481), 1)


def test_first_fit_fills_an_exact_gap():
    plan = RoomPlan({"a": 3})
    plan.book("a", Slot(480, 540), 1)
    plan.book("a", Slot(600, 1080), 1)
    slot, room = plan.first_fit(60, 1)
    plan.book(room, slot, 1)
    assert plan.load()["a"] == 1.0
