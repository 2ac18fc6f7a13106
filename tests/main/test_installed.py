"""The wheel: one name, built and run from an environment that knows nothing of the clone, in a place of the person's."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from argparse import Namespace
from dataclasses import replace
from pathlib import Path

import pytest

import cli.watch
import doors.place
from cli.reset import contents
from config import COMMAND, INSTALLED, PLACE, PROJECT, ConfigError, Settings
from live.server import Request
from records.trace import new_folder

UV = shutil.which("uv")
HANG = 600.0


def test_the_clone_is_its_own_place():
    assert not INSTALLED
    assert PLACE == PROJECT
    assert COMMAND == "python main.py"


def test_the_package_is_there_in_the_clone_too_and_loads_nothing_before_it_is_used():
    program = (
        "import sys, glassbox\nassert not {'config', 'doors', 'agent'} & set(sys.modules)\n"
        "from glassbox import Agent, tool\nimport doors.api\nassert Agent is doors.api.Agent\n"
        "assert set(glassbox.__all__) == set(doors.api.__all__)"
    )
    ran = subprocess.run([sys.executable, "-c", program], cwd=PROJECT, capture_output=True, encoding="utf-8")
    assert ran.returncode == 0, ran.stderr


def test_a_module_of_the_same_name_is_a_sentence(tmp_path: Path):
    (tmp_path / "config.py").write_text("mine = True\n")
    (tmp_path / "main.py").write_text("from glassbox import Agent\n")
    (tmp_path / "glassbox").symlink_to(PROJECT / "glassbox")
    ran = subprocess.run([sys.executable, "main.py"], cwd=tmp_path, capture_output=True, encoding="utf-8")
    assert "Glassbox has a module named 'config', and so has" in ran.stderr.splitlines()[-1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not UV:
        pytest.skip("needs uv")
    folder = tmp_path_factory.mktemp("wheel")
    ran = subprocess.run([UV, "build", "--wheel", "-q", "-o", folder, PROJECT], capture_output=True, timeout=HANG)
    assert ran.returncode == 0, ran.stderr.decode()
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An empty one, with the wheel, and with a package that brings a job; what a program is started with in it."""
    folder = tmp_path_factory.mktemp("elsewhere")
    package = folder / "shop"
    package.mkdir()
    (package / "pyproject.toml").write_text(
        '[project]\nname = "shop-agent"\nversion = "1"\n[project.entry-points."glassbox.jobs"]\n'
        'shop = "shop_agent:JOB"\n[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n'
        '[tool.hatch.build.targets.wheel]\ninclude = ["shop_agent.py"]\n'
    )
    (package / "shop_agent.py").write_text(
        "from glassbox import Job, tool\n\n\n@tool(reads_only=True)\ndef shop__list_articles() -> list[str]:\n"
        '    """List the articles of the shop."""\n    return ["tea", "salt"]\n\n\n'
        'JOB = Job("shop", "knows the stock", "glassbox --job shop", "You know.", tools=lambda held: [shop__list_articles])\n'
    )
    assert UV
    for command in (["venv", "-q", "-p", sys.executable, "env"], ["pip", "install", "-q", "-p", "env", wheel, package]):
        ran = subprocess.run([UV, *command], cwd=folder, capture_output=True, timeout=HANG)
        assert ran.returncode == 0, ran.stderr.decode()
    programs = folder / "env" / ("Scripts" if os.name == "nt" else "bin")
    return {"PATH": f"{programs}{os.pathsep}{os.defpath}", "HOME": str(folder), "GLASSBOX_HOME": str(folder / "place")}


def run(environment: dict[str, str], *command: str) -> subprocess.CompletedProcess[str]:
    program = shutil.which(command[0], path=environment["PATH"])
    assert program
    return subprocess.run(
        [program, *command[1:]],
        cwd=environment["HOME"],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=HANG,
    )


def installed(environment: dict[str, str]) -> dict[str, tuple[int, int]]:
    """Every file of the package, and how it is: what must not change by a run."""
    found = next((Path(environment["HOME"]) / "env").rglob("site-packages")) / "glassbox"
    files = (path for path in found.rglob("*") if path.is_file() and path.suffix != ".pyc")
    return {str(path): (path.stat().st_size, path.stat().st_mtime_ns) for path in files}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The person's own folder of an installed package, as it is before the first start: not there."""
    monkeypatch.setattr(doors.place, "INSTALLED", True)
    monkeypatch.setattr(doors.place, "PLACE", tmp_path / "home" / "place")
    return tmp_path / "home" / "place"


