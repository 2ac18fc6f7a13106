import pytest

from settings.convert import convert, environment_name, split_name


@pytest.mark.parametrize(
    "text, value",
    [("8080", 8080), ("1.5", 1.5), ("Yes", True), ("none", None), ("a, 2", ["a", 2]), ("x", "x"), ("", "")],
)
def test_convert(text, value):
    assert convert(text) == value


def test_environment_name():
    assert environment_name("APP_DB__PORT", "APP") == "db.port"
    assert environment_name("PATH", "APP") is None


def test_empty_parts():
    with pytest.raises(ValueError):
        split_name("a..b")
