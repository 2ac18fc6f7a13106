import pytest

from store import Store


@pytest.mark.parametrize("seconds", [0, 1, 59, 10**9])
def test_nothing_expires_without_a_lifetime(seconds):
    store = Store(3)
    for key in "abc":
        store.put(key, key)
    store.advance(seconds)
    assert len(store) == 3
    assert all(key in store for key in "abc")


def test_full_store_without_lifetime_drops_the_oldest():
    store = Store(2)
    for key in "abc":
        store.put(key, key)
    assert "a" not in store
    assert store.get("c") == "c"


def test_expired_entries_make_room():
    store = Store(2, lifetime=5)
    store.put("a", 1)
    store.advance(3)
    store.put("b", 2)
    store.get("a")
    store.advance(2)
    store.put("c", 3)
    assert "b" in store
    assert "a" not in store


def test_lifetime_of_zero():
    store = Store(2, lifetime=0)
    store.put("a", 1)
    assert store.get("a") is None
