import pytest

from rooms import Conflict, RoomPlan, Slot


@pytest.fixture
def plan():
    return RoomPlan({"oak": 12, "elm": 4})


def test_parse_and_print():
    assert str(Slot.parse("9:05 - 10:00")) == "09:05-10:00"


def test_empty_slot():
    with pytest.raises(ValueError):
        Slot.parse("9:00-9:00")


@pytest.mark.parametrize(
    "first, second, expected",
    [
        ("9:00-10:00", "9:30-9:45", True),
        ("9:00-10:00", "11:00-12:00", False),
        ("9:30-10:30", "9:00-10:00", True),
        ("9:00-10:00", "10:00-11:00", False),
        ("10:00-11:00", "9:00-10:00", False),
    ],
)
def test_overlaps(first, second, expected):
    assert Slot.parse(first).overlaps(Slot.parse(second)) is expected


def test_too_many_people(plan):
    with pytest.raises(Conflict):
        plan.book("elm", Slot.parse("9:00-10:00"), 5)


def test_closed(plan):
    with pytest.raises(Conflict):
        plan.book("elm", Slot.parse("17:30-18:30"), 2)


def test_taken(plan):
    plan.book("oak", Slot.parse("9:00-10:00"), 5)
    with pytest.raises(Conflict):
        plan.book("oak", Slot.parse("9:30-11:00"), 5)


def test_free_slots(plan):
    plan.book("oak", Slot.parse("8:00-9:00"), 3)
    plan.book("oak", Slot.parse("12:00-13:00"), 3)
    assert [str(s) for s in plan.free_slots("oak")] == ["09:00-12:00", "13:00-18:00"]


def test_first_fit_prefers_the_smaller_room(plan):
    assert plan.first_fit(60, 3) == (Slot(480, 540), "elm")


def test_first_fit_waits_for_a_large_room(plan):
    plan.book("oak", Slot.parse("8:30-10:00"), 3)
    assert plan.first_fit(60, 8) == (Slot(600, 660), "oak")
    assert plan.first_fit(60, 13) is None
