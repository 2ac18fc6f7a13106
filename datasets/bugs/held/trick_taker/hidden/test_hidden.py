import pytest

from tricks import Round


@pytest.mark.parametrize(
    "cards, winner",
    [
        ({"a": ["2H"], "b": ["9H"], "c": ["3H"]}, "b"),
        ({"a": ["AH"], "b": ["9H"], "c": ["3D"]}, "a"),
        ({"a": ["AH"], "b": ["2S"], "c": ["KH"]}, "b"),
        ({"a": ["AH"], "b": ["2S"], "c": ["3S"]}, "c"),
    ],
)
def test_tricks_go_to_the_winner(cards, winner):
    table = Round(cards, trump="S")
    for hand in cards.values():
        table.play(hand[0])
    assert table.tricks == {name: int(name == winner) for name in cards}
    assert table.points[winner] >= 10


def test_ties_go_to_fewer_tricks():
    table = Round({"a": ["2H", "KD", "9C"], "b": ["TH", "3D", "8C"]})
    for card in ("2H", "TH", "3D", "KD", "9C", "8C"):
        table.play(card)
    assert table.tricks == {"a": 2, "b": 1}
    assert table.result()[0] == ("a", 14, 2)
