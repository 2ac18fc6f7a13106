"""Settings: who wins, and what a bad value is told."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from config import NEVER_PLAIN, PREFIXED, PROJECT, ConfigError, Settings, checks_of, load_settings, variable_of
from jobs.auditor.settings import AuditorSettings
from jobs.job import own_settings
from jobs.librarian.settings import LibrarianSettings

NOWHERE = Path("/nonexistent/.env")


def settings(environment: dict[str, str] | None = None, env_file: Path = NOWHERE, **overrides: object) -> Settings:
    return load_settings(overrides, environment or {}, env_file)


def test_the_command_line_wins_over_the_environment_and_that_over_the_env_file(tmp_path: Path):
    env_file = tmp_path / ".env"
    env_file.write_bytes(b'MAX_ITERS="3"\r\nGEMINI_MODEL=from-file\r\nLMSTUDIO_MODEL=from-file\r\n')
    chosen = settings({"MAX_ITERS": "4", "GEMINI_MODEL": "from-environment"}, env_file, max_iters="5")
    assert (chosen.max_iters, chosen.gemini_model, chosen.lmstudio_model) == (5, "from-environment", "from-file")


def test_a_value_that_holds_a_nul_is_named(tmp_path: Path):
    """No name of a file may hold one, and Python raises no OSError for it."""
    env = tmp_path / ".env"
    env.write_bytes(b"GLASSBOX_RUNS_DIRECTORY=a\0b\n")
    with pytest.raises(ConfigError, match="GLASSBOX_RUNS_DIRECTORY holds a NUL"):
        load_settings({}, {}, env)


@pytest.mark.parametrize(
    ("key", "character"),
    [
        ("\u201csk-of-the-person\u201d", "'\u201c' (left double quotation mark)"),
        ("sk-of-the-\u0440erson", "'\u0440' (cyrillic small letter er)"),
        ("sk-of-the\u200b-person", "'\\u200b' (zero width space)"),
        ("sk-of-the\x1b-person", "'\\x1b' (U+001B)"),
    ],
)
@pytest.mark.parametrize("name", ["LMSTUDIO_API_KEY", "GEMINI_API_KEY", "JUDGE_API_KEY", "LMS_API_KEY"])
def test_a_key_with_a_character_that_no_key_has_is_told_by_that_character_alone(name: str, key: str, character: str):
    kind = {"JUDGE_API_KEY": AuditorSettings, "LMS_API_KEY": LibrarianSettings}.get(name, Settings)
    with pytest.raises(ConfigError) as caught:
        settings({name: key}).of(kind)
    assert str(caught.value).startswith(f"{name} holds {character}, which no key has. ")
    assert f"set {name} to it anew" in str(caught.value)
    assert "sk-of" not in str(caught.value)


def test_an_empty_variable_counts_as_unset():
    assert settings({"MAX_ITERS": " ", "LLM_PROVIDER": ""}) == settings()


def test_a_byte_order_mark_in_the_env_file_does_not_hide_its_first_line(tmp_path: Path):
    (tmp_path / ".env").write_bytes(b"\xef\xbb\xbfMAX_ITERS=7\n")
    assert settings({}, tmp_path / ".env").max_iters == 7


@pytest.mark.parametrize(
    ("name", "value", "hint"),
    [
        ("MAX_ITERS", "many", "whole number"),
        ("MAX_ITERS", "-1", "whole number"),
        ("MAX_ITERS", "1e3", "whole number"),
        ("MAX_ITERS", "٣", "whole number"),
        ("MAX_ITERS", "99999999999", "from 0 to 999999999"),
        ("LMSTUDIO_TEMPERATURE", "hot", "from 0 to 2"),
        ("LMSTUDIO_TEMPERATURE", "nan", "from 0 to 2"),
        ("LMSTUDIO_TEMPERATURE", "2.5", "from 0 to 2"),
        ("LMSTUDIO_MAX_TOKENS", "800 tokens", "whole number"),
        ("LMSTUDIO_BASE_URL", "localhost:1234", "http://localhost:1234/v1"),
        ("LMSTUDIO_BASE_URL", "http://localhost:notaport/v1", "http://localhost:1234/v1"),
        ("GEMINI_BASE_URL", "ftp://example.invalid", "http://localhost:1234/v1"),
        ("LLM_PROVIDER", "openai", "lmstudio, gemini, offline or cli"),
    ],
)
def test_a_bad_value_is_named_with_what_it_may_be(name: str, value: str, hint: str):
    with pytest.raises(ConfigError) as caught:
        settings({name: value})
    assert name in str(caught.value)
    assert hint in str(caught.value)


def test_a_working_directory_of_the_settings_is_relative_to_the_project_and_one_of_the_command_line_to_where_it_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    assert settings({"GLASSBOX_WORKING_DIRECTORY": "calculator"}).working_directory == PROJECT / "calculator"
    assert settings(working_directory="here").working_directory == tmp_path / "here"


@pytest.mark.skipif(sys.platform == "win32", reason="there no directory is deleted that somebody is in")
def test_in_a_directory_that_was_deleted_a_whole_path_is_worked_in_and_another_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert settings(working_directory=str(tmp_path)).working_directory == tmp_path
    with pytest.raises(ConfigError, match="was deleted. Go to another, or give here whole"):
        settings(working_directory="here")


def test_every_setting_stands_in_the_example_with_its_default():
    example = (PROJECT / ".env.example").read_text(encoding="utf-8")
    for name in [name for kind in (Settings, *own_settings()) for name in checks_of(kind)]:
        assert f"# {variable_of(name)}=" in example, name


def test_what_one_job_alone_has_is_read_with_the_rest_and_checked_when_that_job_asks():
    read = settings({"AUDIT_COMPARE": "many", "API_WRITES": "on"}, lms_api_key="of-the-command-line")
    assert read.of(LibrarianSettings) == LibrarianSettings(lms_api_key="of-the-command-line", api_writes=True)
    with pytest.raises(ConfigError, match="AUDIT_COMPARE is 'many', but it must be a whole number"):
        read.of(AuditorSettings)
    for name, value in (("RUN_GATE", "maybe"), ("JUDGE_BASE_URL", "localhost:1"), ("RUN_FAIL_POLICY", "x")):
        with pytest.raises(ConfigError, match=f"{name} is '{value}', but it m"):
            settings({name: value}).of(AuditorSettings)


def test_what_code_gives_a_job_wins_over_what_was_read():
    given = AuditorSettings(audit_data="mine.csv")
    assert replace(settings({"AUDIT_DATA": "theirs.csv"}), jobs=(given,)).of(AuditorSettings) is given


def test_settings_that_are_shown_show_no_variable_that_was_read():
    assert "of-somebody" not in repr(settings({"LMS_API_KEY": "of-somebody", "OTHER": "of-somebody"}))


@pytest.mark.parametrize("name", sorted(PREFIXED - NEVER_PLAIN - {"working_directory"}))
def test_a_setting_has_a_name_that_no_other_program_uses_and_wins_over_the_plain_one(name: str):
    plain, own = ("off", "on") if name == "verify" else ("3", "4")
    assert str(getattr(settings({name.upper(): plain}), name)).lower().endswith({"off": "false"}.get(plain, plain))
    both = settings({name.upper(): plain, f"GLASSBOX_{name.upper()}": own})
    assert str(getattr(both, name)).lower().endswith({"on": "true"}.get(own, own))


def test_what_another_programs_variable_holds_starts_no_server():
    assert settings({"MCP": "python evil.py", "MCP_SECONDS": "1"}) == settings()
    assert settings({"GLASSBOX_MCP": "python ours.py"}).mcp == ("python ours.py",)


def test_what_another_program_set_stops_nothing(tmp_path: Path):
    assert settings({"VERIFY": "1", "KEEP_RUNS": "yes", "MAX_SECONDS": "1m"}) == settings()
    with pytest.raises(ConfigError, match="GLASSBOX_VERIFY is '1'"):
        settings({"GLASSBOX_VERIFY": "1"})
    (tmp_path / ".env").write_text("VERIFY=1\n", encoding="utf-8")  # this program's own file: a mistake, and told
    with pytest.raises(ConfigError, match="GLASSBOX_VERIFY is '1'"):
        settings({}, tmp_path / ".env")


def test_it_is_known_what_the_person_chose():
    assert settings({"MAX_ITERS": "20", "VERIFY": "on"}, max_seconds="3").chosen == {
        "max_iters",
        "verify",
        "max_seconds",
    }


def test_an_env_file_that_is_no_text_is_named_with_the_next_step(tmp_path: Path):
    (tmp_path / ".env").write_bytes(b"MAX_ITERS=\xff\xfe\n")
    with pytest.raises(ConfigError, match="Save it as UTF-8"):
        settings({}, tmp_path / ".env")


def test_what_another_program_has_put_into_the_environment_does_not_say_whom_to_ask_nor_where_to_work():
    others = {"LLM_API_BASE": "http://elsewhere/v1", "LLM_API_KEY": "k", "LLM_MODEL": "m", "WORKING_DIRECTORY": "/etc"}
    assert settings(others) == settings()
