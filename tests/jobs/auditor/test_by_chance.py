"""What chance makes is no finding: copies, numbers close together, factors that would fit anything, zeros at the edge."""

from __future__ import annotations

import math
import random
from collections import Counter

import pytest

from jobs.auditor.alike import alike_by_chance
from jobs.auditor.profile import look_alikes
from jobs.auditor.relations import arithmetic, is_broken, tells
from offline.auditor.hypotheses import placeholders
from offline.auditor.mind import by_chance
from offline.auditor.numbers import covered, disguised, has_negatives, is_code, is_hole, outliers, unit_of
from offline.auditor.texts import is_longer

DRAWN = random.Random(1)


@pytest.fixture(autouse=True)
def drawn_from_the_start() -> None:
    """The same draws whatever tests ran before in this process."""
    DRAWN.seed(1)


def test_rows_of_few_classes_are_alike_by_chance_and_rows_of_fine_measures_are_not():
    few = {name: [DRAWN.randrange(6) for _ in range(2400)] for name in "abcde"}
    repeated = 2400 - len(set(zip(*few.values(), strict=True)))
    assert alike_by_chance(few) == pytest.approx(repeated, rel=0.5)
    fine = {name: [DRAWN.random() for _ in range(300)] for name in "abc"}
    assert alike_by_chance(fine) < 0.01
    assert alike_by_chance({"alone": [1, 1, 2]}) == 0.0
    assert alike_by_chance({"a": [1, 1], "b": [2, 2]}) == 0.0, "no field tells how often values agree"


def test_numbers_that_make_up_for_each_other_are_no_rows_that_are_alike():
    rows = [tuple(DRAWN.randrange(30) for _ in range(4)) for _ in range(3000)]
    columns = {name: [row[at] for row in rows] for at, name in enumerate("abcd")}
    groups = [len({row[:at] + row[at + 1 :] for row in rows}) for at in range(4)]
    same = [sum((column.count(value) / len(rows)) ** 2 for value in set(column)) for column in columns.values()]
    expected = max((len(set(rows)) - n) * s / (1 - s) for n, s in zip(groups, same, strict=True))
    assert expected <= alike_by_chance(columns) < 1.2 * expected  # as often as in another field, if that is more


def test_rows_that_come_in_clusters_are_alike_more_often_than_their_columns_say():
    idle = [tuple(DRAWN.choice([0, 0, 0, 1, 2, 3, 4]) for _ in range(6)) for _ in range(1200)]
    rows = [*idle, *(tuple(DRAWN.randrange(1, 60) for _ in range(6)) for _ in range(3600))]
    repeated = len(rows) - len(set(rows))
    assert repeated > 10
    expected = alike_by_chance({name: [row[at] for row in rows] for at, name in enumerate("abcdef")})
    assert 0.3 * repeated < expected < repeated  # by the columns alone it is a twentieth


@pytest.mark.parametrize(
    ("count", "expected", "chance"),
    [
        *[(3, 0.0, False), (3, 2.5, True), (1, 0.02, True), (40, 20.0, False), (5, 900.0, True), (0, 0.0, True)],
        *[(960, 900.0, True), (980, 900.0, False), (1_100, 900.0, False), (100_500, 1e5, True), (100_800, 1e5, False)],
    ],
)
def test_copies_are_told_where_chance_would_make_so_many_less_than_once_in_a_hundred_times(
    count: int, expected: float, chance: bool
):
    assert by_chance(count, expected) is chance


@pytest.mark.sample(2)
@pytest.mark.parametrize("expected", [0.5, 30.0, 699.0, 701.0, 5_000.0])
def test_however_many_are_expected_the_most_that_chance_makes_lies_as_far_out(expected: float):
    most = max(count for count in range(int(expected + 10 * math.sqrt(expected) + 10)) if by_chance(count, expected))
    assert 1.5 < (most - expected) / math.sqrt(expected) < 4  # 2.33 widths, as a normal curve has it, a little skewed


@pytest.mark.parametrize(
    ("lowest", "median", "hole"),
    [([0, 40, 41, 42], 60, True), ([0, 1, 2, 3], 60, False), ([0, 40, 80, 120], 60, False), ([0, 40], 60, True), ([0], 0, False), ([5, 40, 41], 60, False)],
)  # fmt: skip
def test_a_zero_is_a_hole_where_it_lies_apart_from_values_that_lie_together(lowest: list[int], median: int, hole: bool):
    assert is_hole({"lowest": lowest, "min": lowest[0], "p50": median}) is hole


def test_numbers_that_lie_close_together_are_in_no_order_and_a_typing_error_breaks_one():
    left = [float(number) for number in range(100)]
    close = [number + DRAWN.choice([3.0, 2.0, 4.0]) for number in left]
    noisy = [*close[:-4], *(number - 0.1 for number in left[-4:])]
    broken = [*close[:-4], *(number - 50.0 for number in left[-4:])]
    assert not is_broken(left, noisy)
    assert is_broken(left, broken)
    assert is_broken(left, close), "nothing is out of order"


