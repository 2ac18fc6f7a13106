"""Source distributions: downloaded once, read as text, and what is needed so that their own tests pass here."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from email.parser import HeaderParser
from pathlib import Path, PurePosixPath

from bench.verdict import passes, run_tests
from config import PROJECT
from offline.repair.reading.project import read_project

NAMES = PROJECT / "datasets" / "draws" / "packages.txt"
LARGEST, MOST_FILES = 3_000_000, 400  # bytes of one distribution; text files in it
LARGEST_FILE = 400_000  # bytes
DOWNLOAD_SECONDS = 180
SUITE_SECONDS = 60.0
MOST_LEFT_OUT = 40  # tests that fail as they are; where there are more, what is left may tell little
CONFTEST = "conftest.py"
SKIPS = """

def pytest_itemcollected(item):  # what fails here as it is
    import pytest

    if item.nodeid in {names}:
        item.add_marker(pytest.mark.skip)
"""
ASIDE = (
    "docs/",
    "doc/",
    "examples/",
    "benchmarks/",
    "benchmark/",
    "bench/",
    "tools/",
    ".",
)  # no part of what is tested
SCRIPTS = ("setup.py", "noxfile.py", "tasks.py", "conf.py", "fabfile.py")


class NoPackage(Exception):
    """A package that nothing can be planted in; it says why."""


@dataclass(frozen=True)
class Package:
    """A package as its authors published it, without the tests that do not pass here."""

    name: str
    version: str
    licence: str
    files: dict[str, str]
    left_out: tuple[str, ...] = ()  # of its tests: whole files, and single ones as pytest names them
    seconds: float = 0.0  # that its tests take

    @property
    def tests(self) -> list[str]:
        """Its test files."""
        return tests_in(self.files)

    def without(self, left_out: Sequence[str]) -> Package:
        """It without test files, and with single tests skipped."""
        files = {path: text for path, text in self.files.items() if path not in left_out}
        single = [name for name in left_out if "::" in name]
        if single:
            files[CONFTEST] = files.get(CONFTEST, "") + SKIPS.format(names=single)
        return replace(self, files=files, left_out=tuple(left_out))


def names() -> list[str]:
    """The names that are drawn from."""
    lines = NAMES.read_text(encoding="utf-8").splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def load(name: str, cache: Path, version: str = "") -> Package:
    """A package, the newest that is known here without a version. Raises NoPackage with the reason where there is none
    to be had."""
    files, about = _read(_archive(name, cache, version))
    if not tests_in(files):
        raise NoPackage("no tests in its source distribution")
    return Package(*about, files)


def without_failing(package: Package) -> Package:
    """It with those of its tests skipped that fail here as they are, as a person would who has neither its plugins nor
    its network. Raises NoPackage where it cannot be tested here."""
    files = {**package.files, CONFTEST: package.files.get(CONFTEST, "")}  # so that pytest runs it all
    seen = run_tests(files, package.tests, ("-rfE", "--tb=no"), SUITE_SECONDS)
    if seen.stopped_for:
        raise NoPackage(f"its tests take more than {SUITE_SECONDS:g} s")
    lines = (line.partition(" - ")[0].split(" ", 1) for line in seen.stdout.splitlines())
    failing = sorted({line[1] for line in lines if len(line) == 2 and line[0] in ("FAILED", "ERROR")})
    left = package.without(failing)
    began = time.monotonic()
    if not left.tests or len(failing) > MOST_LEFT_OUT or not passes(left.files, left.tests, SUITE_SECONDS):
        raise NoPackage("its tests fail here as they are")
    return replace(left, seconds=time.monotonic() - began)


def tests_in(files: dict[str, str]) -> list[str]:
    """The files that hold tests, by the names that frameworks look for."""
    found = read_project(files).test_paths
    return [path for path in found if PurePosixPath(path).name.startswith("test")]


def _read(archive: Path) -> tuple[dict[str, str], tuple[str, str, str]]:
    """The text files below the distribution's top folder (`src/` counts as that), and its name, version and licence.

    What the package says of itself lies where an installed one has it, for programs that ask for their own version."""
    files: dict[str, str] = {}
    about = ""
    with tarfile.open(archive) as held:
        for member in held.getmembers():
            path = PurePosixPath(*PurePosixPath(member.name).parts[1:]).as_posix()
            content = held.extractfile(member) if member.isfile() and member.size <= LARGEST_FILE else None
            if content is None or "egg-info" in path:
                continue
            try:
                text = content.read().decode("utf-8")
            except UnicodeDecodeError:
                continue
            about = text if path == "PKG-INFO" else about
            path = path.removeprefix("src/")
            if not path.startswith(ASIDE) and path not in SCRIPTS:
                files[path] = text
    if len(files) > MOST_FILES:
        raise NoPackage(f"more than {MOST_FILES} files")
    told = HeaderParser().parsestr(about)
    name, version = str(told["Name"]), str(told["Version"])
    files[f"{re.sub('[-.]+', '_', name)}-{version}.dist-info/METADATA"] = about
    classified = [one.rpartition("::")[2].strip() for one in told.get_all("Classifier", []) if "License ::" in one]
    licence = told["License-Expression"] or ", ".join(classified) or str(told["License"] or "").partition("\n")[0]
    return files, (name, version, licence or "not said")


def _archive(name: str, cache: Path, version: str) -> Path:
    """The source distribution, downloaded by pip if it is not there."""
    place = cache / name.lower()
    found = next(place.glob(f"*{version}.tar.gz"), None)
    if found is None:
        python = cache / "environment" / "bin" / "python"
        pip = [str(python), "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "-d", str(place)]
        try:
            if not python.is_file():
                subprocess.run([sys.executable, "-m", "venv", str(cache / "environment")], check=True, timeout=120)
            wanted = f"{name}=={version}" if version else name
            subprocess.run([*pip, wanted], check=True, capture_output=True, timeout=DOWNLOAD_SECONDS)
        except (OSError, subprocess.SubprocessError) as error:
            raise NoPackage("its source distribution could not be had") from error
        found = next(place.glob(f"*{version}.tar.gz"), None)
    if found is None or found.stat().st_size > LARGEST:
        raise NoPackage("too large a distribution, or none that can be read")
    return found
