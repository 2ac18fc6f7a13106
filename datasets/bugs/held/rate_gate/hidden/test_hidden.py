import pytest

from gate import Gate


@pytest.mark.parametrize("capacity", [1, 2, 7, 50])
@pytest.mark.parametrize("start", [0.0, 5.0, 1e6])
def test_a_new_client_may_ask_as_often_as_the_capacity_says(capacity, start):
    gate = Gate(capacity, 1, clock=lambda: start)
    assert gate.headers("x")["remaining"] == str(capacity)
    assert sum(gate.ask("x") for _ in range(capacity * 2)) == capacity


def test_a_new_client_is_full_and_forgotten():
    gate = Gate(3, 1, clock=lambda: 10.0)
    gate.headers("x")
    gate.ask("y")
    assert gate.forget_idle() == 1
    assert list(gate.buckets) == ["y"]


def test_costly_requests_wait():
    gate = Gate(4, 2, clock=lambda: 10.0)
    assert gate.ask("x", 4)
    assert gate.headers("x", 3)["retry-after"] == "2"
