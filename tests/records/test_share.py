"""What is shown of a run to others: the explanation of each step, the animation, and what is taken out of both."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import time
import urllib.parse
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scripted import scripted
from test_player import ATTACKS, attacked

from agent.contracts import Reply, TokenUsage
from agent.run import Run
from agent.setup import Setup
from config import PROJECT
from records.explain import EXPLANATIONS, explained
from records.folders import folders
from records.keys import keys_in
from records.page import page_of, parent_first, run_data, shareable, write_page, write_picture
from records.picture import MOST_ROWS, picture_of, rows_of, shortened, timed
from records.share import REMOVED, to_share
from records.story import parting_of
from records.trace import Trace, new_folder
from sandbox.files.root import Root

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
    assert list((PROJECT / "lessons").glob(f"{each.lesson:02}_*/README.md"))
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


def test_a_fork_beside_its_parent_is_told_as_a_story():
    parent, fork = json.loads((PROJECT / "datasets" / "story.json").read_text(encoding="utf-8"))
    parting = parting_of(parent, fork)
    assert parting is not None
    assert (parting.step, parting.changes) == (9, [("+", 'suspect: pkg/calculator.py:19: "+": 3,')])
    text = picture_of(parent_first([fork, parent]))
    root = ElementTree.fromstring(text)
    places = {each.text: (int(each.get("x", "")), int(each.get("y", ""))) for each in root.iter(f"{SVG}text")}
    wrong, back, right = (
        next(place for said, place in places.items() if said and words in said)
        for words in ("multiplication operator", "back to step 9", "wrong is `+`")
    )
    assert wrong[0] < back[0] == right[0]
    bar = next(each for each in root.iter(f"{SVG}rect") if each.get("class") == "back")
    assert 0 <= back[1] - int(bar.get("y", "")) < 20, "what was changed stands beside the step that it was changed at"
    assert (PROJECT / "docs" / "story.svg").read_text(encoding="utf-8") == text, "drawn by docs/picture.py"


def test_runs_that_are_no_fork_of_each_other_stand_side_by_side():
    parent, fork = json.loads((PROJECT / "datasets" / "story.json").read_text(encoding="utf-8"))
    assert parting_of(fork, parent) is None
    assert parting_of(parent, {**fork, "events": parent["events"]}) is None
    assert "back to step" not in picture_of([fork, parent])


@pytest.mark.parametrize("message", [{"content": "[Glassbox] No."}, {"parts": [{"text": "[Glassbox] No."}]}])
def test_what_a_gate_said_is_in_the_animation_on_either_wire(message: dict[str, Any]):
    events = [{"kind": "message", "at": 1.0, "message": {"role": "user", **message}}]
    assert [row.text for row in rows_of(events)] == ["[Glassbox] No."]


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


SHAPES = {  # all invented; put together here, so that no scanner takes them for somebody's
    "sk-proj": "sk-" + "proj-" + "Ab3" * 15,
    "sk-ant": "sk-" + "ant-api03-" + "Zx9" * 20,
    "AWS": "AKIA" + "IOSFODNN7EXAMPLE",
    "AWS secret": "aws_secret_access_key = " + "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "Google OAuth": "ya29." + "a0AfH6SMBx" + "q8" * 30,
    "Stripe": "sk_" + "live_4eC39HqLyjWDarjtT1zdp7dc",
    "Stripe restricted": "rk_" + "live_4eC39HqLyjWDarjtT1zdp7dc",
    "npm": "npm_" + "aB3" * 12,
    "PyPI": "pypi-" + "AgEIcHlwaS5vcmc" + "Zx9" * 20,
    "Groq": "gsk_" + "aB3" * 17,
    "xAI": "xai-" + "aB3" * 20,
    "Telegram": "123456789:" + "AAHdqTcvCH1vGWJxfSeofSAs0K5PALDs",
    "SendGrid": "SG." + "a" * 22 + "." + "b" * 43,
    "JSON web token": "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0NTY3ODkwIn0." + "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
    "database address": "postgres://admin:hunter2secret@db.example/x",
    "basic authentication": "https://bob:s3cr3tpassw0rd@example.com/x",
    "query": "https://api.example/x?api_key=0123456789abcdef0123456789abcdef",
    "bearer": "Authorization: Bearer 0123456789abcdef0123456789abcdef",
    "password of a setting": "DB_PASSWORD=correct-horse-battery",
    "key of a setting": "MISTRAL_API_KEY=aBcDeFgHiJkLmNoPqRsTuVwXyZ012345",
    "LangSmith": "lsv2_pt_" + "0a" * 16 + "_" + "0b" * 5,
    "Slack hook": "https://hooks.slack.com/services/" + "T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
    "Replicate": "r8_" + "aB3" * 12,
    "over two lines": "sk-" + "a1" * 8 + "\\\n" + "a1" * 12,
    "in base64": base64.b64encode(("sk-" + "a1" * 20).encode()).decode(),
    "encoded for an address": "key%3Dsk-" + "a1" * 20,
    "private key in JSON": json.dumps("-----BEGIN " + "PRIVATE KEY-----\nMIIsecret\n-----END PRIVATE KEY-----"),
    "private key behind a letter": "x-----BEGIN " + "OPENSSH PRIVATE KEY-----\nb3Bl\n-----END OPENSSH PRIVATE KEY-----",
    "behind an underscore": "KEY_sk-" + "a1" * 20,
    "GitHub of a server": "ghs_" + "a1" * 18,
    "GitLab": "glpat-" + "a1" * 10,
    "Hugging Face": "hf_" + "aB" * 17,
    "Azure": "AccountKey=" + base64.b64encode(b"k" * 64).decode(),
    "Discord": "MTk4NjIyNDgzNDcxOTI1MjQ4." + "Cl2FMQ." + "ZnCjm1XVW7vRze4b7Cq4se7kKWs",
    "netrc": "machine x login bob password s3cr3tpassw0rd",
    "age": "AGE-SECRET-KEY-1" + "Q" * 58,
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_a_known_shape_of_a_key_is_taken_out_and_counted(shape: str):
    found: Counter[str] = Counter()
    assert REMOVED in to_share(f"before {SHAPES[shape]} after", found)
    assert found.total() == 1


ORDINARY = (
    "max_tokens=4096 total_tokens: 123",
    "token = tokenizer.next_token()",
    "password = getpass.getpass()",
    'API_KEY = os.environ["API_KEY"]',
    "secret_key=settings.secret_key",
    "self.password = password",
    "tokens=12345678901234567890",
    "key=lambda reading: reading[1]",
    "https://example.com:8080/x@y http://[::1]:80",
    "c79377e8f0a833a0b1aa6f3aa6e8b53c6c97a4d2 is a commit",
    "desk-lamp-and-other-furniture-of-the-house, task-force",
    "from records.share import to_share, events_to_share",
)


@pytest.mark.parametrize("text", ORDINARY)
def test_what_only_speaks_of_keys_is_left(text: str):
    assert to_share(text) == text


def test_the_project_itself_holds_next_to_nothing_that_looks_like_a_key():
    files = [
        path for room in ("agent", "cli", "functions", "records", "live") for path in (PROJECT / room).rglob("*.py")
    ]
    taken = {path.name: span for path in files for span in keys_in(path.read_text(encoding="utf-8"))}
    assert not taken


def test_a_key_that_was_streamed_in_pieces_is_in_no_page(tmp_path: Path):
    key = "sk-" + "Q7w" * 14
    text = f"The key is {key} ok."
    pieces = [text[at : at + 6] for at in range(0, len(text), 6)]
    folder = new_folder(tmp_path, f"use {key} for it")
    with Root(tmp_path) as root:
        trace = Trace(folder, {"prompt": "x", "provider": "offline"})
        trace.text_seconds = -1.0  # each piece is a line of its own
        run = Run(Setup("offline", root), [trace])
        run.asking()
        for piece in pieces:
            run.text(piece)
        run.replied(Reply(text, (), TokenUsage(), "stop", {}))
        run.asking()
        run.text("and more")
        run.finish("answered")
        trace.close()
    found: Counter[str] = Counter()
    (shared,) = shareable([folder], found)
    streamed = [event["text"] for event in shared["events"] if event["kind"] == "text"]
    assert "".join(streamed) == f"The key is {REMOVED} ok.and more"
    assert len(streamed) == len(pieces) + 1
    assert key not in json.dumps(shared)
    assert "q7wq7w" not in folder.name
    assert found == {"OpenAI, Anthropic and others (sk-)": 2}, "in the reply and in the answer"


def test_a_key_as_a_name_is_taken_out_too():
    assert to_share({"sk-" + "a1" * 20: {"kind": 1}}) == {REMOVED: {"kind": 1}}


@pytest.mark.parametrize("way", [str, lambda home: urllib.parse.quote(home, safe=""), lambda home: f"file://{home}"])
def test_the_home_is_found_as_a_path_is_written(way: Callable[[str], str]):
    assert str(Path.home()) not in to_share(way(str(Path.home())) + "/x")
    assert to_share(way(str(Path.home())) + "/x") != way(str(Path.home())) + "/x"
    assert to_share({str(Path.home()): 1}) == {"~": 1}


@pytest.mark.long
def test_a_large_text_is_looked_through_in_little_time():
    line = "def tokenise_the_words(text: str) -> list[str]:  # aaaa_bbbb.cccc-dddd_eeee a.b.c.d.e f_g_h\n"
    texts = [
        line * 10_000,
        "a_" * 500_000,
        "A" * 1_000_000,
        "http://" * 100_000,
        "eyJ" * 300_000,
        "x-----BEGIN " * 50_000,
    ]
    for text in texts:
        began = time.process_time()
        to_share(text)
        assert time.process_time() - began < 5, text[:20]


def test_what_was_taken_out_is_said_before_the_page_is_there_to_be_shared(run: Path, run_main: Main):
    ran = run_main("--view", "", RUNS_DIRECTORY=str(run.parent), DISPLAY="", WAYLAND_DISPLAY="")
    assert re.search(r"Taken out.*AWS.*OpenAI.*your home directory", ran.stderr), ran.stderr


def test_the_size_of_what_is_shared_is_told(run: Path, run_main: Main):
    for option in ("--view", "--svg"):
        ran = run_main(option, "", RUNS_DIRECTORY=str(run.parent), DISPLAY="", WAYLAND_DISPLAY="")
        assert ran.returncode == 0
        assert re.search(r"One file of [\d,]+ kB that needs no network", ran.stderr)
        assert Path(ran.stdout.strip()).is_file()
