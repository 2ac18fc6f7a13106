import pytest

from pagination import GAP, Paginator


@pytest.fixture
def results():
    return Paginator(range(55), 5)


def test_number_of_pages(results):
    assert results.pages == 11
    assert Paginator(range(56), 5).pages == 12
    assert Paginator([], 5).pages == 1


def test_items_of_a_page(results):
    assert results.page(1) == [0, 1, 2, 3, 4]
    assert results.page(11) == [50, 51, 52, 53, 54]


@pytest.mark.parametrize("number", [0, 12, -1])
def test_no_such_page(results, number):
    with pytest.raises(IndexError):
        results.page(number)


def test_label(results):
    assert results.label(2) == "6-10 of 55"
    assert Paginator(range(7), 5).label(2) == "6-7 of 7"


def test_label_of_nothing():
    assert Paginator([], 3).label(1) == "nothing found"


def test_links_in_the_middle(results):
    assert results.links(6) == [1, GAP, 5, 6, 7, GAP, 11]


def test_a_single_hidden_page_is_shown(results):
    assert results.links(4) == [1, 2, 3, 4, 5, GAP, 11]


def test_bar(results):
    assert results.bar(1) == "[1] 2 ... 11"


def test_per_page():
    with pytest.raises(ValueError):
        Paginator([1], 0)
