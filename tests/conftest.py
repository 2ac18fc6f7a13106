"""What the tests share: copies of the calculator, small projects, and the program as a person starts it."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import venv
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from browser import Browser, browser
from but_passed import ButPassed
from searches import made_once
from warm_start import WarmStart

from cli.reset import put_calculator
from config import PROJECT
from offline.wire.server import serve
from sandbox.files.root import Root
from sandbox.running.levels import level

# A shell that starts the suite in the background has it ignore Ctrl-C, and what is ignored is inherited.
signal.signal(signal.SIGINT, signal.default_int_handler)

HANG = 120.0  # seconds; far beyond what anything here takes, so that a hang is a failure and not a wait


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--but-passed", metavar="FILE", help="leave out what FILE names, and add what passes now")


@pytest.hookimpl(tryfirst=True)  # before those that are not asked for are left out
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of the cases of a test with the mark `sample(N)` all but N, evenly drawn, are long."""
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("sample"):
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for alike in cases.values():
        count = next(alike[0].iter_markers("sample")).args[0]
        kept = {place * len(alike) // count for place in range(count)}
        for place, item in enumerate(alike):
            if place not in kept:
                item.add_marker("long")


def pytest_configure(config: pytest.Config) -> None:
    if file := config.getoption("--but-passed"):
        config.pluginmanager.register(ButPassed(Path(file)))


@pytest.fixture(autouse=True, scope="session")
def runs_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """What the tests run is not kept among the person's own runs."""
    runs = tmp_path_factory.mktemp("runs")
    os.environ["RUNS_DIRECTORY"] = str(runs)
    yield runs
    del os.environ["RUNS_DIRECTORY"]


@pytest.fixture(scope="session", autouse=True)
def this_is_the_persons_own_code() -> None:
    """Where a system has no wall, the tests may run their own code with the limits alone; others test the refusal."""
    if not level().confined:
        Root.allow_unconfined = True


@pytest.fixture(scope="module")  # not of the session: tests that are about the search have it as it is
def the_same_search_is_made_once() -> Iterator[None]:
    with made_once():
        yield


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser with an empty profile, for the tests of a file."""
    with browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture
def can_fork() -> None:
    """For what needs code that starts other processes: as root without namespaces the sandbox lets it start none."""
    if not level().can_fork:
        pytest.skip(f"code can start no process here: {level().line}")


@pytest.fixture
def leaves_nothing_deep(tmp_path: Path) -> Iterator[None]:
    """For what makes folders deeper than shutil.rmtree, with which pytest tidies up, can go."""
    yield
    if shutil.which("rm"):
        subprocess.run(["rm", "-rf", *map(str, tmp_path.iterdir())], check=False)


@pytest.fixture
def calculator(tmp_path: Path) -> Path:
    """A copy of the calculator as shipped, bug included."""
    return put_calculator(tmp_path / "calculator")


@pytest.fixture
def project(tmp_path: Path) -> Callable[[dict[str, str]], Path]:
    """Makes a working directory from path and text."""

    def make(files: dict[str, str]) -> Path:
        root = tmp_path / "project"
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        return root

    return make


@pytest.fixture(scope="session")
def soon_repaired() -> dict[str, str]:
    """A program in a package, with its tests, whose bug is found in a second: for what is not about finding it."""
    tests = "class T(TestCase):\n    def test_two(self):\n        self.assertEqual(double(2), 4)\n"
    tests += "    def test_five(self):\n        self.assertEqual(double(5), 10)\n"
    return {
        "pkg/__init__.py": "",
        "pkg/double.py": "def double(number):\n    return number * 3\n",
        "tests.py": f"from unittest import TestCase\n\nfrom pkg.double import double\n\n\n{tests}",
    }


@pytest.fixture(scope="session")
def bare_python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A Python without any package, as a person has who starts with `python main.py`."""
    place = tmp_path_factory.mktemp("bare")
    venv.create(place)
    return str(place / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))


@pytest.fixture(scope="session")
def closed_port() -> Iterator[int]:
    """A port of the loopback interface where nothing answers: held, and never listened on."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


@pytest.fixture(scope="session")
def built_in_model() -> Iterator[str]:
    """The address of a built-in model that is served for the whole session."""
    with serve() as address:
        yield address


@pytest.fixture(scope="session")
def warm_start() -> Iterator[WarmStart | None]:
    """Starts of main.py that need not load the SDKs; None where there is no fork(2) that what is loaded outlives."""
    if sys.platform != "linux":
        yield None
        return
    warm = WarmStart()
    yield warm
    warm.close()


@pytest.fixture
def run_main(closed_port: int, warm_start: WarmStart | None) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Starts main.py as a person does, with nothing configured but what the test gives as environment. Where a test
    names a main.py or a Python of its own it is a start from nothing."""

    def run(
        *arguments: str,
        cwd: Path = PROJECT,
        main: Path = PROJECT / "main.py",
        python: str = sys.executable,
        stdin: str = "",
        **environment: str,
    ) -> subprocess.CompletedProcess[str]:
        unset = {"LLM_PROVIDER": "", "GEMINI_API_KEY": "", "GEMINI_BASE_URL": "", "LMSTUDIO_MODEL": "", "MAX_ITERS": ""}
        nothing_there = {"LMSTUDIO_BASE_URL": f"http://127.0.0.1:{closed_port}/v1"}
        names = {**os.environ, **unset, **nothing_there, **environment}
        if warm_start and (main, python) == (PROJECT / "main.py", sys.executable) and warm_start.can(names):
            return warm_start.run(main, arguments, cwd, names, stdin, HANG)
        return subprocess.run(
            [python, str(main), *arguments],
            cwd=cwd,
            env=names,
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            timeout=HANG,
        )

    return run
