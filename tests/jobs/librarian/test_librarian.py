"""The librarian: its tools, its gate on sources, its settings, and the shipped library with its backend."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from browser import CHROMIUM, browser, untroubled
from scripted import scripted

from config import PROJECT, ConfigError, Settings, load_settings
from jobs.job import job_named
from jobs.librarian.citing import MOST_NAMED, cited, invented, objection, seen_in
from jobs.librarian.endpoints import _lines
from jobs.librarian.settings import LibrarianSettings
from jobs.librarian.summary import summary
from jobs.librarian.tools.list_files import list_files
from jobs.librarian.tools.query_api import described, query_api, reads_only
from jobs.librarian.tools.read_file import read_file
from jobs.librarian.tools.search_docs import search_docs
from offline.librarian.steps import piece
from reach.api import Api
from reach.paths import ApiRefusal
from sandbox.files.root import Root

KEY = "pineapple-4711"
LIBRARY = PROJECT / "samples" / "library"
ITEMS = [{"id": number, "name": f"item {number}", "owner": number % 3 or None} for number in range(1, 401)]
OPENAPI = {
    "paths": {
        "/items/": {
            "get": {
                "summary": "All items",
                "parameters": [
                    {"name": "owner", "in": "query", "schema": {"type": "integer"}},
                    {"name": "limit", "in": "query", "schema": {"type": "integer", "maximum": 500}},
                ],
            },
            "post": {"summary": "Add one"},
        },
        "/broken": {"get": {}},
    }
}
GUIDE = "# Guide\n\n## Resolving conflicts\n\nOpen the file, keep what you want, then stage it with `git add`.\n\n## Other\n\nNothing.\n"


class SmallApi(BaseHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        seen.append((self.path, self.headers.get("Authorization")))
        answers = {"/openapi.json": OPENAPI, "/items/": ITEMS, "/echo": {"you sent": self.headers.get("Authorization")}}
        body = json.dumps(answers.get(self.path.partition("?")[0], {"detail": "Not found"})).encode()
        status = 200 if self.path.partition("?")[0] in answers else 404
        locked = self.path == "/private" and self.headers.get("Authorization") is None
        self.send_response(401 if locked else status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET


seen: list[tuple[str, str | None]] = []


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), SmallApi) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.fixture
def api(address: str) -> Iterator[Api]:
    with Api(address, KEY) as opened:
        yield opened


@pytest.fixture
def place(project) -> Path:
    return project(
        {
            "wiki/guide.md": GUIDE,
            "app/main.py": '"""App."""\n\n\ndef run():\n    """Runs."""\n    return 1\n',
            ".env.docker.secret": f"LMS_API_KEY={KEY}\n",
        }
    )


# The tools


def test_a_directory_is_listed_a_name_a_line(place: Path):
    assert list_files(place) == ".env.docker.secret\napp/\nwiki/"
    assert list_files(place, "wiki") == "guide.md"
    assert list_files(place, "wikis").startswith('Error: "wikis" is not a directory')
    assert "outside the permitted working directory" in list_files(place, "..")


def test_a_section_is_read_by_its_anchor_and_says_where_it_stands(place: Path):
    text = read_file(place, "wiki/guide.md#resolving-conflicts")
    assert text.startswith("[wiki/guide.md#resolving-conflicts: lines 3-6 of 9]\n## Resolving conflicts\n")
    assert "Other" not in text
    assert text.sources == [("wiki/guide.md", [(3, 6)])]


def test_a_function_is_read_by_its_line(place: Path):
    assert read_file(place, "app/main.py:5").startswith("[app/main.py: lines 4-6 of 6]\ndef run():")


def test_a_section_that_is_not_there_is_answered_with_those_that_are(place: Path):
    assert read_file(place, "wiki/guide.md#nope").endswith("Its sections: guide, resolving-conflicts, other")
    assert "so there is no line 99" in read_file(place, "app/main.py:99")


def test_a_long_file_says_how_to_read_on_with_a_path(project):
    place = project({"long.md": "".join(f"line {number}\n" for number in range(1, 3001)) + "start_line=1\n"})
    first = read_file(place, "long.md")
    last = int(first.rpartition("Read on with path=long.md:")[2].rstrip(".]"))
    assert f"line {last - 1}\n" in first
    assert read_file(place, f"long.md:{last}").splitlines()[1] == f"line {last}"
    assert read_file(place, "long.md:2990").endswith("start_line=1")


@pytest.mark.parametrize("name", [".env", ".env.docker.secret", "x/.ENV.local", "keys.secret", ".env#a", ".env:1"])
def test_a_file_for_secrets_is_not_read(place: Path, name: str):
    assert read_file(place, name).startswith("Error: ")
    assert "may hold a secret" in read_file(place, name)


def test_a_document_in_windows_encoding_is_found_read_and_cited_and_the_result_says_how_it_was_read(
    place: Path, tmp_path: Path
):
    (place / "wiki/alt.md").write_bytes("# Übersicht\r\n\r\nDie Größe der Pumpe.\r\n".encode("cp1252"))
    text = read_file(place, "wiki/alt.md")
    how = "read as Windows-1252, as it is not UTF-8"
    assert text == f"[wiki/alt.md: lines 1-3 of 3, {how}]\n# Übersicht\n\nDie Größe der Pumpe.\n"
    assert read_file(place, "wiki/alt.md#übersicht").startswith(f"[wiki/alt.md#übersicht: lines 1-3 of 3, {how}]\n")
    with Root(place) as root, job_named("librarian").opens(Settings(runs_directory=tmp_path), root, print) as held:
        assert search_docs(held["index"], "Größe der Pumpe").startswith("wiki/alt.md#übersicht | Übersicht | ")
        assert objection(("wiki/alt.md",), seen_in(text.sources), root) == ""
    told = piece("wiki/alt.md", text)
    assert (told.place, told.text.splitlines()[0]) == ("wiki/alt.md", "# Übersicht")


def test_a_document_that_was_cut_within_a_letter_stays_utf_8_and_what_is_no_text_is_refused(place: Path):
    (place / "cut.md").write_bytes("Die Größe der Tür".encode()[:-2])
    assert read_file(place, "cut.md") == (
        "[cut.md: lines 1-1 of 1, read as UTF-8 but for 1 bytes]\nDie Größe der T\ufffd"
    )
    for data in (b"\x89PNG\r\n\x1a\n\xff\xfe\xfd", b"text\0", "wide".encode("utf-16"), b"\x8d\x8f\x9d"):
        (place / "cut.md").write_bytes(data)
        assert read_file(place, "cut.md") == 'Error: Cannot read "cut.md" as it is no text in UTF-8 or Windows-1252'


NOTEBOOK = {
    "cells": [
        {"cell_type": "markdown", "source": ["# Pumps\n", "\n", "## Leaks"]},
        {"cell_type": "code", "source": "# no heading\nmend_the_valve()", "outputs": [{"text": "a long picture"}]},
        {"cell_type": "raw", "source": "not shown"},
    ],
    "nbformat": 4,
}


def test_a_notebook_is_found_read_and_cited_as_the_text_of_its_cells(place: Path, tmp_path: Path):
    (place / "pumps.ipynb").write_text(json.dumps(NOTEBOOK))
    text = read_file(place, "pumps.ipynb#leaks")
    assert text == (
        "[pumps.ipynb#leaks: lines 3-8 of 8, the text of its cells]\n## Leaks\n\n```\n# no heading\nmend_the_valve()\n```"
    )
    assert "picture" not in read_file(place, "pumps.ipynb")
    with Root(place) as root, job_named("librarian").opens(Settings(runs_directory=tmp_path), root, print) as held:
        assert search_docs(held["index"], "mend the valve").startswith("pumps.ipynb#leaks | Pumps > Leaks | ")
        assert objection(("pumps.ipynb#leaks",), seen_in(text.sources), root) == ""


@pytest.mark.parametrize("broken", ["", "{}", "[1]", '{"cells": [1]}', '{"cells": [{"source": 1}]}', "[" * 100_000])
def test_what_is_no_notebook_is_refused_and_named_among_what_is_not_searched(place: Path, tmp_path: Path, broken: str):
    (place / "bad.ipynb").write_text(broken)
    assert read_file(place, "bad.ipynb") == 'Error: Cannot read "bad.ipynb" as it is no notebook with cells'
    with Root(place) as root, job_named("librarian").opens(Settings(runs_directory=tmp_path), root, print) as held:
        assert "[Not searched: bad.ipynb (no notebook with cells)]" in search_docs(held["index"], "conflicts")


def test_what_a_notebook_holds_that_is_no_letter_breaks_neither_the_search_nor_the_reading(place: Path, tmp_path: Path):
    cells = [{"cell_type": "markdown", "source": "A \ud83d valve\0 ````"}, {"cell_type": "code", "source": "a = '```'"}]
    (place / "odd.ipynb").write_text(json.dumps({"cells": cells}))
    assert "A ? valve ````\n\n````\na = '```'\n````" in read_file(place, "odd.ipynb")
    with Root(place) as root, job_named("librarian").opens(Settings(runs_directory=tmp_path), root, print) as held:
        assert search_docs(held["index"], "valve").startswith("odd.ipynb | ")


def test_source_of_any_common_language_is_searched(place: Path, tmp_path: Path):
    endings = ("cpp", "cc", "hpp", "cs", "java", "php", "rb", "kt", "swift", "scala", "lua", "pl", "R", "tsx", "proto")
    for ending in endings:
        (place / f"valve.{ending}").write_text(f"int open_the_valve_{ending}() {{ return 1; }}\n")
    with Root(place) as root, job_named("librarian").opens(Settings(runs_directory=tmp_path), root, print) as held:
        for ending in endings:
            assert f"valve.{ending} | " in search_docs(held["index"], f"open_the_valve_{ending}")


def test_files_of_kinds_that_are_not_searched_are_counted_with_one_of_each_kind_named_first(
    place: Path, tmp_path: Path
):
    for name in (*(f"pictures/{number}.png" for number in range(9)), "manual.pdf"):
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_bytes(b"\0")
    with Root(place) as root, job_named("librarian").opens(Settings(runs_directory=tmp_path), root, print) as held:
        said = search_docs(held["index"], "zebras").splitlines()[-1]
        assert "Not searched" not in search_docs(held["index"], "conflicts")
    named = ".env.docker.secret, manual.pdf, pictures/0.png, pictures/1.png, pictures/2.png and 6 more"
    assert said == f"[Not searched: 11 of other kinds: {named}]"


def test_of_many_files_that_are_not_searched_it_says_how_many_more_there_are(place: Path, tmp_path: Path):
    for number in range(10):
        (place / f"{number}.md").write_bytes(b"\0")
    with Root(place) as root, job_named("librarian").opens(Settings(runs_directory=tmp_path), root, print) as held:
        assert "7.md (no text in UTF-8 or Windows-1252) and 2 more]" in search_docs(held["index"], "conflicts")


def test_a_search_says_which_words_stand_nowhere_and_which_files_it_left_out(place: Path, tmp_path: Path):
    (place / "large.md").write_text("x " * (1 << 20))
    with (
        Root(place) as root,
        job_named("librarian").opens(Settings(runs_directory=tmp_path / "r"), root, print) as held,
    ):
        said = search_docs(held["index"], "How do zebras resolve conflicts?").splitlines()
    assert said[0].startswith("wiki/guide.md#resolving-conflicts | ")
    left_out = "large.md (larger than 1 MiB); 1 of other kinds: .env.docker.secret"
    assert said[-2:] == ["[Stands nowhere: zebras]", f"[Not searched: {left_out}]"]


def test_documents_come_before_source_and_change_logs_and_tests_last_unless_they_are_asked_for(
    place: Path, tmp_path: Path
):
    for name, text in {
        "CHANGES.md": "# Fixed\n\nThe frobnicator frobnicates.\n",
        "use.md": "# Use\n\nStart it, then look: it may frobnicate for a while.\n",
        "tests/test_it.py": "def test_frobnicate():\n    frobnicate()\n",
        "it.py": "def other():\n    frobnicate()\n",
    }.items():
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_text(text)
    with (
        Root(place) as root,
        job_named("librarian").opens(Settings(runs_directory=tmp_path / "r"), root, print) as held,
    ):
        said = [line.partition(" | ")[0] for line in search_docs(held["index"], "How do I frobnicate?").splitlines()]
        asked = search_docs(held["index"], "Which version frobnicates?")
    named = [each for each in said if each.startswith(("CHANGES", "use", "tests", "it"))]
    assert named == ["use.md#use", "CHANGES.md#fixed", "it.py", "tests/test_it.py"]
    assert asked.index("CHANGES.md") < asked.index("it.py")


def test_an_anchor_that_ends_in_underscores_and_a_folder_that_begins_with_a_dot_are_sources():
    text = "So it is.\n\nSource: **`.github/a.md#the-__init__`**, _docs/b.md_."
    assert cited(text).sources == (".github/a.md#the-__init__", "docs/b.md")


def test_an_answer_of_the_api_is_json_with_its_status_and_a_list_has_its_count(api: Api):
    answer = json.loads(query_api(api, "GET", "/items/?limit=500"))
    assert (answer["status_code"], answer["count"]) == (200, 400)
    assert len(answer["body"]) == 10_000
    assert "narrow it" in answer["note"]
    assert answer["fields"]["owner"] == {"different": 2, "empty": 133, "least": 1, "most": 2}
    assert json.loads(query_api(api, "GET", "/nope"))["status_code"] == 404


def test_a_model_that_left_the_key_out_is_told_how_to_send_it(api: Api):
    assert "leave auth out" in json.loads(query_api(api, "GET", "/private", auth=False))["note"]
    assert "note" not in json.loads(query_api(api, "GET", "/private"))


def test_without_auth_the_key_is_not_sent(api: Api):
    query_api(api, "GET", "/items/", auth=False)
    assert seen[-1] == ("/items/", None)
    query_api(api, "GET", "/items/")
    assert seen[-1] == ("/items/", f"Bearer {KEY}")


def test_what_cannot_be_asked_is_a_sentence_to_the_model(api: Api):
    assert query_api(api, "POST", "/items/", "{}").startswith("Error: POST may change something")
    assert query_api(api, "GET", "http://evil.example/").startswith("Error: The path must begin with one slash")


def test_a_call_reads_only_by_its_method():
    assert [reads_only({"method": method}) for method in ("GET", "head", "POST", "")] == [True, True, False, False]


def test_the_description_lists_the_apis_own_endpoints(api: Api):
    text = described(api)["description"]
    assert "GET /items/?owner=&limit=(at most 500) - All items\nPOST /items/ - Add one\nGET /broken" in text


def test_the_description_says_of_a_parameter_what_the_schema_says():
    told = [
        {"name": "kind", "in": "query", "required": True, "schema": {"enum": ["weekly", "monthly"]}},
        {"name": "team", "in": "query", "schema": {"anyOf": [{"type": "integer", "maximum": 9}, {"type": "null"}]}},
        {"name": "day", "in": "query", "example": "monday", "schema": {}},
        {"name": "who", "in": "path", "required": True, "schema": {}},
    ]
    assert _lines({"paths": {"/r/{who}": {"get": {"parameters": told}}}}) == [
        "GET /r/{who}?kind=(required weekly|monthly)&team=(at most 9)&day=(monday)"
    ]


@pytest.mark.parametrize("text", ["", "not json", "[" * 5000, '{"a": 1}', "null"])
def test_what_is_no_list_has_no_count(text: str):
    assert summary(text, fields=True) == {}


def test_a_list_of_mixed_things_is_counted():
    assert summary('[1, {"a": 1}, {"a": "x"}, {"a": null}]', fields=True) == {
        "count": 4,
        "fields": {"a": {"different": 2, "empty": 1}},
    }


# The gate on sources


@pytest.mark.parametrize(
    ("text", "sources"),
    [
        ("It is so.\n\nSource: wiki/a.md#b", ("wiki/a.md#b",)),
        ("**Source:** `wiki/a.md#b`.", ("wiki/a.md#b",)),
        ("Sources: [a](wiki/a.md#b), app/main.py:4 and API endpoint GET /items/", ("wiki/a.md#b", "app/main.py:4", "API endpoint GET /items/")),
        ("The source of truth: none", ()),
        ("It uses Flask. Source: app/main.py:3", ("app/main.py:3",)),
    ],
)  # fmt: skip
def test_sources_are_found_however_they_are_marked(text: str, sources: tuple[str, ...]):
    assert cited(text).sources == sources


def test_a_source_of_very_many_brackets_that_nothing_closes_is_read_in_one_go():
    before = time.process_time()
    assert cited("It is so.\n\nSource: " + "](" * 20_000 + " [the guide](wiki/guide.md)").sources == ("wiki/guide.md",)
    assert time.process_time() - before < 1


@pytest.mark.parametrize("name", ["Backup and Restore.md", "Setup, part 1.md", "C#.md", "a; b and c.md"])
def test_a_file_is_cited_whatever_its_name_holds(name: str, place: Path, address: str):
    (place / name).write_text("# Herons\n\nThe heron is called Hubert.\n\n## Food\n\nThe heron eats frogs.\n")
    for source in (name, f"{name}#food", f"{name}#food and wiki/guide.md"):
        read = ("", [("read_file", {"path": each}) for each in (name, f"{name}#food", "wiki/guide.md")])
        result, _ = ask_scripted(place, address, read, (f"It is Hubert.\n\nSource: {source}", []))
        assert (result.errors, result.report["status"]) == ((), "answered")
        assert result.report["source"] == source.replace("#food and", "#food,")


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("wiki/guide.md#resolving-conflicts", ""),
        ("wiki/guide.md", "only lines 3-6"),
        ("app", ""),
        ("API endpoint GET /items/", ""),
        ("GET /items", ""),
        ("wiki/guide.md#other", "was not read in this run"),
        ("wiki/guide.md#nope", "has no section #nope. There are: #"),
        ("wiki/none.md", "There is no file"),
        ("app/main.py:4", "was not read in this run"),
        ("../secret.md", "is no source"),
        ("GET /learners/", "was not called in this run"),
    ],
)
def test_a_source_must_be_there_and_must_have_been_read(place: Path, source: str, says: str):
    shown = seen_in([("wiki/guide.md", [(3, 6)]), ("app", []), ("API endpoint GET /items/?limit=1", [])])
    with Root(place) as root:
        said = objection((source,), shown, root)
    assert said == "" if not says else says in said


def test_of_many_sections_the_nearest_to_the_one_that_is_missing_are_named(tmp_path: Path):
    names = [f"chapter-{letter * 9}" for letter in "abcdefghij"] + ["merging-branches"]
    (tmp_path / "long.md").write_text("".join(f"# {name}\n\n" for name in names))
    (tmp_path / "flat.md").write_text("no heading\n")
    with Root(tmp_path) as root:
        said = objection(("long.md#merge-branches",), {"long.md": [(1, 22)]}, root)
        assert "has no section #merge-branches. The nearest: #merging-branches, " in said
        assert said.count("#chapter") == MOST_NAMED - 1
        assert "It has none: name the file" in objection(("flat.md#any",), {"flat.md": [(1, 1)]}, root)


@pytest.mark.parametrize(
    ("text", "sources", "forged"),
    [
        ("It was Ada.\nSource: Wikipedia\nShe wrote.\n\nSource: a.md", ("a.md",), "Source: Wikipedia"),
        ("It was Ada.\n> Source: Wikipedia\n\nSource: a.md", ("a.md",), ""),
        ("It was Ada.\n```\nSource: Wikipedia\n```\nSource: a.md\nSource: b.md\n", ("a.md", "b.md"), ""),
        ("Source: Wikipedia says so", ("Wikipedia says so",), ""),
        ("Source: Wikipedia\n\nIt was Ada.", (), "Source: Wikipedia"),
    ],
)
def test_only_the_last_lines_name_sources_and_one_before_them_is_a_forged_one(text, sources, forged):
    assert (cited(text).sources, cited(text).forged) == (sources, forged)


@pytest.mark.parametrize(
    ("answer", "is_invented"),
    [
        ('It says "keep what you want, then stage it".', False),
        ('It says "Open the file, ... then stage it with git add".', False),
        ('It says "delete the whole file and start over".', True),
        ("It says \u201cdelete the whole file and start over\u201d.", True),
        ("> Delete the whole file\n> and start over.", True),
        ("> Open the file,\n> keep what you want", False),
        ('The button is "Delete all".', False),
        ('```\nprint("delete the whole file and start")\n```', False),
    ],
)
def test_a_quotation_is_held_word_for_word_against_what_was_read(answer: str, is_invented: bool):
    assert bool(invented(answer, [GUIDE])) is is_invented


def test_a_file_whose_first_page_was_read_may_be_cited_and_one_of_which_a_part_was_read_not(project):
    text = "".join(f"line {number} of many\n" for number in range(1, 3001))
    place = project({"long.txt": text})
    for path, holds in (("long.txt", True), ("long.txt:2990", False)):
        with Root(place) as root:
            assert (objection(("long.txt",), seen_in(read_file(place, path).sources), root) == "") is holds


def ask_scripted(place: Path, address: str, *replies: object, wire: str = "openai"):
    settings = Settings(jobs=(LibrarianSettings(address, KEY),), working_directory=place)
    job = job_named("librarian")
    with scripted(*replies) as server, Root(place) as root, job.opens(settings, root, lambda line: None) as resources:
        if wire == "gemini":
            from providers.gemini import run_agent

            settings = replace(settings, gemini_base_url=server.address, gemini_api_key="x")
        else:
            from main import run_agent

            settings = replace(settings, lmstudio_base_url=f"{server.address}/v1")
        result = run_agent(
            "How do I resolve a conflict?", settings, job.begin(wire, root, settings, resources=resources)
        )
    return result, server.requests


READ = ("", [("read_file", {"path": "wiki/guide.md#resolving-conflicts"})])


@pytest.mark.parametrize("wire", ["openai", "gemini"])
def test_a_model_is_told_once_that_its_source_does_not_hold(place: Path, address: str, wire: str):
    wrong = ("Stage it.\n\nSource: wiki/guide.md#invented", [])
    right = ("Stage it.\n\nSource: wiki/guide.md#resolving-conflicts", [])
    result, requests = ask_scripted(place, address, READ, wrong, right, wire=wire)
    assert (result.stop_reason, result.errors) == ("answered", ())
    assert result.report["source"] == "wiki/guide.md#resolving-conflicts"
    assert result.report["answer"] == "Stage it."
    assert "has no section #invented" in json.dumps(requests[-1])


def test_an_answer_without_a_source_that_holds_is_taken_the_second_time_with_a_warning(place: Path, address: str):
    result, _ = ask_scripted(place, address, ("Stage it.", []))
    assert (result.stop_reason, result.answer) == ("answered", "Stage it.")
    assert "The source was not confirmed" in result.errors[0]


def test_a_model_that_answers_from_memory_is_told_to_look_first(place: Path, address: str):
    memory = ("Stage it. Source: wiki/git.md#undo", [])
    result, requests = ask_scripted(place, address, memory, READ, ("Stage it.", []))
    assert result.stop_reason == "answered"
    assert "you have read nothing of it yet" in json.dumps(requests[1])
    assert "The source was not confirmed" in result.errors[0]
    assert "names what you read: wiki/guide.md" in result.errors[0]


@pytest.mark.parametrize(
    ("answer", "told", "status", "source"),
    [
        ("Stage it.\n\nSource: wiki/guide.md#resolving-conflicts", "", "answered", "wiki/guide.md#resolving-conflicts"),
        ("Stage it.\n\nSource: wiki/guide.md#other", "only lines 3-6", "unsure", ""),
        ("Stage it.\n\nSource: wiki/guide.md", "only lines 3-6", "unsure", ""),
        ('It says "throw the whole file away".\n\nSource: wiki/guide.md#resolving-conflicts', "nothing that you read", "unsure", ""),
        ("Stage it.\nSource: Wikipedia\nOr not.\n\nSource: wiki/guide.md#resolving-conflicts", "Source: Wikipedia", "unsure", "wiki/guide.md#resolving-conflicts"),
        ("Stage it.\n\nSource: Wikipedia", "no file Wikipedia", "unsure", ""),
        ("Stage it.", "does not say where it is from", "unsure", ""),
        ("I am not sure, but stage it.\n\nSource: wiki/guide.md#resolving-conflicts", "", "unsure", "wiki/guide.md#resolving-conflicts"),
        ("I do not know.", "", "refused", ""),
    ],
)  # fmt: skip
def test_how_an_answer_is_to_be_taken_and_only_a_confirmed_source_stand_at_the_top(
    place: Path, address: str, answer: str, told: str, status: str, source: str
):
    result, requests = ask_scripted(place, address, READ, (answer, []), (answer, []))
    said = result.to_json()
    assert (said["status"], said["source"]) == (status, source)
    assert "Source: wiki" not in said["answer"]
    assert said["warnings"] == list(result.errors)
    assert bool(said["warnings"]) is bool(told)
    assert told in json.dumps(requests[-1])


def test_an_answer_that_says_it_does_not_know_needs_no_source(place: Path, address: str):
    result, _ = ask_scripted(place, address, ("I do not know.", []))
    assert (result.turns, result.errors) == (1, ())


def test_no_more_than_ten_calls_run_even_of_one_turn(place: Path, address: str):
    many = ("", [("query_api", {"method": "GET", "path": f"/items/?limit={number}"}) for number in range(1, 15)])
    result, _ = ask_scripted(place, address, many, ("I am not sure.", []))
    assert [each["status"] for each in result.tool_calls] == ["completed"] * 10 + ["error"] * 4
    assert "10 calls are allowed" in result.tool_calls[-1]["result"]
    assert result.stop_reason == "max_calls"


@pytest.fixture
def echoed(place: Path, address: str, run_main, tmp_path: Path) -> tuple[str, Path]:
    """A run whose API sent the key back: all that was printed and sent, and the run's page."""
    runs = str(tmp_path / "runs")
    echo = ("", [("query_api", {"method": "GET", "path": "/echo"}), ("read_file", {"path": ".env.docker.secret"})])
    with scripted(echo, ("It echoes.\n\nSource: API endpoint GET /echo", [])) as server:
        given = {**server.environment("openai"), "LMS_API_KEY": KEY, "AGENT_API_BASE_URL": address}
        options = ("--job", "librarian", "--workdir", str(place), "--json")
        ran = run_main(*options, "Does it echo the key?", **given, RUNS_DIRECTORY=runs)
        assert ran.returncode == 0, ran.stderr
        sent = json.dumps(server.requests)
    viewed = run_main("--view", RUNS_DIRECTORY=runs, DISPLAY="", WAYLAND_DISPLAY="")
    return ran.stdout + ran.stderr + sent, Path(viewed.stdout.strip())


