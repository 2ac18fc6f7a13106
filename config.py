"""Settings: the constants, and the environment variables of every run, read once, checked once.

What one job alone has stands in its folder, such as jobs/auditor/settings.py, and is checked here when that job begins.
The command line wins over the environment, the environment wins over `.env`, and `.env` wins over the defaults below.
"""

from __future__ import annotations

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - an older Python does not read pyproject.toml
    sys.exit(
        "Error: Python 3.11 or later is needed, and this is {}.{}. Start with: uv run main.py".format(*sys.version_info)
    )

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

VERSION = "0.2.0"
PROJECT = Path(__file__).resolve().parent
INSTALLED = (PROJECT / "__main__.py").is_file()  # in the folder of an installed package; the clone has none here
# Runs, `.env` and what is worked on: in the clone itself, of an installed package in the person's own folder.
PLACE = Path(os.environ.get("GLASSBOX_HOME") or Path.home() / ".glassbox").absolute() if INSTALLED else PROJECT
COMMAND = "glassbox" if INSTALLED else "python main.py"

MAX_CHARACTERS = 10_000  # of one file in one tool result; longer files are read in pages
MAX_WORKERS = 8  # tool calls that run at the same time
RUN_SECONDS = 30.0  # for one run of a file or of the tests
SEARCH_SECONDS = 5.0  # for one search
SEARCH_MATCHES = 100  # shown by one search


class Provider(NamedTuple):
    """Who answers. `loop` is the module whose `run_agent` asks, `wire` the language of its requests ("" for another
    agent's own), `settings` what the names of its settings begin with, `package` the SDK that it needs, `address` where
    it is when the person names no other, `needs_key` whether it answers nobody without one."""

    name: str
    loop: str
    wire: str
    settings: str
    package: str = ""
    address: str = ""
    needs_key: bool = False

    def setting(self, name: str) -> str:
        """The field of Settings for its "model", "api_key" or "base_url"."""
        return f"{self.settings}_{name}"


GOOGLE = "https://generativelanguage.googleapis.com"
PROVIDERS = {
    each.name: each
    for each in (
        Provider("lmstudio", "main", "openai", "lmstudio", "openai"),
        Provider("gemini", "providers.gemini", "gemini", "gemini", "google.genai", GOOGLE, needs_key=True),
        Provider("offline", "main", "openai", "lmstudio", "openai"),  # the built-in model is met as LM Studio is
        Provider("cli", "providers.cli_agent", "", "lmstudio"),
    )
}

PREFIX = "GLASSBOX_"
PREFIXED = frozenset(  # settings whose plain names other programs use as well
    (
        *("max_calls", "max_input_tokens", "max_output_tokens", "max_seconds", "max_repeats", "max_thoughts", "tries"),
        *("model_size", "without", "assist", "theme", "verify", "working_directory", "runs_directory", "keep_runs"),
        *("mcp", "mcp_logins", "mcp_seconds", "mcp_token", "mcp_tools"),
    )
)
NEVER_PLAIN = frozenset(
    ("mcp", "mcp_logins", "mcp_seconds", "mcp_token", "mcp_tools", "model_size", "without", "assist", "theme", "tries")
)  # another's MCP must start nothing here
SECRET_FILES = (".env.agent.secret", ".env.docker.secret")  # read beside `.env`, which wins over them
STAND_INS = {  # names that other agents use for the same, read in our files where this program's own is not set
    "LMSTUDIO_BASE_URL": "LLM_API_BASE",
    "LMSTUDIO_API_KEY": "LLM_API_KEY",
    "LMSTUDIO_MODEL": "LLM_MODEL",
}


class ConfigError(Exception):
    """A setting that cannot be used. The text names the setting, what it may be, and the next step."""


Check = Callable[[str, str], object]  # from a variable's name and its text to the value; raises ConfigError


