import pytest

from settings import Settings, SettingsError


@pytest.fixture
def settings():
    settings = Settings({"name": "app", "db": {"host": "localhost", "port": 5432}})
    settings.add("file", {"db": {"host": "db.example"}, "debug": True})
    return settings.add_environment({"APP_DEBUG": "no", "HOME": "/root"}, "APP")


def test_top_level(settings):
    assert settings.get("name") == "app"
    assert settings.get("debug") is False


def test_nested(settings):
    assert settings.get("db.host") == "db.example"
    assert settings.get("db.port") == 5432


def test_missing(settings):
    with pytest.raises(SettingsError):
        settings.get("colour")
    assert settings.get("colour", "red") == "red"


def test_source(settings):
    assert [settings.source(name) for name in ("name", "debug")] == ["defaults", "environment"]


def test_lines(settings):
    assert settings.lines() == ["db.host = 'db.example'", "db.port = 5432", "debug = False", "name = 'app'"]
