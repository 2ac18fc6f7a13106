"""The notekeeper's tools, each by itself: notes as text, order, memory, plan, pages, GitHub."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from config import PROJECT, ConfigError
from functions import ToolError
from functions.pages import row
from jobs.notekeeper.knowledge_base import LARGEST_NOTE, KnowledgeBase
from jobs.notekeeper.memory import LONGEST, DamagedMemory, Memory
from jobs.notekeeper.notes import file_name, join_note, links_in, split_note, title_of
from jobs.notekeeper.tools.comment_on_issue import comment_on_issue
from jobs.notekeeper.tools.create_folder import create_folder
from jobs.notekeeper.tools.create_github_issue import create_github_issue
from jobs.notekeeper.tools.create_github_pr import create_github_pr
from jobs.notekeeper.tools.delete_file import delete_file
from jobs.notekeeper.tools.delete_folder import delete_folder
from jobs.notekeeper.tools.forget_memory import forget_memory
from jobs.notekeeper.tools.kb_check import kb_check
from jobs.notekeeper.tools.kb_read_file import kb_read_file
from jobs.notekeeper.tools.kb_search_content import kb_search_content
from jobs.notekeeper.tools.kb_search_files import kb_search_files
from jobs.notekeeper.tools.kb_vector_search import kb_vector_search
from jobs.notekeeper.tools.list_categories import list_categories
from jobs.notekeeper.tools.list_github_issues import list_github_issues
from jobs.notekeeper.tools.move_note import move_note
from jobs.notekeeper.tools.plan import plan
from jobs.notekeeper.tools.retrieve_memory import retrieve_memory
from jobs.notekeeper.tools.save_note import save_note
from jobs.notekeeper.tools.store_memory import store_memory
from jobs.notekeeper.tools.update_memory import update_memory
from offline.notekeeper.found import hits_in
from offline.wire.conversation import fields_of
from reach.github import GitHub
from sandbox.files.off_limits import parts_of
from sandbox.files.root import Refusal, Root

Make = Callable[[dict[str, str]], Path]


@pytest.fixture
def kb(project: Make, tmp_path: Path) -> Iterator[KnowledgeBase]:
    """Three notes that link each other, one of them with a wiki link."""
    top = project(
        {
            "a/one.md": "---\ntitle: One\ncategory: a\n---\n\n# One\n\nThe first. See [Two](../b/two.md) and [[Three]].\n",
            "b/two.md": "# Two\n\nThe second. Back to [One](../a/one.md#top) and [gone](missing.md).\n",
            "three.md": "# Three\n\nThe third.\n\n```\n[no link](nowhere.md)\n```\n",
        }
    )
    with Root(top) as root:
        base = KnowledgeBase(root, tmp_path / "index")
        yield base
        base.close()


def text_of(kb: KnowledgeBase, path: str) -> str:
    return (kb.root.path / path).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "value",
    ["plain", "a: b", "yes", "2025-01-01", "12", "- item", "#tag", 'say "hi"', "ünï", "[x]", "it's", "a #b", ""],
)
def test_front_matter_is_read_back_as_it_was_written_and_as_yaml_reads_it(value: str):
    written = join_note({"title": value, "tags": [value, "second"]}, "# Body\n")
    front, body = split_note(written)
    assert front.get("title", "") == value
    assert front["tags"] == [value, "second"] or not value
    assert body.strip() == "# Body"
    yaml = pytest.importorskip("yaml")
    read = yaml.safe_load(written.split("---")[1]) if "---" not in value else {}
    assert not value or str(read["title"]) == value


def test_front_matter_of_others_is_read_leniently():
    front, body = split_note("---\nTitle: A\ntags: [x, 'y z', \"w\"]\nnested:\n  deep: 1\naliases:\n  - one\n---\nBody")
    assert front["title"] == "A"
    assert front["tags"] == ["x", "y z", "w"]
    assert front["aliases"] == ["one"]
    assert body == "Body"
    assert split_note("no front matter\n---\n") == ({}, "no front matter\n---\n")


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("How DNS works", "how-dns-works"),
        ("../../etc/passwd", "etc-passwd"),
        ("CON", "note-con"),
        ("Über Äpfel & Birnen?", "über-äpfel-birnen"),
        ("Закваска для хлеба", "закваска-для-хлеба"),
        ("...", "note"),
        ("x" * 300, "x" * 60),
    ],
)
def test_a_title_becomes_a_name_that_every_system_takes(title: str, name: str):
    assert file_name(title) == name
    assert parts_of(f"{file_name(title)}.md", "write to") == [f"{file_name(title)}.md"]


def test_links_in_code_to_the_web_and_to_images_are_none():
    text = "[a](b.md) ![i](c.png) [w](https://x.y) `[c](d.md)` [[E|shown]] [h](#here) <f.md> [g h](<i j.md>)"
    assert [link.target for link in links_in(text)] == ["b.md", "E", "i j.md"]


def test_stages_of_search_by_name_and_by_text(kb: KnowledgeBase):
    assert kb_search_files(kb, "two") == "b/two.md: Two"
    assert kb_search_files(kb, "a/*") == "a/one.md: One"
    assert "folders: a, b" in kb_search_files(kb, "nothing")
    assert kb_search_content(kb, "THE SECOND") == f"b/two.md:3: {text_of(kb, 'b/two.md').splitlines()[2]}"
    assert "No note holds" in kb_search_content(kb, "elephant")


def test_reading_several_notes_names_the_one_that_is_not_there(kb: KnowledgeBase):
    said = kb_read_file(kb, ["three.md", "a/two.md", "../secret.md"])
    assert said.startswith("=== three.md\n# Three")
    assert "Did you mean b/two.md?" in said
    assert "outside the permitted working directory" in said
    assert isinstance(kb_read_file(kb, ["../secret.md"]), ToolError)
    assert isinstance(kb_read_file(kb, []), ToolError)


def test_a_note_is_saved_in_the_folder_as_it_is_spelled_and_never_outside(kb: KnowledgeBase):
    assert save_note(kb, "New Note", "Something else entirely here.", "A") == 'Created "a/new-note.md"'
    for outside in ("../../up", "/up", "~/up", "a/../../up"):
        assert "outside the permitted working directory" in save_note(kb, "Up", "Up and out, it tries.", outside)
    assert "reserves for a device" in save_note(kb, "Con: a film", "A film about a plane.", "CON")
    assert save_note(kb, "Con: a film", "A film about a plane.", "Äpfel X") == 'Created "äpfel-x/con-a-film.md"'
    assert isinstance(save_note(kb, " ", "x", "a"), ToolError)


def test_front_matter_that_is_not_read_here_is_kept_when_a_note_is_extended_or_moved(kb: KnowledgeBase):
    kept = "---\ntitle: Mine\nnested:\n  deep: [1, {a: 2}]\nTags: [x]  # mine\ncategory: a\naliases:\n  - M\n---\n\nBody.\n"
    kb.root.write_text("a/mine.md", kept)
    assert "Extended" in save_note(kb, "mine", "A sentence that is new in it.", "a", tags=["new"])
    text = text_of(kb, "a/mine.md")
    for line in ("nested:\n  deep: [1, {a: 2}]\n", "aliases:\n  - M\n---\n", "tags:\n- x\n- new\n", "Body.\n"):
        assert line in text
    move_note(kb, "a/mine.md", "c/mine.md")
    assert text_of(kb, "c/mine.md") == text.replace("category: a", "category: c")


@pytest.mark.parametrize("to", ["Three.md", "thre\u00e9.md"])
def test_a_note_is_not_merged_into_itself_where_the_disk_tells_no_capitals_apart(
    kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch, to: str
):
    """As on macOS and Windows. It would say nothing that it does not say, and be removed then."""
    path = "thre\u0065\u0301.md" if to.startswith("thre") else "three.md"
    if path != "three.md":
        kb.root.write_text(path, "# Three\n")
    monkeypatch.setattr(kb.root, "exists", lambda path: True)
    said = move_note(kb, path, to)
    assert isinstance(said, ToolError)
    assert "is the same file as" in said
    assert text_of(kb, path).startswith("# Three")


HANG = 120.0  # seconds; far beyond what anything here takes
SLOW = """
from jobs.notekeeper.facts import units
from jobs.notekeeper.notes import blocks, files_in, links_in, parted, title_of
N = 2**17
for text in (
    *("# a" + " " * N + "b\\n", "x\\n## Related\\n- " + "[](" * N, "[a](<" * N, "[a](b)\\n" * (N // 8), "](<" * N),
    *("---\\ntitle: x" + " " * N + "y\\n---\\n", "```\\n" + "\\n" * N + "x"),
):
    title_of("a.md", text), parted(text), list(links_in(text)), list(files_in(text)), list(map(units, blocks(text)))
"""


def test_no_note_takes_time_without_end_to_be_read():
    """A title with many spaces in it took eleven seconds at twenty kilobytes, and no Ctrl-C was heard meanwhile."""
    assert subprocess.run([sys.executable, "-c", SLOW], cwd=PROJECT, timeout=HANG, check=False).returncode == 0


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("# Plain", "Plain"),
        ("#  Closed ##", "Closed"),
        ("# C#", "C"),
        ("# a # b ##  ", "a # b ##"),
        ("# ##", "#"),
        ("#x", "a"),
    ],
)
def test_a_notes_title_is_its_first_heading_without_the_marks_around_it(line: str, title: str):
    assert title_of("a.md", f"text\n{line}\nmore\n") == title


def test_half_a_character_in_a_title_hides_no_other_note(kb: KnowledgeBase):
    """No text of UTF-8 holds one, and what is asked of all titles failed with it."""
    kb.root.write_text("half.md", '---\ntitle: "\\ud800 third"\n---\n\nHalf of a sign.\n')
    assert "three.md" in kb_vector_search(kb, "the third one", 5)
    assert "? third" in kb_search_files(kb, "half")


def test_links_go_both_ways_and_none_twice(kb: KnowledgeBase):
    said = save_note(kb, "Four", "The fourth one.", "b", related=["a/one.md", "three.md", "nowhere.md", "../x.md"])
    assert said == 'Created "b/four.md", linked both ways with a/one.md, three.md'
    assert "- [Four](../b/four.md)\n" in text_of(kb, "a/one.md")
    assert "- [Three](../three.md)\n" in text_of(kb, "b/four.md")
    before = text_of(kb, "a/one.md")
    assert "says this already" in save_note(kb, "four", "The fourth one.", "b", related=["a/one.md"])
    assert text_of(kb, "a/one.md") == before


def test_moving_a_note_takes_its_links_and_those_to_it_along(kb: KnowledgeBase):
    assert (
        move_note(kb, "a/one.md", "c/d/uno.md")
        == 'Moved "a/one.md" into "c/d/uno.md"; the links to it in b/two.md follow'
    )
    assert "[Two](../../b/two.md)" in text_of(kb, "c/d/uno.md")
    assert "category: c/d" in text_of(kb, "c/d/uno.md")
    assert "[One](../c/d/uno.md#top)" in text_of(kb, "b/two.md")
    assert isinstance(move_note(kb, "c/d/uno.md", "../uno.md"), ToolError)
    assert isinstance(move_note(kb, "three.md", "folder"), ToolError)
    assert text_of(kb, "three.md")


def test_no_note_goes_where_none_is_ever_found(kb: KnowledgeBase):
    assert save_note(kb, "uv", "My venv is made by uv.", "venv") == 'Created "venv-notes/uv.md"'
    for to in ("venv/three.md", ".archive/three.md", "a/node_modules/three.md", "venv", ".three.md"):
        said = move_note(kb, "three.md", to)
        assert isinstance(said, ToolError)
        assert "is passed over where notes are looked for" in said
        assert f"{to}/three.md" not in said
    for folder in ("venv", "a/.archive"):
        assert isinstance(create_folder(kb.root, folder), ToolError)
        assert not kb.root.exists(folder)
    assert kb.titles().keys() == {"a/one.md", "b/two.md", "three.md", "venv-notes/uv.md"}


@pytest.mark.parametrize(("to", "whole"), [("b", "b/three.md"), ("b/x.markdown", "b/x.md")])
def test_a_move_to_what_is_no_notes_name_is_told_the_whole_path_that_may_be_meant(
    kb: KnowledgeBase, to: str, whole: str
):
    assert f'such as "{whole}"' in move_note(kb, "three.md", to)


def test_a_move_that_is_refused_on_the_way_leaves_the_note_at_one_place(
    kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
):
    before = dict(kb.notes())
    remove, refused = kb.root.remove, ["a/one.md"]

    def full(path: str, **given: str) -> None:
        if path in refused:
            raise Refusal("the disk is full", "full")
        remove(path, **given)

    monkeypatch.setattr(kb.root, "remove", full)
    assert "the disk is full" in move_note(kb, "a/one.md", "c/uno.md")
    assert dict(kb.notes()) == before
    refused.append("c/uno.md")  # such as one that somebody has changed meanwhile
    assert "the disk is full" in move_note(kb, "a/one.md", "c/uno.md")
    assert "c/uno.md" in text_of(kb, "b/two.md")
    assert text_of(kb, "c/uno.md")


def test_a_note_of_the_same_title_that_somebody_made_since_the_last_look_is_extended(
    kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
):
    look = kb.look()
    monkeypatch.setattr(kb, "look", lambda: look)
    kb.root.write_text("a/new-one.md", "# New one\n\nWhat they say.\n")
    kb.root.write_text("a/other-one.md", "# Other: one\n\nOf another title.\n")
    assert save_note(kb, "New one", "What we say.", "a") == 'Extended "a/new-one.md" by 1 paragraph'
    assert save_note(kb, "Other one", "What we say of it.", "a").startswith('Created "a/other-one-2.md"')
    assert text_of(kb, "a/new-one.md").count("What they say.") == 1


def test_what_one_of_two_notes_of_a_title_says_is_not_written_into_the_other(kb: KnowledgeBase):
    """Two who began a note at the same moment, in two folders; one of them was killed before the answer."""
    kb.root.write_text("a/new-one.md", "# New one\n\nWhat they say.\n")
    kb.root.write_text("b/new-one.md", "# New one\n\nWhat we say.\n")
    assert save_note(kb, "New one", "What we say.", "a").startswith('"b/new-one.md" says this already')
    assert save_note(kb, "New one", "What is new.", "b") == 'Extended "a/new-one.md" by 1 paragraph'


def test_a_note_that_is_kept_is_told_as_kept_where_another_could_not_be_linked_to_it(
    kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
):
    """Who hears an error sends it again."""

    def full(path: str, made: object) -> None:
        raise Refusal("the disk is full", "full")

    monkeypatch.setattr(kb.root, "change_text", full)
    told = save_note(kb, "New one", "What we say.", "a", related=["three.md"])
    assert told.startswith('Created "a/new-one.md"')
    assert "the disk is full" in told


def test_no_note_grows_so_large_that_it_is_found_no_more(kb: KnowledgeBase):
    full = "# Log\n\n" + "x" * (LARGEST_NOTE - 20)
    kb.root.write_text("log.md", full)
    assert save_note(kb, "Log", "The second thing.", "") == 'Created "log-2.md"'
    assert save_note(kb, "Log", "The third thing.", "") == 'Extended "log-2.md" by 1 paragraph'
    assert "log-2.md" in save_note(kb, "Log", "The second thing.", "")
    assert isinstance(save_note(kb, "Log", "x" * LARGEST_NOTE, ""), ToolError)
    small = text_of(kb, "log-2.md")
    assert "no larger note is ever found" in move_note(kb, "log-2.md", "log.md")
    assert (text_of(kb, "log.md"), text_of(kb, "log-2.md")) == (full, small)
    kb.root.write_text("far.md", f"# Far\n\n{full}, and more by hand")
    assert save_note(kb, "far", "What is new.", "") == 'Created "far-2.md"'
    kb.root.write_bytes("lines.md", b"# Lines" + b"\r\n\r\n" * 100 + b"x" * (LARGEST_NOTE - 450) + b"\r\n")
    assert save_note(kb, "Lines", "What is new of them.", "") == 'Created "lines-2.md"'
    assert kb.titles().keys() >= {"log.md", "log-2.md", "far-2.md", "lines.md", "lines-2.md"}


def test_moving_a_note_takes_its_pictures_and_documents_along(kb: KnowledgeBase):
    kb.root.write_text("a/plan.png", "a picture")
    kb.root.write_text("files/my bill.pdf", "a document")
    kept = "[web](https://x.y/plan.png) ![far](../../out.png) [none](none.pdf) `![code](plan.png)`"
    shown = '![plan](plan.png "The plan") [bill](../files/my%20bill.pdf#page=2)'
    kb.root.write_text("a/mine.md", f"# Mine\n\n{shown}\n\n{kept}\n")
    move_note(kb, "a/mine.md", "c/d/mine.md")
    text = text_of(kb, "c/d/mine.md")
    assert '![plan](../../a/plan.png "The plan")' in text
    assert "(../../files/my%20bill.pdf#page=2)" in text
    assert kept[: kept.index("`")] in text


def test_a_wiki_link_stays_where_it_still_leads_and_else_keeps_its_words_and_its_place(kb: KnowledgeBase):
    kb.root.write_text("index.md", "# Index\n\n[[One]], [[one#The start|how it began]] and [[a/one|the path]].\n")
    move_note(kb, "a/one.md", "c/one.md")
    assert "[[One]], [[one#The start|how it began]] and [the path](c/one.md)." in text_of(kb, "index.md")
    kb.root.write_text("plain.md", "A text without a title.\n")
    kb.root.write_text("other.md", "# Other\n\nSee [[plain#Part 2|the other part]].\n")
    move_note(kb, "plain.md", "c/simple.md")
    assert "See [the other part](c/simple.md#Part%202)." in text_of(kb, "other.md")


def test_merging_keeps_what_only_one_says(kb: KnowledgeBase):
    kb.root.write_text(
        "b/more.md",
        "# More\n\nThe second. And a thing that nobody else says at all.\n\n## Related\n\n- [One](../a/one.md)\n",
    )
    assert move_note(kb, "b/more.md", "b/two.md").startswith('Merged "b/more.md" into "b/two.md"')
    assert "nobody else says" in text_of(kb, "b/two.md")
    assert not kb.root.exists("b/more.md")


def test_a_line_of_a_note_is_never_taken_for_a_place(kb: KnowledgeBase):
    kb.root.write_text("a/odd.md", "# Odd\nneedle \u2028x:\u00b2:y\nneedle b.md:7: no\n")
    found = kb_search_content(kb, "needle")
    assert found.sources == [("a/odd.md", [(2, 2)]), ("a/odd.md", [(3, 3)])]


def test_a_title_with_the_sign_that_parts_columns_is_found(kb: KnowledgeBase):
    kb.root.write_text(
        "a/chain.md", "# Chain care | Park Tool\n\nA chain is cleaned with a rag and oiled drop by drop.\n"
    )
    (hit,) = [hit for hit in hits_in(kb_vector_search(kb, "how is a chain oiled?", 5)) if "chain" in hit.path]
    assert hit.title == "Chain care | Park Tool"


def test_the_check_finds_a_broken_link_and_leaves_code_alone(kb: KnowledgeBase):
    assert kb_check(kb) == "broken link | b/two.md | [gone](missing.md) | "


def test_deleting_tells_which_links_break_and_folders_need_a_word(kb: KnowledgeBase):
    assert delete_file(kb, "three.md") == 'Deleted "three.md". Links to it in a/one.md are broken now'
    assert "recursive true" in delete_folder(kb.root, "a")
    assert delete_folder(kb.root, "a", recursive=True) == 'Deleted "a" with 1 files'
    assert create_folder(kb.root, "x/y") == 'Made the folder "x/y"'
    assert delete_folder(kb.root, "x", recursive=True) == 'Deleted "x" with 0 files'
    assert not kb.root.exists("x")
    for path in (".", "", "..", "/etc"):
        assert isinstance(delete_folder(kb.root, path), ToolError), path
    assert kb.root.exists("b/two.md")


def test_the_memory_of_one_is_not_the_memory_of_another(tmp_path: Path):
    ann, bob = (Memory(tmp_path / "memory.sqlite", user) for user in ("ann", "bob"))
    assert store_memory(ann, "I am allergic to nuts", "health") == "Remembered under health"
    assert "already" in store_memory(ann, "I am allergic to  nuts", "health")
    assert store_memory(bob, "I like metric units", "general") == "Remembered under general"
    assert "nuts" in retrieve_memory(ann, "which allergic foods")
    assert "nothing" in retrieve_memory(bob, "nuts").lower()
    assert list_categories(ann) == "health (1)"
    assert retrieve_memory(bob).startswith("general (20")
    for memory in (ann, bob):
        memory.close()


def test_what_is_updated_supersedes_and_what_is_forgotten_is_gone(tmp_path: Path):
    ann, bob = (Memory(tmp_path / "memory.sqlite", user) for user in ("ann", "bob"))
    for memory in (ann, bob):
        store_memory(memory, "The garage code is 4711.", "house")
    store_memory(ann, "The cellar code is 12.", "house")
    assert "2 memories" in update_memory(ann, "code", "The code is 9.")
    assert "nothing is remembered" in update_memory(ann, "the attic", "The attic is dry.")
    assert 'supersedes "The garage code is 4711."' in update_memory(ann, "garage code", "The garage code is 4712.")
    assert "already" in update_memory(ann, "garage code", "The garage code is 4712.")
    assert retrieve_memory(ann, "garage").endswith("The garage code is 4712. (before: The garage code is 4711.)")
    assert "before" not in retrieve_memory(bob, "garage")
    assert list_categories(ann) == "house (2)"
    update_memory(ann, "4712", "The garage code is 4711.")
    assert retrieve_memory(ann, "garage").endswith("The garage code is 4711. (before: The garage code is 4712.)")
    update_memory(ann, "4711", "The garage code is 4713.")
    assert "4711" in retrieve_memory(ann, "garage")
    assert "4712" in retrieve_memory(ann, "garage")
    told = forget_memory(ann, "the garage code is 4713")
    assert all(code in told for code in ("4711", "4712", "4713"))
    assert "garage" not in retrieve_memory(ann)
    assert "cellar" in retrieve_memory(ann)
    assert "4711" in retrieve_memory(bob)
    for memory in (ann, bob):
        memory.close()


def test_what_is_remembered_in_two_categories_is_updated_and_forgotten_in_both(tmp_path: Path):
    memory = Memory(tmp_path / "memory.sqlite", "ann")
    for content, category in (("I like tea", "drink"), ("I like tea", "food"), ("i like tea.", "habits")):
        store_memory(memory, content, category)
    assert "this may be 2 memories; give one whole" in forget_memory(memory, "tea")
    assert "Remembered under" in update_memory(memory, "I like tea", "I like green tea")
    assert memory.categories() == {"drink": 1, "food": 1, "habits": 1}
    assert forget_memory(memory, "green tea") == 'Forgot "I like green tea", and what was before: I like tea'
    assert retrieve_memory(memory).endswith("i like tea.")
    assert forget_memory(memory, "I like tea") == 'Forgot "i like tea."'
    memory.close()


def test_a_memory_that_is_too_long_is_refused_with_the_longest_there_may_be_and_nothing_is_stored(tmp_path: Path):
    memory = Memory(tmp_path / "memory.sqlite", "ann")
    longest = "a" * LONGEST
    assert store_memory(memory, longest) == "Remembered under general"
    store_memory(memory, "The safe code is 4711.")
    before = retrieve_memory(memory)
    told = (
        store_memory(memory, f"{longest} and the safe code is 4712"),
        update_memory(memory, "safe code", f"{longest}b"),
    )
    for said in told:
        assert isinstance(said, ToolError)
        assert "at most 4,000, so nothing was stored; remember it in shorter sentences" in said
    assert retrieve_memory(memory) == before
    memory.close()


def test_a_memory_of_the_version_before_is_taken_over(tmp_path: Path):
    path = tmp_path / "memory.sqlite"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(
            "CREATE TABLE memories(id INTEGER PRIMARY KEY, user TEXT NOT NULL, category TEXT NOT NULL,"
            " content TEXT NOT NULL, at REAL NOT NULL, UNIQUE(user, category, content));"
            "INSERT INTO memories(user, category, content, at) VALUES ('ann', 'x', 'Tea at 5.', 1.0);"
            "PRAGMA user_version = 1;"
        )
    memory = Memory(path, "ann")
    update_memory(memory, "Tea at 5.", "Tea at 6.")
    assert "Tea at 6. (before: Tea at 5.)" in retrieve_memory(memory)
    memory.close()


def test_a_damaged_memory_is_told_and_kept(tmp_path: Path):
    path = tmp_path / "memory.sqlite"
    path.write_bytes(b"not a database at all, but somebody's bytes" * 100)
    before = path.read_bytes()
    with pytest.raises(ConfigError, match="Move it away"):
        Memory(path, "ann")
    assert path.read_bytes() == before


def test_a_memory_that_is_whole_and_cannot_be_opened_now_is_told_so_and_not_to_be_moved_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path, connect = tmp_path / "memory.sqlite", sqlite3.connect
    memory = Memory(path, "ann")
    store_memory(memory, "Tea at 5.", "x")
    memory.close()
    monkeypatch.setattr(sqlite3, "connect", lambda *given, **named: connect(*given, **named | {"timeout": 0.1}))
    with closing(connect(path, isolation_level=None)) as another:
        another.execute("BEGIN EXCLUSIVE")
        with pytest.raises(ConfigError, match="database is locked.*try again") as told:
            Memory(path, "ann")
    assert not isinstance(told.value, DamagedMemory), "or it would be put aside"
    memory = Memory(path, "ann")
    assert "Tea at 5." in retrieve_memory(memory)
    memory.close()
    with pytest.raises(ConfigError, match="unable to open"):
        Memory(tmp_path, "ann")


def test_a_plan_shows_what_is_done_and_takes_one_step_at_a_time():
    said = plan([{"step": "look", "state": "done"}, {"step": "write", "state": "doing"}, {"step": "check"}])
    assert said == "[x] look\n[>] write\n[ ] check\n1 of 3 done"
    assert said.verdict.line == "1 of 3 done: [x] look  [>] write  [ ] check"
    assert isinstance(plan([{"step": "a", "state": "doing"}, {"step": "b", "state": "doing"}]), ToolError)
    assert isinstance(plan([]), ToolError)


def test_the_title_of_a_note_is_its_front_matters_its_headings_or_its_names():
    assert title_of("a/b-c.md", "---\ntitle: T\n---\n# H") == "T"
    assert title_of("a/b-c.md", "# H #\n") == "H"
    assert title_of("a/b-c.md", "text") == "b c"


class GitHubServer(BaseHTTPRequestHandler):
    """The shapes of docs.github.com/rest, for one repository, with the failures that it has."""

    def do_GET(self) -> None:
        self.respond(None)

    def do_POST(self) -> None:
        self.respond(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def respond(self, body: dict[str, Any] | None) -> None:
        self.server.seen.append((self.command, self.path, body, dict(self.headers)))  # type: ignore[attr-defined]
        status, headers, answer = self.answer(body)
        data = json.dumps(answer).encode()
        self.send_response(status)
        for name, value in {"Content-Length": str(len(data)), "Content-Type": "application/json", **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def answer(self, body: dict[str, Any] | None) -> tuple[int, dict[str, str], Any]:
        html = "https://github.example/ann/notes"
        documented = "https://docs.github.com/rest"
        if self.headers["Authorization"] != "Bearer ghp_secret":
            return 401, {}, {"message": "Bad credentials", "documentation_url": documented, "status": "401"}
        match self.command, self.path:
            case "GET", "/repos/ann/notes":
                return 200, {}, {"full_name": "ann/notes", "default_branch": "main"}
            case "GET", "/repos/ann/notes/issues?state=open&per_page=50":
                issue = {"number": 3, "title": "Typo", "state": "open", "html_url": f"{html}/issues/3"}
                return 200, {}, [issue, {**issue, "number": 2, "title": "Fix", "pull_request": {"url": "x"}}]
            case "POST", "/repos/ann/notes/issues" if body:
                return 201, {}, {"number": 4, "html_url": f"{html}/issues/4", **body}
            case "POST", "/repos/ann/notes/pulls" if body and body["head"] == "same":
                errors = [{"resource": "PullRequest", "code": "custom", "message": "No commits between main and same"}]
                return 422, {}, {"message": "Validation Failed", "errors": errors, "documentation_url": documented}
            case "POST", "/repos/ann/notes/pulls" if body:
                return 201, {}, {"number": 5, "html_url": f"{html}/pull/5", "base": {"ref": body["base"]}}
            case "POST", "/repos/ann/notes/issues/4/comments":
                return 201, {}, {"id": 77, "html_url": f"{html}/issues/4#issuecomment-77"}
            case "POST", "/repos/ann/notes/issues/5/comments":
                limited = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "99999999999"}
                return 403, limited, {"message": "API rate limit exceeded"}
            case "POST", "/repos/ann/notes/issues/6/comments":
                return 429, {"retry-after": "60"}, {"message": "You have exceeded a secondary rate limit."}
            case "POST", "/repos/ann/notes/issues/7/comments":
                return 301, {"Location": "http://127.0.0.1:9/stolen"}, {"message": "Moved Permanently"}
            case "POST", "/repos/ann/notes/issues/9/comments":
                return 422, {}, {"message": f"No such token: {self.headers['Authorization']}"}
        return 404, {}, {"message": "Not Found", "documentation_url": documented, "status": "404"}

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def github_server() -> Iterator[ThreadingHTTPServer]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), GitHubServer)
    server.seen = []  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def test_issues_pull_requests_and_comments_in_githubs_own_shapes(github_server: ThreadingHTTPServer):
    github = GitHub("ann/notes", "ghp_secret", f"http://127.0.0.1:{github_server.server_address[1]}")
    assert list_github_issues(github) == "#3 issue (open): Typo\n#2 pull request (open): Fix"
    assert create_github_issue(github, "T", "B").startswith("Opened issue #4: https://")
    assert create_github_pr(github, "T", "B", "side").startswith("Opened pull request #5 from side into main")
    assert comment_on_issue(github, 4, "Hello").startswith("Commented on #4")
    sent = github_server.seen  # type: ignore[attr-defined]
    assert [(method, path) for method, path, _, _ in sent[1:4]] == [
        ("POST", "/repos/ann/notes/issues"),
        ("GET", "/repos/ann/notes"),
        ("POST", "/repos/ann/notes/pulls"),
    ]
    assert sent[3][2] == {"title": "T", "body": "B", "head": "side", "base": "main"}
    headers = {name.lower(): value for name, value in sent[0][3].items()}
    assert headers["accept"] == "application/vnd.github+json"
    assert headers["user-agent"].startswith("Glassbox/")


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda it: create_github_pr(it, "T", "B", "same"), "No commits between main and same"),
        (lambda it: comment_on_issue(it, 5, "x"), "rate limit is reached"),
        (lambda it: comment_on_issue(it, 6, "x"), "opens again in 60 seconds"),
        (lambda it: comment_on_issue(it, 7, "x"), "has moved"),
        (lambda it: comment_on_issue(it, 8, "x"), "Not Found"),
        (lambda it: comment_on_issue(it, 9, "x"), "No such token: Bearer [key]"),
    ],
)
def test_what_github_refuses_is_told_with_what_to_do(
    github_server: ThreadingHTTPServer, call: Callable[[GitHub], str], says: str
):
    said = call(GitHub("ann/notes", "ghp_secret", f"http://127.0.0.1:{github_server.server_address[1]}"))
    assert isinstance(said, ToolError)
    assert says in said
    assert "ghp_secret" not in said


def test_a_wrong_token_and_a_server_that_is_not_there_are_told_without_the_token(
    github_server: ThreadingHTTPServer, closed_port: int
):
    address = f"http://127.0.0.1:{github_server.server_address[1]}"
    assert "GITHUB_TOKEN" in create_github_issue(GitHub("ann/notes", "ghp_wrong", address), "T", "B")
    said = create_github_issue(GitHub("ann/notes", "ghp_wrong", f"http://127.0.0.1:{closed_port}"), "T", "B")
    assert "could not be reached" in said
    assert "ghp_wrong" not in said
    with pytest.raises(Refusal, match="owner/name"):
        GitHub("../../x", "ghp_secret", address)


def test_an_answer_of_github_that_drips_is_not_waited_for_once_the_run_is_stopped():
    stopped = threading.Event()

    class Dripping(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.send_response(201)
            self.end_headers()
            stopped.set()
            with suppress(OSError):
                for _ in range(300):
                    self.wfile.write(b" ")
                    time.sleep(0.1)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Dripping) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        github = GitHub("ann/notes", "ghp_secret", f"http://127.0.0.1:{server.server_address[1]}", stopped)
        said = create_github_issue(github, "T", "B")
        server.shutdown()
    assert "as the run was stopped; whether it was done is not known" in said


@pytest.mark.long
@pytest.mark.parametrize("attempts", [1, pytest.param(3, marks=pytest.mark.long)])
def test_three_notekeepers_at_once_lose_nothing_of_what_they_are_told(attempts: int, tmp_path: Path):
    """Three tabs, or a bot with three workers, and one folder: the same title, so that all write into one note."""
    for attempt in range(attempts):
        notes, runs = tmp_path / str(attempt) / "notes", tmp_path / str(attempt) / "runs"
        notes.mkdir(parents=True)
        environment = {**os.environ, "GLASSBOX_RUNS_DIRECTORY": str(runs), "LLM_PROVIDER": "offline"}
        command = [sys.executable, str(PROJECT / "main.py"), "--job", "notekeeper", "--workdir", str(notes), "--json"]
        told = [f"TODO\n- thing number {number} that must not be lost {number * 7919}" for number in (1, 2, 3)]
        processes = [subprocess.Popen([*command, each], env=environment, stdout=subprocess.PIPE) for each in told]
        answers = [process.communicate(timeout=120)[0] for process in processes]
        assert [process.returncode for process in processes] == [0, 0, 0], answers
        kept = "\n".join(path.read_text() for path in notes.rglob("*.md"))
        assert [number for number in (1, 2, 3) if str(number * 7919) not in kept] == [], answers


def test_a_bar_within_a_field_is_told_from_those_between_fields():
    fields = ["a.md", "Chain care | Park Tool", "| at both ends |", "a | | b", "a|b", "two\nlines"]
    assert fields_of(row(*fields)) == [*fields[:-1], "two lines"]