def _lines(name: str, text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def _paths(name: str, text: str) -> tuple[str, ...]:
    return tuple(path for line in _lines(name, text) for path in line.split(os.pathsep) if path)


def _words(name: str, text: str) -> tuple[str, ...]:
    return tuple(text.replace(",", " ").split())


def _address(name: str, text: str) -> str:
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(text)
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        valid = False
    if not valid:
        raise ConfigError(f"{name} is {text!r}, but it must be an address such as http://localhost:1234/v1.")
    return text.rstrip("/")


def _key(name: str, text: str) -> str:
    """No header of a request holds another character; what asks with such a key tells that nothing answers."""
    for character in text:
        if not " " <= character <= "~":
            from unicodedata import name as name_of

            known = name_of(character, "").lower() or f"U+{ord(character):04X}"
            raise ConfigError(
                f"{name} holds {character!r} ({known}), which no key has. Copy the key from where it was made, not "
                f"from a document, and set {name} to it anew, in .env without quotes."
            )
    return text


def _count(name: str, text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise ConfigError(f"{name} is {text!r}, but it must be a whole number from 0 to 999999999 (0 means no limit).")
    return int(text)


def _temperature(name: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 2:
        raise ConfigError(f"{name} is {text!r}, but it must be a number from 0 to 2.")
    return value


def one_of(*choices: str) -> Check:
    def check(name: str, text: str) -> str:
        if text.lower() not in choices:
            raise ConfigError(f"{name} is {text!r}, but it may be {', '.join(choices[:-1])} or {choices[-1]}.")
        return text.lower()

    return check


def _switch(name: str, text: str) -> bool:
    return one_of("on", "off")(name, text) == "on"


BY_TYPE: dict[object, Check] = {
    "str": lambda name, text: text,
    "int": _count,
    "int | None": _count,
    "float": _temperature,
    "float | None": _temperature,
    "bool": _switch,
    "tuple[str, ...]": _lines,
    "Path": lambda name, text: Path(text),
}


BY_ENDING: dict[str, Check] = {"url": _address, "key": _key}


def checked_by(check: Check, default: Any) -> Any:
    """A field of settings of which its type does not say it all."""
    return field(default=default, metadata={"check": check})


Own = TypeVar("Own")


@dataclass(frozen=True)
class Settings:
    """One run's settings. Each field is set by the variable of the same name in capitals, some of them with the prefix
    GLASSBOX_ before it (see .env.example). The last three are no settings, but what is known of them."""

    llm_provider: str = checked_by(one_of(*PROVIDERS), "")
    llm_seed: int | None = None
    lmstudio_base_url: str = "http://localhost:1234/v1"
    lmstudio_model: str = ""
    lmstudio_api_key: str = "lm-studio"
    lmstudio_temperature: float = 0.0
    lmstudio_max_tokens: int = 0
    gemini_api_key: str = ""
    gemini_model: str = "gemini-2.5-flash"
    gemini_base_url: str = ""
    gemini_temperature: float | None = None
    max_iters: int = 20
    max_calls: int = 0
    max_input_tokens: int = 0
    max_output_tokens: int = 0
    max_seconds: int = 0
    max_repeats: int = 5
    max_thoughts: int = 100_000
    tries: int = 1
    verify: bool = True
    model_size: str = checked_by(one_of("auto", "small", "large"), "auto")
    without: tuple[str, ...] = checked_by(_words, ())
    assist: str = checked_by(one_of("off", "suggest", "finish"), "suggest")
    theme: str = checked_by(one_of("terminal", "light", "dark", "contrast"), "terminal")  # cli/screen/rich.py has them
    working_directory: Path = Path("calculator")
    runs_directory: Path = PLACE / ".runs"
    keep_runs: int = 50
    mcp: tuple[str, ...] = ()
    mcp_seconds: int = 60
    mcp_tools: tuple[str, ...] = checked_by(_words, ())  # patterns; empty: all
    mcp_token: str = ""
    mcp_logins: Path = PLACE / "logins" if INSTALLED else Path("~/.glassbox/logins")  # in no folder that is worked in
    skills_paths: tuple[str, ...] = checked_by(_paths, ())
    agent_cli: str = "qwen"
    chosen: frozenset[str] = frozenset()  # which of these the person set, rather than left at their defaults
    jobs: tuple[object, ...] = ()  # what one job alone has, given in code or checked already: see `of`
    texts: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)  # all that was read, by variable

    def of(self, kind: type[Own]) -> Own:
        """The settings that one job alone has, a frozen dataclass in its folder: as they stand in `jobs`, else made of
        what was read. Raises ConfigError, naming the setting, for the first value that cannot be used."""
        given = next((each for each in self.jobs if isinstance(each, kind)), None)
        made: Callable[..., Own] = kind
        return given or made(**checked(checks_of(kind), self.texts))


def checks_of(kind: type[Any]) -> dict[str, Check]:
    """How each setting of a dataclass is checked: as its field says, else by its name or its type."""
    return {
        each.name: each.metadata.get("check") or BY_ENDING.get(each.name.rpartition("_")[2]) or BY_TYPE[each.type]
        for each in fields(kind)
        if each.name not in ("chosen", "jobs", "texts")
    }


CHECKS = checks_of(Settings)


def checked(checks: Mapping[str, Check], texts: Mapping[str, str]) -> dict[str, Any]:
    """The values of those of the settings for which there is a text. Raises ConfigError for the first that is wrong."""
    read = {name: texts.get(variable_of(name), "").strip() for name in checks}
    for name, text in read.items():
        if "\0" in text:  # which no name of a file may hold, nor an address
            raise ConfigError(f"{variable_of(name)} holds a NUL, an invisible character. Write it anew.")
    return {name: checks[name](variable_of(name), text) for name, text in read.items() if text}


def provider_of(settings: Settings) -> Provider:
    """The provider whose wire the settings speak: LM Studio's where they name none that has one."""
    named = PROVIDERS.get(settings.llm_provider)
    return named if named and named.wire else PROVIDERS["lmstudio"]


def load_settings(
    overrides: Mapping[str, object | None] | None = None,
    environment: Mapping[str, str] | None = None,
    env_file: Path = PLACE / ".env",
) -> Settings:
    """Return the settings of this run.

    `overrides` holds values from the command line by field name, None where the person gave none; `environment` stands
    in for `os.environ`. Raises ConfigError, naming the setting, for the first value that cannot be used.
    """
    given = {name: value for name, value in (overrides or {}).items() if value is not None}
    files = with_own_names(read_env_files(env_file), strict=True)
    texts = {**files, **with_own_names(os.environ if environment is None else environment)}
    texts |= {own: files.get(other, "") for own, other in STAND_INS.items() if not texts.get(own, "").strip()}
    for name, value in given.items():  # an option that is given several times is a list
        texts[variable_of(name)] = "\n".join(value) if isinstance(value, (list, tuple)) else str(value)
    values = checked(CHECKS, texts)
    chosen = frozenset(values)
    work = expanded(values.get("working_directory", Settings.working_directory))
    try:
        base = Path.cwd() if "working_directory" in given and not work.is_absolute() else PLACE
    except FileNotFoundError:
        raise ConfigError(f"the directory that you are in was deleted. Go to another, or give {work} whole.") from None
    values["working_directory"] = base / work
    values["runs_directory"] = PLACE / expanded(values.get("runs_directory", Settings.runs_directory))
    return Settings(**values, chosen=chosen, texts=texts)


def expanded(path: Path) -> Path:
    """The path with a home directory in place of "~"; ConfigError for somebody who has none."""
    try:
        return path.expanduser()
    except RuntimeError:
        raise ConfigError(f"{path} begins with the home directory of somebody who is not known here.") from None


def variable_of(name: str) -> str:
    """Return the environment variable that sets a setting."""
    return f"{PREFIX}{name.upper()}" if name in PREFIXED else name.upper()


def with_own_names(texts: Mapping[str, str], *, strict: bool = False) -> dict[str, str]:
    """Return variables with those under an older name, without the prefix, where this program's own name is not set.

    Other programs use such names too (VERIFY, KEEP_RUNS), so a value that does not fit is theirs, and is passed over;
    unless `strict`: in this program's own `.env` it is a mistake. Where this program works, its own names alone say.
    """
    own = dict(texts)
    for name in PREFIXED - NEVER_PLAIN - (frozenset() if strict else {"working_directory"}):
        text = texts.get(name.upper(), "").strip()
        if text and not texts.get(variable_of(name), "").strip() and (strict or fits(name, text)):
            own[variable_of(name)] = text
    return own


def fits(name: str, text: str) -> bool:
    try:
        CHECKS[name](name, text)
    except ConfigError:
        return False
    return True


def need(package: str, extra: str = "") -> None:
    """Do nothing where the package is installed; else raise ConfigError with the commands that help.

    `extra` is the extra of this project that holds the package, "" where every start needs it.
    """
    from importlib.util import find_spec

    try:
        found = find_spec(package)
    except ModuleNotFoundError:  # what it is part of is not there either
        found = None
    if found is None and INSTALLED:
        raise ConfigError(
            f"this needs the package {package}. Add it with: pip install 'glassbox{f'[{extra}]' if extra else ''}'"
        )
    if found is None and extra:
        raise ConfigError(
            f"this needs the package {package}, which is not installed. Add it with `uv sync --extra {extra}`, or "
            f"start with `uv run --extra {extra} main.py`"
        )
    if found is None:
        raise ConfigError(
            f"the package {package} is not installed for this Python. Start with `uv run main.py` instead of "
            "`python main.py`, or install what is needed: python -m pip install -r requirements.txt"
        )


def variable(name: str) -> str | None:
    """Return one variable that the person names in a file of theirs, from the environment or `.env`; None without."""
    return {**read_env_file(PLACE / ".env"), **os.environ}.get(name)


def environment_of(names: Iterable[str]) -> dict[str, str]:
    """Return those of these environment variables that are set: for what is told to a terminal, a desktop, a child."""
    return {name: os.environ[name] for name in names if name in os.environ}


def whole_environment() -> dict[str, str]:
    """Return all of it: for the bench, which starts programs as the person would, and to know what must not get out."""
    return dict(os.environ)


def read_env_file(path: Path) -> dict[str, str]:
    """Return the variables of a `.env` file, none where there is no file. Quotes and CRLF are python-dotenv's work."""
    if not path.is_file():
        return {}
    need("dotenv")
    from dotenv import dotenv_values

    try:
        return {name: value for name, value in dotenv_values(path, encoding="utf-8-sig").items() if value is not None}
    except (OSError, UnicodeDecodeError) as error:
        advice = "Save it as UTF-8 text, or start again from .env.example."
        raise ConfigError(f"{path.name} cannot be read ({error}). {advice}") from None


def read_env_files(env_file: Path) -> dict[str, str]:
    """Return the variables of `.env` and of the files for secrets beside it."""
    secret: dict[str, str] = {}
    for name in SECRET_FILES:
        secret |= read_env_file(env_file.with_name(name))
    return {**secret, **read_env_file(env_file)}