def test_what_the_person_changed_in_their_place_is_never_overwritten(place: Path):
    assert doors.place.prepare()
    assert (place / "calculator" / "main.py").read_bytes() == (PROJECT / "calculator" / "main.py").read_bytes()
    assert not doors.place.prepare(), "once"
    (place / "calculator" / "main.py").write_text("# mine\n", encoding="utf-8")
    (place / "calculator" / "tests.py").unlink()
    (place / "samples").rename(place / "moved")
    assert doors.place.prepare()
    assert (place / "calculator" / "main.py").read_text(encoding="utf-8") == "# mine\n"
    assert not (place / "calculator" / "tests.py").exists()
    assert contents(place / "samples") == contents(place / "moved")
    assert {path.name for path in place.iterdir()} == {"calculator", "samples", "moved"}


@pytest.mark.parametrize(("is_installed", "most"), [(True, 1), (False, 200)])
def test_a_page_forks_a_step_many_times_where_there_is_a_bench(
    is_installed: bool, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(cli.watch, "INSTALLED", is_installed)
    watch = cli.watch.watch_of(replace(Settings(), runs_directory=tmp_path), Namespace(ask=False))
    watch.show(new_folder(tmp_path, "look"))
    page = watch.page(Request("", {}, None, "")).body
    assert isinstance(page, bytes)
    assert f'"many": {most}}}'.encode() in page


def test_a_first_start_that_the_disk_ended_is_made_good_by_the_next(place: Path, monkeypatch: pytest.MonkeyPatch):
    def full(source: Path, draft: Path) -> None:
        shutil.copytree(source, draft)
        (draft / "main.py").write_text("half", encoding="utf-8")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(doors.place, "copytree", full)
    with pytest.raises(ConfigError, match="No space left on device.*GLASSBOX_HOME"):
        doors.place.prepare()
    assert list(place.iterdir()) == []
    monkeypatch.undo()
    monkeypatch.setattr(doors.place, "INSTALLED", True)
    monkeypatch.setattr(doors.place, "PLACE", place)
    assert doors.place.prepare()
    assert contents(place / "calculator") == contents(PROJECT / "calculator")


@pytest.mark.long
def test_the_wheel_has_one_name_and_no_tests(wheel: Path):
    names = zipfile.ZipFile(wheel).namelist()
    assert {re.sub(r"-.*dist-info", "", name.split("/")[0]) for name in names} == {"glassbox"}
    assert not [name for name in names if "/tests/" in name and "/calculator/" not in name and "/samples/" not in name]
    assert not [name for name in names if name.endswith(".pyc")]


@pytest.mark.long
def test_the_main_job_a_job_of_another_package_and_the_course_run_and_write_in_the_persons_place(
    environment: dict[str, str],
):
    before = installed(environment)
    ran = run(environment, "glassbox", "fix the bug", "--provider", "offline")
    assert ran.returncode == 0, ran.stderr
    assert "glassbox --undo" in ran.stderr
    place = Path(environment["GLASSBOX_HOME"])
    assert str(place) in ran.stderr
    assert list((place / ".runs").glob("*-fix-the-bug/trace.jsonl"))
    assert "Put back pkg/calculator.py" in run(environment, "glassbox", "--undo").stderr
    assert "shop         knows the stock" in run(environment, "glassbox", "--jobs").stdout
    asked = ("glassbox", "--job", "shop", "--provider", "offline", "list the articles")
    assert "salt" in run(environment, *asked).stdout
    cited = run(environment, "glassbox", "--job", "librarian", "--provider", "offline", "How many items are there?")
    assert cited.returncode == 0, cited.stderr
    solution = run(environment, "glassbox-lessons", "solution", "1").stdout
    (place / "my_agent").mkdir(exist_ok=True)
    (place / "my_agent" / "messages.py").write_text(solution)
    checked = run(environment, "glassbox-lessons", "check", "1")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    program = 'from glassbox import Agent, AgentConfig\nprint(Agent(AgentConfig()).run("read main.py").stop_reason)'
    assert run(environment, "python", "-c", program).stdout == "answered\n"
    assert installed(environment) == before
