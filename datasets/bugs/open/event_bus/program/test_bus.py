import pytest

from bus import Bus, Subscription


@pytest.fixture
def seen():
    return []


@pytest.fixture
def bus(seen):
    bus = Bus()
    bus.subscribe("order.paid", lambda event: seen.append(("paid", event.payload)))
    bus.subscribe("order.*", lambda event: seen.append(("any", event.payload)), priority=5)
    return bus


@pytest.mark.parametrize(
    "pattern, topic, expected",
    [
        ("a.b", "a.b", True),
        ("a.*", "a.b", True),
        ("a.*", "ab.c", False),
        ("*", "x", True),
        ("a.b", "a", False),
    ],
)
def test_wants(pattern, topic, expected):
    assert Subscription(pattern, print).wants(topic) is expected


def test_nothing_happens_before_delivery(bus, seen):
    bus.publish("order.paid", 1)
    assert seen == []


def test_higher_priority_first(bus, seen):
    bus.publish("order.paid", 1)
    assert bus.deliver() == 1
    assert seen == [("any", 1), ("paid", 1)]


def test_events_in_order(bus, seen):
    for number in (1, 2, 3):
        bus.publish("order.made", number)
    bus.deliver()
    assert [payload for _, payload in seen] == [1, 2, 3]


def test_once(bus, seen):
    bus.subscribe("ping", lambda event: seen.append("ping"), once=True)
    bus.publish("ping")
    bus.publish("ping")
    bus.deliver()
    assert seen == ["ping"]


def test_limit(bus):
    bus.subscribe("again", lambda event: bus.publish("again"))
    bus.publish("again")
    assert bus.deliver(limit=10) == 10


def test_failures_are_kept(bus):
    bus.subscribe("bad", lambda event: 1 / 0)
    bus.publish("bad")
    bus.deliver()
    assert isinstance(bus.failures[0][1], ZeroDivisionError)


def test_unsubscribe(bus, seen):
    bus.unsubscribe(bus.subscriptions[0])
    bus.publish("order.paid", 1)
    bus.deliver()
    assert seen == [("any", 1)]
