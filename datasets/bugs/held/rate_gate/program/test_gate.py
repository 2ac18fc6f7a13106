import pytest

from gate import Gate


class Clock:
    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def gate(clock):
    return Gate(capacity=5, per_second=2, clock=clock)


def test_no_more_than_the_capacity_at_once(gate):
    assert [gate.ask("a") for _ in range(7)] == [True] * 5 + [False] * 2
    assert gate.refused == {"a": 2}


def test_fills_up_with_time(gate, clock):
    for _ in range(5):
        gate.ask("a")
    clock.now += 1
    assert [gate.ask("a") for _ in range(3)] == [True, True, False]


def test_never_more_than_the_capacity(gate, clock):
    gate.ask("a")
    clock.now += 3600
    assert sum(gate.ask("a") for _ in range(20)) == 5


def test_clients_do_not_share(gate):
    for _ in range(6):
        gate.ask("a")
    assert gate.ask("b")


def test_headers(gate, clock):
    gate.ask("a", 5)
    assert gate.headers("a") == {"limit": "5", "remaining": "0", "retry-after": "1"}
    clock.now += 1
    assert gate.headers("a") == {"limit": "5", "remaining": "2"}


@pytest.mark.parametrize("cost, passes", [(1, True), (5, True), (6, False)])
def test_cost(gate, clock, cost, passes):
    gate.ask("a", 2)
    clock.now += 60
    assert gate.ask("a", cost) is passes


@pytest.mark.parametrize("capacity, rate", [(0, 1), (1, 0), (-1, 1)])
def test_limits(capacity, rate):
    with pytest.raises(ValueError):
        Gate(capacity, rate)
