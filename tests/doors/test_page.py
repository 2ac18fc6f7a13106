"""The page to talk to, over HTTP: what is said, told, kept, undone and found, and that nobody sees another's."""

from __future__ import annotations

import base64
import http.client
import json
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from config import PROJECT, ConfigError, Settings
from doors.people.page.opened import Opened, pages
from doors.people.page.routes import HERE
from index import index
from jobs.notekeeper import knowledge_base
from jobs.notekeeper.job import LARGEST_TEXT
from main import run_agent
from offline.script import Call, Step, call, fail
from offline.scripted import serving

HANG = 300.0
Open = Callable[..., list["Person"]]


class Person:
    """Who sits before a page, with its address."""

    def __init__(self, opened: Opened) -> None:
        self.opened, self.server, self.notes = opened, opened.server, opened.where
        self.heard = 0

    def ask(self, what: str, body: Any = None, token: str = "") -> tuple[int, Any]:
        connection = http.client.HTTPConnection("127.0.0.1", self.server.server_port, timeout=HANG)
        headers = {"Origin": f"http://127.0.0.1:{self.server.server_port}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body)
        connection.request("POST" if data else "GET", f"/{token or self.server.token}/{what}", data, headers)
        answer = connection.getresponse()
        text = answer.read()
        return answer.status, json.loads(text) if answer.headers.get_content_type() == "application/json" else text

    def get(self, what: str) -> Any:
        status, answer = self.ask(what)
        assert status == 200, answer
        return answer

    def events(self, until: str) -> list[dict[str, Any]]:
        """What is told from the last event that was heard, up to one of a kind."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.server_port, timeout=HANG)
        connection.request("GET", f"/{self.server.token}/events?after={self.heard}")
        heard: list[dict[str, Any]] = []
        with connection.getresponse() as stream:
            while not heard or heard[-1]["kind"] != until:
                line = stream.readline()
                assert line, heard
                if line.startswith(b"data: "):
                    heard.append(json.loads(line[6:]))
                    self.heard += 1
        connection.close()
        return heard

    def say(self, text: str, **more: Any) -> dict[str, Any]:
        """Say something, wait until it is done, and return how that is told."""
        status, answer = self.ask("say", {"text": text, **more})
        assert status == 200, answer
        return self.events("ended")[-1]


def settings_for(address: str, tmp_path: Path) -> Settings:
    (tmp_path / "notes").mkdir(exist_ok=True)
    where = {"working_directory": tmp_path / "notes", "runs_directory": tmp_path / "runs"}
    return replace(Settings(), lmstudio_base_url=address, lmstudio_model="built-in", **where)


@pytest.fixture
def opens(built_in_model: str, tmp_path: Path) -> Iterator[Open]:
    """Opens pages: for one person over `tmp_path / "notes"`, or for each of these names; at this address or with the
    built-in model."""
    with ExitStack() as stack:

        def open_pages(*names: str, address: str = f"{built_in_model}/v1") -> list[Person]:
            opened = stack.enter_context(pages(settings_for(address, tmp_path), run_agent, "a model", names))
            return [Person(each) for each in opened]

        yield open_pages


def test_a_message_is_told_step_by_step_and_becomes_a_note_with_a_card_and_a_diff(opens: Open):
    (me,) = opens()
    me.ask("say", {"text": "Garlic is planted in October, 5 centimetres deep."})
    heard = me.events("ended")
    kinds = [kind for kind, _ in groupby(each["kind"] for each in heard)]  # a text comes in any number of pieces
    names = [each["name"] for each in heard if each["kind"] == "call"]
    assert kinds == ["asked", *(["call", "called"] * len(names)), "text", "ended"]
    assert names == ["kb_vector_search", "get_kb_structure", "save_note"]
    told = heard[-1]["told"]
    (card,) = told["cards"]
    assert card["what"] == "new"
    assert (me.notes / card["path"]).read_text(encoding="utf-8").endswith("5 centimetres deep.\n")
    assert "main.py" not in told["answer"], "here a button takes it back"
    assert "\n+Garlic is planted in October" in me.get(f"diff?run={told['run']}")[card["path"]]
    assert me.get("talk")["turns"] == [told], "a reload tells the same"
    assert "5 centimetres" in me.say("When is garlic planted?")["told"]["answer"]


def test_an_undo_puts_the_notes_back_and_can_be_taken_back_itself(opens: Open):
    (me,) = opens()
    told = me.say("Leeks want sand.", keep=True)["told"]
    path = me.notes / told["cards"][0]["path"]
    text = path.read_bytes()
    status, undone = me.ask("undo", {"run": told["run"]})
    assert (status, undone["note"], path.exists()) == (200, "", False)
    assert undone["undo"]
    assert me.events("turn")[-1]["told"]["undo"], "every page of the person hears of it"
    assert me.ask("undo", {"run": told["run"]})[0] == 409, "once"
    assert me.ask("undo", {"run": told["run"], "again": True})[1]["undo"] == ""
    assert path.read_bytes() == text
    assert me.get("talk")["turns"][0]["undo"] == ""


def test_in_a_large_folder_a_search_sees_at_once_what_an_undo_put_back(opens: Open, monkeypatch: pytest.MonkeyPatch):
    (me,) = opens()
    monkeypatch.setattr(knowledge_base, "QUICK", -1.0)  # as though there were too many files to look at
    monkeypatch.setattr(knowledge_base, "MOST_BY_FORMS", 0)
    monkeypatch.setattr(index, "LOOK_AGAIN", float("inf"))  # and never two seconds passed
    told = me.say("Leeks want sand.", keep=True)["told"]

    def found() -> list[str]:
        return [each["path"] for each in me.get("search?q=leeks")["found"]]

    assert found() == [told["cards"][0]["path"]]
    me.ask("undo", {"run": told["run"]})
    assert found() == []
    me.ask("undo", {"run": told["run"], "again": True})
    assert found() == [told["cards"][0]["path"]]


def test_an_undo_that_would_lose_somebodys_change_is_refused_with_the_reason(opens: Open):
    (me,) = opens()
    told = me.say("Leeks want sand.", keep=True)["told"]
    path = me.notes / told["cards"][0]["path"]
    path.write_text("my own words", encoding="utf-8")
    status, said = me.ask("undo", {"run": told["run"]})
    assert status == 409
    assert told["cards"][0]["path"] in said["error"]
    assert "--force" not in said["error"], "that is for a terminal"
    assert path.read_text(encoding="utf-8") == "my own words"


def test_nobody_sees_anything_of_another_and_a_token_opens_one_page_alone(opens: Open):
    ann, ben = opens("ann", "ben")
    told = ann.say("The secret of Ann is 4711.", keep=True)["told"]
    path = told["cards"][0]["path"]
    assert ann.get("search?q=secret")["found"]
    assert ben.get("notes") == {"folders": []}
    assert ben.get("talk")["turns"] == []
    assert ben.get("search?q=secret")["found"] == []
    assert ben.get("links")["alone"] == 0
    for what in (
        f"note?path={path}",
        f"note?path=../../{ann.notes.parent.name}/notes/{path}",
        f"diff?run={told['run']}",
    ):
        status, answer = ben.ask(what)
        assert (status, "4711" in str(answer)) == (404, False), what
    assert ben.ask("undo", {"run": told["run"]})[0] == 409
    assert "4711" not in str(ben.say("What is the secret of Ann?"))
    assert ben.ask("talk", token=ann.server.token) == (404, {"error": "there is nothing here"})
    assert (ann.notes / path).exists()


def test_a_note_is_read_by_its_path_and_nothing_else_is_whatever_a_path_leads_to(opens: Open, tmp_path: Path):
    (me,) = opens()
    (me.notes / ".hidden").mkdir()
    (tmp_path / "outside.md").write_text("outside", encoding="utf-8")
    for name, text in (
        ("a.md", "# A\n\nSee [B](b.md) and [[A]].\n"),
        ("b.md", "# B\n"),
        ("c.txt", "x"),
        (".hidden/d.md", "x"),
    ):
        (me.notes / name).write_text(text, encoding="utf-8")
    (me.notes / "link.md").symlink_to(tmp_path / "outside.md")
    note = me.get("note?path=a.md")
    assert note["links"] == [["[B](b.md)", "b.md", "B"], ["[[A]]", "a.md", "A"]]
    assert me.get("note?path=b.md")["back"] == [["a.md", "A"]]
    for path in ("../outside.md", str(tmp_path / "outside.md"), "link.md", "c.txt", ".hidden/d.md", "", "nothing.md"):
        assert me.ask(f"note?path={path}")[0] == 404, path
    assert me.get("links")["links"] == [["a.md", "b.md"]]


def test_a_search_finds_by_words_and_leaves_out_what_has_nothing_to_do_with_them(opens: Open):
    (me,) = opens()
    (me.notes / "slugs.md").write_text("---\ntitle: Slugs\n---\n\n# Slugs\n\nBeer traps help.\n", encoding="utf-8")
    (me.notes / "moon.md").write_text("# The moon\n\nIt rises late.\n", encoding="utf-8")
    (found,) = me.get("search?q=slugs")["found"]
    assert (found["path"], found["title"], found["text"]) == ("slugs.md", "Slugs", "Beer traps help.")
    assert [each["path"] for each in me.get("search?q=moo")["found"]] == ["moon.md"], "while one types"
    assert me.get("search?q=")["found"] == []


@pytest.mark.parametrize(
    ("name", "data", "status"),
    [
        ("letter.txt", b"\xef\xbb\xbfThe heating\r\nis set to 1.5 bar.", 200),
        ("photo.png", b"\x89PNG\r\n\x1a\n\0\0", 415),
        ("empty.md", b" \n", 400),
        ("book.txt", b"a" * (LARGEST_TEXT + 1), 413),
    ],
)
def test_a_file_becomes_a_note_where_it_is_text_of_a_size_that_one_note_has(
    name: str, data: bytes, status: int, opens: Open
):
    (me,) = opens()
    got, said = me.ask("file", {"name": name, "data": base64.b64encode(data).decode()})
    assert got == status, said
    if status == 200:
        (card,) = me.events("ended")[-1]["told"]["cards"]
        assert "The heating\nis set to 1.5 bar." in (me.notes / card["path"]).read_text(encoding="utf-8")
    else:
        assert said["error"].startswith(name)
        assert me.get("notes") == {"folders": []}


@pytest.mark.parametrize(
    ("what", "body", "status"),
    [
        ("say", {"text": " "}, 400),
        ("say", {"text": 3}, 400),
        ("say", ["text"], 400),
        ("say", {"text": "a" * (LARGEST_TEXT + 1)}, 413),
        ("say", {"text": "\ud800 alone"}, 415),
        ("file", {"name": "a.md", "data": "no base 64!"}, 400),
        ("undo", {"run": "../../x"}, 409),
        ("undo", {}, 409),
        ("diff?run=../x", None, 404),
        ("events?after=x", None, 400),
        ("static/../routes.py", None, 404),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence_and_changes_nothing(what: str, body: Any, status: int, opens: Open):
    (me,) = opens()
    got, said = me.ask(what, body)
    assert got == status
    assert said["error"]
    assert me.get("notes") == {"folders": []}


def model(before: Callable[[], object]) -> Callable[[str, dict[str, Any]], Step]:
    """A model that saves a note, and before its second reply does something."""

    def step(wire: str, body: dict[str, Any]) -> Step:
        if body["messages"][-1]["role"] != "tool":
            return call(Call("save_note", {"title": "Half", "content": "half done", "category": "x"}))
        return before() or call(text="Saved.")

    return step


def test_a_message_that_is_stopped_is_taken_back_and_an_undo_waits_for_what_is_under_way(opens: Open):
    asked, go_on = threading.Event(), threading.Event()

    def wait() -> None:
        asked.set()
        go_on.wait(HANG)

    with serving(script=model(wait)) as server:
        (me,) = opens(address=f"{server.address}/v1")
        me.ask("say", {"text": "work"})
        assert asked.wait(HANG)
        assert me.get("notes")["folders"], "what a run writes is seen at once"
        assert "under way" in me.ask("undo", {"run": "20260101-000000"})[1]["error"]
        assert me.get("talk")["turns"] == [], "it is told by its events until it has ended"
        me.ask("stop", {})
        assert me.events("ended")[-1]["problem"] == "Stopped. What it had changed is taken back."
        go_on.set()
    assert me.get("notes") == {"folders": []}


NOT_ALL = "Not taken back: n0.md (changed meanwhile). All else is as it was."


@pytest.mark.parametrize("how", ["stopped", "failed"])
def test_of_a_run_that_ends_early_all_is_taken_back_but_what_somebody_changed_meanwhile_which_is_named(
    how: str, opens: Open
):
    asked, go_on = threading.Event(), threading.Event()

    def edits(wire: str, body: dict[str, Any]) -> Step:
        if body["messages"][-1]["role"] != "tool":
            each = ({"file_path": f"n{n}.md", "old_text": "old", "new_text": "new"} for n in range(4))
            return call(*(Call("edit_file", arguments) for arguments in each))
        asked.set()
        go_on.wait(HANG)
        return fail(401, "no such key")

    with serving(script=edits) as server:
        (me,) = opens(address=f"{server.address}/v1")
        notes = [me.notes / f"n{number}.md" for number in range(4)]
        for note in notes:
            note.write_text("# N\n\nold\n", encoding="utf-8")
        me.ask("say", {"text": "work"})
        assert asked.wait(HANG)
        assert [note.read_text(encoding="utf-8") for note in notes] == ["# N\n\nnew\n"] * 4
        notes[0].write_text("# N\n\nnew\n\nmy own line\n", encoding="utf-8")
        me.ask("stop", {}) if how == "stopped" else go_on.set()
        problem = me.events("ended")[-1]["problem"]
        go_on.set()
    assert problem.startswith("Stopped." if how == "stopped" else "The server answered 401: no such key."), problem
    assert problem.endswith(f". {NOT_ALL}"), problem
    texts = [note.read_text(encoding="utf-8") for note in notes]
    assert texts == ["# N\n\nnew\n\nmy own line\n", *["# N\n\nold\n"] * 3]


def test_what_a_server_refuses_is_told_in_a_sentence_and_the_notes_are_as_they_were(opens: Open):
    with serving(script=model(lambda: fail(401, "no such key"))) as server:
        (me,) = opens(address=f"{server.address}/v1")
        ended = me.say("work")
        assert ended["problem"].endswith("The notes are as they were.")
        assert "key" in ended["problem"]
    assert me.get("notes") == {"folders": []}
    (turn,) = me.get("talk")["turns"]
    assert (turn["cards"], bool(turn["problem"])) == ([], True)


def test_more_messages_than_may_wait_are_refused(opens: Open):
    go_on = threading.Event()
    with serving(script=model(lambda: go_on.wait(HANG) and None)) as server:
        (me,) = opens(address=f"{server.address}/v1")
        answers = [me.ask("say", {"text": f"work {number}"})[0] for number in range(6)]
        assert answers == [200] * 5 + [429]
        me.ask("stop", {})
        go_on.set()
        assert len([each for _ in range(5) for each in me.events("ended") if each["kind"] == "ended"]) == 5


def test_the_page_is_held_to_its_own_script_and_style_and_makes_no_html_of_texts(opens: Open):
    (me,) = opens()
    connection = http.client.HTTPConnection("127.0.0.1", me.server.server_port, timeout=HANG)
    connection.request("GET", f"/{me.server.token}/")
    answer = connection.getresponse()
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "require-trusted-types-for 'script'" in policy
    assert b"http" not in answer.read(), "nothing is from elsewhere"
    for script in HERE.glob("*.js"):
        text = script.read_text(encoding="utf-8")
        assert me.ask(f"static/{script.name}")[0] == 200
        assert not any(
            way in text for way in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(")
        )


def test_a_disk_that_takes_no_folder_is_a_sentence(tmp_path: Path):
    (tmp_path / "people").write_text("no folder")
    with (
        pytest.raises(ConfigError, match="the disk refused it .*people"),
        pages(replace(Settings(), runs_directory=tmp_path), run_agent, "a model", ["ann"]),
    ):
        pass


def test_the_program_serves_a_page_for_each_person_until_ctrl_c(tmp_path: Path):
    environment = {"PATH": "/usr/bin:/bin", "RUNS_DIRECTORY": str(tmp_path / "runs"), "HOME": str(tmp_path)}
    command = [sys.executable, str(PROJECT / "main.py"), "--provider", "offline", "--page", "ann,ben"]
    refused = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", timeout=HANG)
    assert (refused.returncode, "--job notekeeper --page" in refused.stderr) == (1, True)
    with subprocess.Popen(
        [*command, "--job", "notekeeper"], env=environment, stderr=subprocess.PIPE, encoding="utf-8"
    ) as program:
        assert program.stderr
        said = [program.stderr.readline() for _ in range(5)]
        assert [line.split(":")[0].strip() for line in said[:4]] == ["ann", "Notes", "ben", "Notes"], said
        assert said[0].split("/")[3] != said[2].split("/")[3]
        program.send_signal(signal.SIGINT)
        assert program.wait(HANG) == 0
        assert program.stderr.read() == ""