def test_a_factor_tells_of_another_unit_only_where_not_any_number_would_fit():
    narrow, wide = {"p1": 60, "p99": 90}, {"p1": 1, "p99": 1000}
    assert covered(math.log(90 / 60)) < 0.8 < covered(math.log(1000))
    assert unit_of([75 * 2.54, 70 * 2.54], narrow) == "2.54"
    assert unit_of([5_000, 7_000], wide) == ""


def test_two_values_tell_nothing_of_another_field():
    pairs = [("a", "x")] * 60 + [("b", "y")] * 50 + [("b", "x")] * 2
    assert not tells(pairs, 0.98, 1.0)
    assert not tells([(None, "x")] * 30, 0.98, 1.0)


def test_columns_of_zeros_are_no_product_and_a_number_has_one_finding_however_often_it_is_made():
    few = [[DRAWN.choice([0] * 40 + list(range(1, 9))) for _ in range(900)] for _ in range(3)]
    assert not list(arithmetic(dict(zip("abc", few, strict=True))))
    price, times = ([float(DRAWN.randrange(2, 90)) for _ in range(300)] for _ in range(2))
    total = [a * b for a, b in zip(price, times, strict=True)]
    total[7] += 5
    columns = {"price": price, "times": times, "times again": list(times), "total": total}
    assert [(each.kind, each.fields) for each in arithmetic(columns)] == [("product", ("total", "price", "times"))]


def test_numbers_so_small_that_all_are_alike_are_no_product():
    few = [[DRAWN.randrange(1, 50) / 10_000 for _ in range(300)] for _ in range(3)]
    assert not list(arithmetic(dict(zip("abc", few, strict=True))))


def test_one_value_that_stands_several_times_is_in_no_other_unit():
    seen = {"min": 1.0, "p1": 5.0, "p25": 8.0, "p50": 10.0, "p75": 12.0, "p99": 20.0, "max": 42.0}
    ranged = {**seen, "lowest": [5.0, 6.0, 7.0, 8.0, 9.0], "gaps": {"low": [], "high": [[20.0, 400.0, 3]]}}
    stats = {"field": "pounds", "sql": '"pounds"', "table": "t", "key": ["_row"], "dialect": "sqlite", "distinct": 90}
    stats |= {"patterns": [("99.9", 300)], "kinds": {"number": 300}, "declared": "", "apart": []}
    assert [
        [each.kind for each in outliers({**stats, "range": {**ranged, "highest": [17.0, 18.0, 19.0, *edge]}})]
        for edge in ([20.0, 400.0], [400.0, 510.0])
    ] == [["outlier"], ["unit"]]


def test_a_letter_that_stands_alone_is_an_answer_and_no_typing_error():
    assert not look_alikes(Counter({"Potato_y": 52, "Potato_n": 3, "vitamin c": 60, "vitamin b": 2}))
    assert [pair[:2] for pair in look_alikes(Counter({"Potato": 52, "Botato": 1}))] == [("Botato", "Potato")]


def test_a_counter_that_got_another_digit_is_written_as_the_others_are_and_errors_are_not():
    usual = ["aa9999999"]
    assert is_longer("aa99999999", 70, usual, 75)
    assert not is_longer("aa99999999", 5, usual, 5)  # so few may be errors
    assert not is_longer("aa99999999", 30, usual, 75)
    assert not is_longer("9999999", 70, usual, 75)


@pytest.mark.parametrize(("pattern", "times", "code"), [("9A", 12, True), ("9A", 2, False), ("99 aa", 40, False)])
def test_numbered_departments_with_a_letter_are_codes(pattern: str, times: int, code: bool):
    assert is_code(pattern, times) is code
    stats = {"field": "dep_code", "sql": '"dep_code"', "table": "t", "key": ["_row"], "dialect": "sqlite"}
    stats |= {"patterns": [("99", 300), (pattern, times)], "kinds": {"number as text": 300, "text": times}}
    assert bool(list(disguised({**stats, "declared": "", "related": []}))) is not code


def test_sodium_is_an_element_and_no_missing_value():
    stats = {"field": "element", "sql": '"element"', "table": "t", "key": ["_row"], "dialect": "sqlite", "rows": 90}
    stats |= {"kinds": {"text": 90}, "top": [("Fe", 9)]}
    asked = [next(placeholders({**stats, "patterns": [(each, 80)]})).query for each in ("Aa", "aaaaaaa")]
    assert ["'na'" in each for each in asked] == [False, True]


def test_minus_one_stands_for_itself_where_numbers_go_below_nothing_anyway():
    assert has_negatives([-2.5, -1, 0.5])
    assert not has_negatives([-1, 0, 3])
    assert not has_negatives([-999, -1, 3])
