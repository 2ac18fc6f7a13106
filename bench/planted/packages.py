"""Source distributions: downloaded once, read as text, and what is needed so that their own tests pass here."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import time
from dataclasses import dataclass, replace
from email.parser import HeaderParser
from pathlib import Path, PurePosixPath

from bench.verdict import passes
from config import PROJECT
from offline.repair.reading.project import read_project

NAMES = PROJECT / "datasets" / "draws" / "packages.txt"
LARGEST, MOST_FILES = 3_000_000, 400  # bytes of one distribution; text files in it
LARGEST_FILE = 400_000  # bytes
DOWNLOAD_SECONDS = 180
SUITE_SECONDS = 60.0
MOST_ALONE = 15  # test files that are tried one by one
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
    left_out: tuple[str, ...] = ()  # test files
    seconds: float = 0.0  # that its tests take

    @property
    def tests(self) -> list[str]:
        """Its test files."""
        return tests_in(self.files)


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
    """It without the test files that fail here as they are. Raises NoPackage where it cannot be tested here."""
    files, left_out = package.files, list[str]()
    began = time.monotonic()
    if not passes(files, package.tests, SUITE_SECONDS):
        if time.monotonic() - began > SUITE_SECONDS:
            raise NoPackage(f"its tests take more than {SUITE_SECONDS:g} s")
        left_out = _failing_alone(files)
        files = {path: text for path, text in files.items() if path not in left_out}
        began = time.monotonic()
        if not tests_in(files) or not passes(files, tests_in(files), SUITE_SECONDS):
            raise NoPackage("its tests fail here as they are")
    return replace(package, files=files, left_out=tuple(left_out), seconds=time.monotonic() - began)


def tests_in(files: dict[str, str]) -> list[str]:
    """The files that hold tests, by the names that frameworks look for."""
    found = read_project(files).test_paths
    return [path for path in found if PurePosixPath(path).name.startswith("test")]


def _failing_alone(files: dict[str, str]) -> list[str]:
    tests = tests_in(files)
    if not 1 < len(tests) <= MOST_ALONE:
        raise NoPackage("its tests fail here as they are")
    return [path for path in tests if not passes(files, [path], SUITE_SECONDS / 2)]


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