def test_a_key_that_the_api_sends_back_stands_nowhere_in_what_is_printed_sent_and_kept(echoed: tuple[str, Path]):
    told, page = echoed
    assert "[key]" in told
    assert "[key]" in page.read_text(encoding="utf-8")
    kept = [path.read_bytes() for path in page.parents[1].rglob("*") if path.is_file()]
    assert all(KEY.encode() not in text for text in (told.encode(), *kept))


@pytest.mark.long
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium")
def test_the_player_shows_what_was_asked_of_the_api_and_its_answer_with_the_key_covered(echoed, tmp_path: Path):
    with browser(tmp_path / "profile") as page:
        page.open(echoed[1])
        page.press("ArrowRight", "ArrowRight")
        shown = page.run("document.body.innerText")
        untroubled(page)
    assert "/echo" in shown
    assert "you sent" in shown
    assert "Bearer [key]" in shown
    assert KEY not in shown


# Settings


def test_the_variables_of_other_agents_stand_in_for_ours_where_those_are_unset(tmp_path: Path):
    (tmp_path / ".env.agent.secret").write_text(
        "LLM_API_BASE=http://localhost:42005/v1\nLLM_MODEL=small\nLLM_API_KEY=abc\n"
    )
    (tmp_path / ".env.docker.secret").write_text(f"LMS_API_KEY={KEY}\n")
    settings = load_settings(environment={"LMSTUDIO_MODEL": "mine"}, env_file=tmp_path / ".env")
    assert settings.lmstudio_base_url == "http://localhost:42005/v1"
    assert (settings.lmstudio_model, settings.lmstudio_api_key) == ("mine", "abc")
    assert settings.of(LibrarianSettings).lms_api_key == KEY


