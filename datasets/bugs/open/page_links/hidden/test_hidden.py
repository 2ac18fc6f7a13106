import pytest

from pagination import GAP, Paginator


@pytest.mark.parametrize("count, per_page", [(1, 1), (9, 4), (12, 3), (5, 50)])
def test_labels_follow_each_other(count, per_page):
    paginator = Paginator(range(count), per_page)
    expected = 1
    for number in range(1, paginator.pages + 1):
        first, last = (int(part) for part in paginator.label(number).split(" ")[0].split("-"))
        assert first == expected
        assert last - first + 1 == len(paginator.page(number))
        expected = last + 1
    assert expected == count + 1


def test_label_of_the_first_page():
    assert Paginator("abc", 2).label(1) == "1-2 of 3"
    assert Paginator("abc", 2).label(2) == "3-3 of 3"


def test_links_at_both_ends():
    paginator = Paginator(range(20), 2)
    assert paginator.links(1) == [1, 2, GAP, 10]
    assert paginator.links(10) == [1, GAP, 9, 10]
