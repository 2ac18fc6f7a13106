import pytest

from settings import Settings, SettingsError


@pytest.fixture
def deep():
    return Settings({"a": {"b": {"c": {"d": 1}}, "none": None, "zero": 0}})


@pytest.mark.parametrize(
    "name, value", [("a.b.c.d", 1), ("a.none", None), ("a.zero", 0), ("a.b", {"c": {"d": 1}}), ("a.b.c", {"d": 1})]
)
def test_at_every_depth(deep, name, value):
    assert deep.get(name, "default") == value


@pytest.mark.parametrize("name", ["a.x", "a.b.x", "a.b.c.d.e", "x.b", "a.zero.b"])
def test_missing_at_every_depth(deep, name):
    assert deep.get(name, "default") == "default"
    with pytest.raises(SettingsError):
        deep.get(name)


def test_source_of_nested(deep):
    deep.add_environment({"X_A__B__C__D": "2", "X_A__NEW": "n"}, "X")
    assert deep.source("a.b.c.d") == "environment"
    assert deep.source("a.zero") == "defaults"
    assert deep.get("a.b.c.d") == 2