def test_an_api_without_its_key_is_said_with_the_variables_name(place: Path):
    settings = Settings(jobs=(LibrarianSettings("http://localhost:9"),), working_directory=place)
    with Root(place) as root, pytest.raises(ConfigError, match="LMS_API_KEY is not set"):
        job_named("librarian").opens(settings, root, print).__enter__()


def test_without_an_api_there_is_no_tool_for_one(place: Path):
    job, settings = job_named("librarian"), Settings(working_directory=place)
    with Root(place) as root, job.opens(settings, root, print) as resources:
        run = job.begin("x", root, settings, resources=resources)
        assert "query_api" not in run.catalogue
        assert "query_api" not in run.system_prompt


def test_python_m_librarian_prints_one_json_object_alone_and_says_what_is_missing(place: Path, address: str, run_main):
    given = {"LMS_API_KEY": KEY, "AGENT_API_BASE_URL": address}
    options = ("--provider", "offline", "--workdir", str(place))
    ran = run_main("How do you resolve a merge conflict?", *options, main=PROJECT / "librarian.py", **given)
    report = json.loads(ran.stdout)
    assert list(report) == ["answer", "status", "source", "warnings", "tool_calls"]
    assert (report["status"], report["warnings"]) == ("answered", [])
    assert report["source"] == "wiki/guide.md#resolving-conflicts"
    assert {"tool", "args", "result"} <= report["tool_calls"][0].keys()
    empty = run_main(main=PROJECT / "librarian.py")
    assert (empty.returncode, empty.stdout) == (1, "")
    assert 'there is nothing to do. Say what, for example: python -m librarian "How do' in empty.stderr
    asked = run_main("--job", "librarian")
    assert '--job librarian "How do you resolve' in asked.stderr
    missing = run_main("x", *options, main=PROJECT / "librarian.py", AGENT_API_BASE_URL=address, LMS_API_KEY="")
    assert (missing.returncode, missing.stdout) == (1, "")
    assert "LMS_API_KEY" in missing.stderr


