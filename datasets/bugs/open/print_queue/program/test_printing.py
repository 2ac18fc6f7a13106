import pytest

from printing import Printer, QuotaExceeded


@pytest.fixture
def printer():
    return Printer(quota=50)


def test_numbers(printer):
    assert [printer.submit("ann", 1), printer.submit("bob", 1)] == [1, 2]


def test_urgent_first(printer):
    printer.submit("ann", 1)
    printer.submit("bob", 1, urgent=True)
    assert printer.print_all() == [2, 1]


def test_people_take_turns(printer):
    for owner in ("ann", "ann", "ann", "bob", "bob"):
        printer.submit(owner, 1)
    assert printer.print_all() == [1, 4, 2, 5, 3]


def test_single_person_in_order(printer):
    for _ in range(3):
        printer.submit("ann", 1)
    assert printer.print_all() == [1, 2, 3]


def test_pages_are_counted(printer):
    printer.submit("ann", 20)
    printer.submit("ann", 10)
    printer.print_all()
    assert printer.pages_left("ann") == 20
    assert printer.pages_left("bob") == 50


def test_quota_counts_waiting_jobs(printer):
    printer.submit("ann", 30)
    with pytest.raises(QuotaExceeded):
        printer.submit("ann", 21)


def test_cancel(printer):
    number = printer.submit("ann", 30)
    assert printer.cancel(number)
    assert not printer.cancel(number)
    assert printer.print_next() is None
