import pytest

from tricks import Round, allowed, beats, points


@pytest.fixture
def table():
    return Round(
        {"ann": ["AH", "7S", "9D"], "bob": ["TH", "KS", "2C"], "cem": ["8H", "AS", "JC"]},
        trump="C",
    )


def play(table, *cards):
    return [table.play(card) for card in cards][-1]


@pytest.mark.parametrize(
    "card, best, expected",
    [("AH", "TH", True), ("TH", "AH", False), ("2C", "AH", True), ("AS", "2H", False), ("TH", "KH", True)],
)
def test_beats(card, best, expected):
    assert beats(card, best, "C") is expected


def test_points():
    assert points(["AH", "TS", "9C", "QD"]) == 24


def test_follow_suit():
    assert allowed({"AH", "2C"}, [("ann", "3H")]) == ["AH"]
    assert allowed({"AS", "2C"}, [("ann", "3H")]) == ["2C", "AS"]


def test_first_trick(table):
    assert play(table, "AH", "TH", "8H") == "ann"
    assert table.points == {"ann": 21, "bob": 0, "cem": 0}
    assert table.tricks == {"ann": 1, "bob": 0, "cem": 0}


def test_winner_leads(table):
    play(table, "7S", "KS", "AS")
    assert table.player == "cem"


def test_must_follow(table):
    table.play("AH")
    with pytest.raises(ValueError, match="follow"):
        table.play("KS")


def test_whole_round(table):
    play(table, "AH", "TH", "8H", "7S", "KS", "AS", "JC", "9D", "2C")
    assert table.over()
    assert table.result() == [("cem", 27, 2), ("ann", 21, 1), ("bob", 0, 0)]