def test_ask_lets_writes_through_to_be_asked_about_and_nothing_else_does():
    from cli.desk import settings_for
    from cli.start import parsed

    assert settings_for(parsed(["--job", "librarian", "--ask", "x"])).of(LibrarianSettings).api_writes
    assert not settings_for(parsed(["--job", "librarian", "x"])).of(LibrarianSettings).api_writes
    assert load_settings(environment={"API_WRITES": "on"}).of(LibrarianSettings).api_writes


def test_requests_that_read_run_together_and_one_that_writes_waits_for_them(place: Path, address: str):
    from agent.contracts import ToolCall
    from call_functions import batches

    settings = Settings(jobs=(LibrarianSettings(address, KEY),), working_directory=place)
    job = job_named("librarian")
    methods = ("GET", "HEAD", "POST", "GET")
    calls = [ToolCall(str(n), "query_api", {"method": each, "path": f"/{n}"}) for n, each in enumerate(methods)]
    with Root(place) as root, job.opens(settings, root, print) as resources:
        catalogue = job.begin("x", root, settings, resources=resources).catalogue
        assert [[call.id for call in batch] for batch in batches(calls, catalogue)] == [["0", "1"], ["2"], ["3"]]


# The shipped library


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory):
    """The shipped library, opened once: its settings, its root, and what the tools hold."""
    pytest.importorskip("fastapi", reason="the extra `librarian` is not installed")
    settings = Settings(working_directory=LIBRARY, runs_directory=tmp_path_factory.mktemp("library"))
    with Root(LIBRARY) as root:
        with job_named("librarian").opens(settings, root, print) as resources:
            yield settings, root, resources
            address = resources["api"].base
        with Api(address, "x") as gone, pytest.raises(ApiRefusal, match="Nothing answers"):
            gone.request("GET", "/health")  # it ended with the session


