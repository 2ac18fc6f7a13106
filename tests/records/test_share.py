"""What is shown of a run to others: the explanation of each step, the animation, and what is taken out of both."""

from __future__ import annotations

import json
import re
import subprocess
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path

import pytest
from scripted import scripted
from test_player import ATTACKS, attacked

from config import PROJECT
from records.explain import EXPLANATIONS, explained
from records.folders import folders, new_folder
from records.page import page_of, run_data, write_page, write_picture
from records.picture import MOST_ROWS, picture_of, shortened, timed
from records.share import to_share

Main = Callable[..., subprocess.CompletedProcess[str]]
EDIT = ("edit_file", {"file_path": "pkg/calculator.py", "old_text": '"+": 3,', "new_text": '"+": 1,'})
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def run(run_main: Main, calculator: Path, tmp_path: Path) -> Path:
    (calculator / "notes.txt").write_text(f"AKIAABCDEFGHIJKLMNOP\nsk-{'a1' * 20} {Path.home()}/x\n", encoding="utf-8")
    read = ("get_file_content", {"file_path": "notes.txt"})
    with scripted(
        ("I look.", [read]), ("I edit.", [EDIT]), ("", [("run_tests", {"path": "."})]), ("It is fixed.", [])
    ) as model:
        kept = {"RUNS_DIRECTORY": str(tmp_path / "kept")}
        ran = run_main("fix <it> & smile", "--workdir", str(calculator), **model.environment("lmstudio"), **kept)
        assert ran.returncode == 0, ran.stderr
    return folders(tmp_path / "kept")[0]


@pytest.mark.parametrize("kind", EXPLANATIONS)
def test_an_explanation_names_a_line_that_is_there_and_a_lesson(kind: str):
    each = EXPLANATIONS[kind]
    lines = (PROJECT / each.file).read_text(encoding="utf-8").splitlines()
    assert each.code in lines[explained()[kind]["line"] - 1]
    assert list((PROJECT / "docs" / "lessons").glob(f"{each.lesson:02}_*.md"))
    assert len(each.did) < 120
    assert len(each.otherwise) < 120


def test_a_run_is_an_animation_that_fetches_nothing_and_runs_no_script(run: Path):
    text = write_picture([run]).read_text(encoding="utf-8")
    root = ElementTree.fromstring(text)
    shown = [each.text or "" for each in root.iter(f"{SVG}text")]
    assert shown[0] == "fix <it> & smile"
    assert any("✓ edit_file pkg/calculator.py" in line for line in shown)
    assert '      + "+": 1,' in shown
    assert "It is fixed." in shown
    assert {each.tag for each in root.iter()} == {f"{SVG}{name}" for name in ("svg", "style", "rect", "text")}
    assert re.findall(r"https?://[^\"<]+", text) == ["http://www.w3.org/2000/svg"]
    assert "@import" not in text
    assert "prefers-reduced-motion" in text


def test_attacks_are_text_in_the_animation(tmp_path: Path):
    folder = attacked(new_folder(tmp_path / "runs", "attacks"), tmp_path / "work")
    root = ElementTree.fromstring(picture_of([run_data(folder), run_data(folder)]).encode("utf-8", "replace"))
    assert {each.tag for each in root.iter()} == {f"{SVG}{name}" for name in ("svg", "style", "rect", "text")}
    assert any(ATTACKS[0] in (each.text or "") for each in root.iter(f"{SVG}text"))


def test_a_long_run_is_shortened_and_a_long_wait_as_well():
    from records.picture import Row

    rows = shortened([Row(float(number), "", str(number)) for number in range(500)])
    assert len(rows) == MOST_ROWS + 1
    assert rows[MOST_ROWS // 2].text == f"  … {500 - MOST_ROWS:,} more lines …"
    assert max(timed([0.0, 3600.0]).values()) < 3


def test_keys_and_the_home_are_in_nothing_that_is_shared(run: Path):
    for file in (write_page([run]), write_picture([run])):
        text = file.read_text(encoding="utf-8")
        assert "AKIAABCDEFGHIJKLMNOP" not in text
        assert "sk-a1a1" not in text
    data = json.loads(
        re.findall(r'id="data">(.*?)</script>', write_page([run]).read_text(encoding="utf-8"), re.DOTALL)[0]
    )
    assert "[key removed]\\n[key removed] ~/x" in json.dumps(data)
    assert "AKIAABCDEFGHIJKLMNOP" in page_of([run_data(run)]), "the record itself is left alone"


@pytest.mark.parametrize(
    "key",
    [f"AIza{'x' * 35}", f"ghp_{'y' * 36}", f"github_pat_{'z' * 30}", f"xoxb-{'1' * 12}", "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----\ncut off"],
)  # fmt: skip
def test_what_looks_like_a_key_is_taken_out(key: str):
    assert to_share({"a": [f"before\n{key}"]}) == {"a": ["before\n[key removed]"]}
    assert to_share(["task-force ask-me-anything-at-all-please", 5, None]) == [
        "task-force ask-me-anything-at-all-please",
        5,
        None,
    ]


def test_the_size_of_what_is_shared_is_told(run: Path, run_main: Main):
    for option in ("--view", "--svg"):
        ran = run_main(option, "", RUNS_DIRECTORY=str(run.parent), DISPLAY="", WAYLAND_DISPLAY="")
        assert ran.returncode == 0
        assert re.search(r"One file of [\d,]+ kB that needs no network", ran.stderr)
        assert Path(ran.stdout.strip()).is_file()
