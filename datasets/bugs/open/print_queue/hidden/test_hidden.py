from printing import Printer


def submit(printer, owners):
    for owner in owners:
        printer.submit(owner, 1)


def test_three_people():
    printer = Printer()
    submit(printer, "aabbc")
    order = printer.print_all()
    owners = ["aabbc"[number - 1] for number in order]
    assert all(x != y for x, y in zip(owners, owners[1:]))


def test_turns_go_on_over_calls():
    printer = Printer()
    submit(printer, "ab")
    assert printer.print_next() == 1
    submit(printer, "a")
    assert printer.print_next() == 2
    submit(printer, "b")
    assert printer.print_next() == 3


def test_urgent_job_counts_as_a_turn():
    printer = Printer()
    submit(printer, "ab")
    printer.submit("a", 1, urgent=True)
    assert printer.print_all() == [3, 2, 1]