@pytest.mark.parametrize("wire", ["openai", "gemini"])
def test_the_library_is_answered_from_its_wiki_its_source_its_data_and_its_bugs(
    wire: str, built_in_model: str, library
):
    from main import run_agent as openai_loop
    from providers.gemini import run_agent as gemini_loop

    questions = {
        "How do you resolve a merge conflict?": ("markers", "wiki/git-workflow.md#resolving-merge-conflicts"),
        "Which Python web framework does the backend use?": ("FastAPI", "backend/app/main.py:9"),
        "How many items are in the database?": ("42", "API endpoint GET /items/"),
        "What HTTP status code does /items/ return without an API key?": ("401", "API endpoint GET /items/"),
        "The /analytics/top-learners endpoint crashes for lab-04. Why?": ("sorted", "backend/app/routers/analytics.py"),
    }
    settings, root, resources = library
    settings = replace(
        settings, lmstudio_base_url=f"{built_in_model}/v1", gemini_base_url=built_in_model, gemini_api_key="x"
    )
    loop = {"openai": openai_loop, "gemini": gemini_loop}[wire]
    for question, (words, source) in questions.items():
        result = loop(question, settings, job_named("librarian").begin(wire, root, settings, resources=resources))
        assert (result.errors, result.stop_reason) == ((), "answered"), question
        assert words in result.answer
        assert result.report["source"].startswith(source)
        assert len(result.tool_calls) <= 10


