import pytest

from store import Store


@pytest.fixture
def store():
    return Store(2, lifetime=10)


def test_put_and_get(store):
    store.put("a", 1)
    assert store.get("a") == 1
    assert store.get("b", "none") == "none"


def test_least_recently_used_is_dropped(store):
    store.put("a", 1)
    store.put("b", 2)
    store.get("a")
    store.put("c", 3)
    assert "b" not in store
    assert "a" in store


def test_replacing_keeps_the_others(store):
    store.put("a", 1)
    store.put("b", 2)
    store.put("a", 3)
    assert store.get("b") == 2
    assert store.get("a") == 3


def test_expiry(store):
    store.put("a", 1)
    store.advance(9)
    assert "a" in store
    store.advance(1)
    assert store.get("a") is None
    assert len(store) == 0


def test_remember(store):
    calls = []
    for _ in range(3):
        store.remember("k", lambda: calls.append(1) or None)
    assert len(calls) == 1


@pytest.mark.parametrize("hits, misses, expected", [(0, 0, 0.0), (3, 1, 0.75)])
def test_hit_rate(hits, misses, expected):
    store = Store(1)
    store.hits, store.misses = hits, misses
    assert store.hit_rate == expected


def test_without_lifetime():
    store = Store(1)
    store.put("a", 1)
    store.advance(10**6)
    assert store.get("a") == 1
