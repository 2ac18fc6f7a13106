import pytest

from heats import Entry, heat_sizes, lane_order, make_heats, parse_time, show_time, start_list


@pytest.fixture
def entries():
    times = {"Ana": 61.5, "Bea": 59.9, "Cleo": 60.0, "Dora": None, "Eva": 65.25, "Fee": 70}
    return [Entry(name, seconds) for name, seconds in times.items()]


@pytest.mark.parametrize("text, seconds", [("58.90", 58.9), ("1:02.50", 62.5), ("NT", None)])
def test_times(text, seconds):
    assert parse_time(text) == seconds
    assert show_time(seconds) == text


@pytest.mark.parametrize(
    "lanes, order",
    [(8, [4, 5, 3, 6, 2, 7, 1, 8]), (6, [3, 4, 2, 5, 1, 6]), (5, [3, 4, 2, 5, 1]), (1, [1])],
)
def test_lane_order(lanes, order):
    assert lane_order(lanes) == order


@pytest.mark.parametrize("swimmers, sizes", [(0, []), (2, [2]), (8, [8]), (12, [4, 8]), (17, [3, 6, 8])])
def test_heat_sizes(swimmers, sizes):
    assert heat_sizes(swimmers, 8) == sizes


def test_fastest_last(entries):
    heats = make_heats(entries, 4)
    assert [sorted(e.name for e in heat.values()) for heat in heats] == [["Dora", "Eva", "Fee"], ["Ana", "Bea", "Cleo"]]


def test_three_lanes(entries):
    heats = make_heats(entries, 3)
    assert {lane: entry.name for lane, entry in heats[1].items()} == {1: "Ana", 2: "Bea", 3: "Cleo"}


def test_start_list(entries):
    text = start_list(make_heats(entries[:2], 4))
    assert text == "Heat 1\n  2 Bea 59.90\n  3 Ana 1:01.50"