def test_the_librarys_backend_has_two_faults_that_only_some_data_shows(library):
    api = library[2]["api"]
    labs = [each["slug"] for each in json.loads(api.request("GET", "/items/?type=lab").text)]
    names = ("scores", "pass-rates", "completion-rate", "top-learners", "groups", "timeline")
    failing = {
        (name, lab): json.loads(answer.text)["type"]
        for name in names
        for lab in labs
        if (answer := api.request("GET", f"/analytics/{name}?lab={lab}")).status == 500
    }
    assert api.request("GET", "/items/", auth=False).status == 401
    assert failing == {("completion-rate", "lab-07"): "ZeroDivisionError", ("top-learners", "lab-04"): "TypeError"}


@pytest.mark.long
def test_the_backend_ends_when_the_agent_is_killed(tmp_path: Path):
    pytest.importorskip("fastapi", reason="the extra `librarian` is not installed")
    program = (
        "import sys\nfrom pathlib import Path\nfrom config import PROJECT, Settings\n"
        "from jobs.librarian.job import WORKPLACE, opens\nfrom sandbox.files.root import Root\n"
        "settings = Settings(working_directory=PROJECT / WORKPLACE, runs_directory=Path(sys.argv[1]))\n"
        "with Root(settings.working_directory) as root, opens(settings, root, print) as resources:\n"
        "    print(resources['api'].base, flush=True)\n    sys.stdin.read()\n"
    )
    command = [sys.executable, "-c", program, str(tmp_path)]
    with (
        subprocess.Popen(
            command, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        ) as process,
        Api(process.stdout.readline().strip(), "x") as api,
    ):
        assert api.request("GET", "/health").status == 200
        process.kill()
        process.wait(timeout=30)
        waiting = threading.Event()
        for _ in range(200):
            try:
                api.request("GET", "/health")
            except ApiRefusal:
                return
            waiting.wait(0.1)
        pytest.fail("the backend still answers")


def test_the_library_is_answered_by_words_alone_where_no_extra_is_installed(
    built_in_model: str, tmp_path: Path, monkeypatch
):
    import importlib.util

    from index import meaning
    from main import run_agent

    monkeypatch.setattr(meaning, "find_spec", lambda name: None)
    real = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name in ("fastapi", "uvicorn") else real(name)
    )
    told: list[str] = []
    settings = Settings(working_directory=LIBRARY, runs_directory=tmp_path, lmstudio_base_url=f"{built_in_model}/v1")
    job = job_named("librarian")
    with Root(LIBRARY) as root, job.opens(settings, root, told.append) as resources:
        result = run_agent(
            "What should I do when the autochecker gives no answer?",
            settings,
            job.begin("x", root, settings, resources=resources),
        )
    assert "uv sync --extra librarian" in told[0]
    assert result.report["source"] == "wiki/autochecker.md#when-the-autochecker-does-not-answer"
