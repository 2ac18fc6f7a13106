"""The index: sections and their anchors, words, meaning, following the files, and what happens to a damaged one."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from index import index as index_module
from index import meaning, store
from index.index import Index
from index.sections import github_anchor, sections_of
from index.symbols import symbol_map
from sandbox.files.root import Root

needs_meaning = pytest.mark.skipif(not meaning.available(), reason="the extra `search` is not installed")
WIKI = {
    "wiki/git.md": "# Git\n\nIntro.\n\n## Resolving merge conflicts\n\nOpen the file, keep what you want, then stage it.\n",
    "wiki/ssh.md": "# SSH\n\n## Make a key\n\nRun ssh-keygen and press enter.\n\n## Connect\n\nType ssh and the address.\n",
    "app/main.py": '"""App."""\nimport os\n\n\nclass ItemStore:\n    """Keeps."""\n\n    def addItem(self, x):\n        return x\n\n\n'
    "@route('/items')\ndef list_items():\n    return ItemStore().addItem(1)\n",
}


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    for name, text in WIKI.items():
        path = tmp_path / "documents" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path / "documents"


@pytest.fixture
def root(documents: Path):
    with Root(documents) as held:
        yield held


def make(root: Root, tmp_path: Path, **more: object) -> Index:
    return Index(root, tmp_path / "kept", **more)


def anchors(text: str, path: str = "a.md") -> list[str]:
    return [section.anchor for section in sections_of(path, text)]


# The expected anchors are what github-slugger's own fixtures and GitHub show for these headings.
@pytest.mark.parametrize(
    ("heading", "anchor"),
    [
        ("Resolving Merge Conflicts", "resolving-merge-conflicts"),
        ("What's new in 2.0?", "whats-new-in-20"),
        ("heading with a - dash", "heading-with-a---dash"),
        ("snake_case & camelCase", "snake_case--camelcase"),
        ("Привет non-latin 你好", "привет-non-latin-你好"),
        ("Cafe\u0301 😄 emoji", "cafe\u0301--emoji"),
        ("C++ / C#", "c--c"),
    ],
)
def test_an_anchor_is_the_one_that_github_makes(heading: str, anchor: str):
    assert github_anchor(heading) == anchor


def test_anchors_that_are_the_same_are_numbered_and_a_number_that_is_taken_is_skipped():
    assert anchors("# a\n# a\n# a-1\n# a\n") == ["a", "a-1", "a-1-1", "a-2"]


def test_a_headings_code_links_and_emphasis_leave_only_what_is_seen_in_its_anchor():
    assert anchors("## The `run()` of [a link](http://x.y) is **bold** ![x](y.png)\n") == ["the-run-of-a-link-is-bold-"]


@pytest.mark.parametrize("mark", ["[", "![", "[a](", "<!--"])
def test_a_heading_of_very_many_brackets_holds_nothing_up(mark: str):
    before = time.process_time()
    assert [each.heading for each in sections_of("a.md", f"# {mark * 100_000}\n\ntext\n")] == [mark * 100_000]
    assert time.process_time() - before < 1


def test_a_comment_in_a_code_block_is_no_heading_and_an_underlined_line_is():
    text = "Title\n=====\n\n```sh\n# not a heading\n```\n\n    # nor this\n\nSub\n---\n\ntext\n"
    assert [(each.place, each.line) for each in sections_of("a.md", text)] == [("Title", 1), ("Title > Sub", 10)]


def test_front_matter_is_no_heading_and_lines_keep_their_numbers():
    sections = sections_of("a.md", "---\ntitle: x\n---\n\n# Top\n\ntext\n")
    assert [(each.heading, each.line) for each in sections] == [("", 1), ("Top", 5)]


def test_a_sections_text_ends_where_the_next_heading_begins_and_what_is_above_it_is_kept():
    sections = sections_of("a.md", "before\n\n# A\n\none\n\n### B\n\ntwo\n\n## C\n\nthree\n")
    assert [(each.place, each.text) for each in sections] == [
        ("", "before"), ("A", "one"), ("A > B", "two"), ("A > C", "three")
    ]  # fmt: skip


def test_headings_of_restructured_text_are_found_by_their_underlines():
    text = (
        "=====\nTitle\n=====\n\nIntro\n\nPart one\n--------\n\ntext\n\nDeeper\n~~~~~~\n\nmore\n\nPart two\n--------\n"
    )
    sections = sections_of("a.rst", text)
    assert [each.place for each in sections] == [
        "Title",
        "Title > Part one",
        "Title > Part one > Deeper",
        "Title > Part two",
    ]
    assert sections[1].anchor == "part-one"
    assert sections[1].line == 7


def test_python_is_cut_into_its_top_its_classes_and_its_functions_with_their_decorators():
    sections = {each.heading: each for each in sections_of("app/main.py", WIKI["app/main.py"])}
    assert list(sections) == ["", "ItemStore", "ItemStore.addItem", "list_items"]
    assert "import os" in sections[""].text
    assert "return x" not in sections["ItemStore"].text
    assert (sections["list_items"].line, sections["list_items"].end) == (12, 14)


def test_asciidoc_is_cut_at_its_headings_and_what_stands_in_a_block_is_none():
    sections = sections_of(
        "a.adoc", "= Guide\n\nFirst.\n\n== Set it up\n\n----\n== no heading\n----\nDone.\n\n=== Deeper\n"
    )
    assert [each.place for each in sections] == ["Guide", "Guide > Set it up", "Guide > Set it up > Deeper"]
    assert sections[1].anchor == "set-it-up"
    assert "== no heading" in sections[1].text


def test_neither_a_form_feed_nor_a_separator_of_unicode_ends_a_line():
    code = "\f\ndef first():\n    return 1\n\f\ndef second():\n    return 2\n"
    assert [each.text for each in sections_of("a.py", code)][1:] == [
        "def first():\n    return 1",
        "def second():\n    return 2",
    ]
    notes = sections_of("a.md", "# One\n\na\u2028b\u2028c\n\n## Two\n\nThe pump.\n\n## Three\n\nThe valve.\n")
    assert [each.text for each in notes] == ["a\u2028b\u2028c", "The pump.", "The valve."]


@pytest.mark.parametrize("path", ["a.py", "a.md", "a.rst", "a.json", "a.adoc", "a.mdx"])
@pytest.mark.parametrize("text", ["", "\n", "def (", "x = " + "(" * 5000, "#" * 9000, "\ufeff# x", "---\n"])
def test_every_text_has_at_least_one_section(path: str, text: str):
    assert sections_of(path, text)


def test_a_search_finds_other_forms_of_a_word_and_says_which(root: Root, tmp_path: Path):
    hit = make(root, tmp_path).search("How do you resolve a merge conflict?", by="words")[0]
    assert hit.place == "wiki/git.md#resolving-merge-conflicts"
    assert hit.why == "words: resolving, merge, conflicts"
    assert hit.text == "Open the file, keep what you want, then stage it."


def test_source_is_found_by_the_parts_of_a_name_and_cited_with_its_line(root: Root, tmp_path: Path):
    assert make(root, tmp_path).search("add item", by="words")[0].place == "app/main.py:8"
    assert "app/main.py:12" in [hit.place for hit in make(root, tmp_path).search("list items", by="words")]


@pytest.mark.parametrize("query", ["", "?", '"', "a OR NOT (", "heading:x", "*", "\0", "NEAR(", "the of"])
def test_no_query_breaks_the_search(root: Root, tmp_path: Path, query: str):
    assert isinstance(make(root, tmp_path).search(query), list)


@needs_meaning
def test_meaning_finds_what_no_word_of_the_question_stands_in(root: Root, tmp_path: Path):
    hit = make(root, tmp_path).search("log in to a remote machine", by="meaning")[0]
    assert hit.path == "wiki/ssh.md"
    assert hit.why.startswith("meaning 0.")


@needs_meaning
def test_both_rankings_are_fused_and_the_reasons_of_both_are_given(root: Root, tmp_path: Path):
    assert "words: " in (why := make(root, tmp_path).search("connect with ssh")[0].why)
    assert "meaning " in why


def test_a_kind_of_file_is_ranked_as_though_there_were_no_other(root: Root, tmp_path: Path):
    found = make(root, tmp_path).search("list items", among=lambda path: path.endswith(".py"))
    assert {hit.path for hit in found} == {"app/main.py"}


def test_a_score_that_stands_out_is_not_levelled_by_its_rank():
    together = index_module.fuse((1.0, {1: 10.0, 2: 1.0, 3: 0.9}), (1.0, {2: 0.5, 3: 0.49, 1: 0.3}))
    assert [number for number, _ in together] == [1, 2, 3]


@needs_meaning
def test_what_stands_far_down_in_a_long_section_is_found_by_its_meaning(root: Root, documents: Path, tmp_path: Path):
    padding = "The gardener waters the roses in the evening.\n\n" * 40
    (documents / "wiki" / "long.md").write_text(f"# Notes\n\n{padding}A physician cures the patient.\n")
    (documents / "wiki" / "short.md").write_text(f"# Notes\n\n{padding}")
    found = make(root, tmp_path).search("doctor heals the sick", by="meaning")
    assert [hit.path for hit in found if hit.path in ("wiki/long.md", "wiki/short.md")][0] == "wiki/long.md"


def test_a_heading_that_is_the_questions_own_words_is_never_voted_down(root: Root, documents: Path, tmp_path: Path):
    near = "".join(
        f"## Rotate keys safely, part {number}\n\nRotate the key, rotating keys.\n\n" for number in range(40)
    )
    (documents / "near.md").write_text(near)
    (documents / "exact.md").write_text("# Handbook\n\n## Rotating a key\n\nAsk the office.\n")
    assert make(root, tmp_path).search("How do I rotate a key?")[0].place == "exact.md#rotating-a-key"


def test_what_a_search_cannot_find_is_named_words_that_stand_nowhere_and_files_that_are_not_read(
    root: Root, documents: Path, tmp_path: Path
):
    (documents / "large.md").write_text("# Large\n" + "x " * (1 << 19))
    (documents / "wide.md").write_bytes("# Wide\n\nThe zebra.\n".encode("utf-16"))
    (documents / "page.mdx").write_text("# Giraffes\n\nThey are tall.\n")
    (documents / "guide.adoc").write_text("= Okapis\n\nThey are shy.\n")
    (documents / ".env").write_text("x " * (1 << 20))
    index = make(root, tmp_path)
    assert index.search("giraffes", by="words")[0].place == "page.mdx#giraffes"
    assert index.search("okapis", by="words")[0].place == "guide.adoc#okapis"
    unknown, left_out, others = index.gaps("Do giraffes merge with a zebra?")
    assert unknown == ["zebra"]
    assert left_out == ["large.md (larger than 1 MiB)", "wide.md (no text in UTF-8 or Windows-1252)"]
    assert others == [".env"]


def test_without_the_extra_words_alone_answer(root: Root, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(meaning, "find_spec", lambda name: None)
    hits = make(root, tmp_path).search("merge conflict")
    assert hits
    assert all("meaning" not in hit.why for hit in hits)


def test_only_what_changed_is_read_again(root: Root, documents: Path, tmp_path: Path):
    for path in documents.rglob("*.*"):
        os.utime(path, (1_000_000_000, 1_000_000_000))
    index = make(root, tmp_path)
    assert (index.refresh().read, index.refresh().read) == (3, 0)
    (documents / "wiki/ssh.md").write_text("# SSH\n\n## Agent forwarding\n\nNew.\n", encoding="utf-8")
    (documents / "wiki/git.md").unlink()
    assert index.refresh() == index_module.Changes(read=1, gone=1)
    assert index.search("agent forwarding", by="words")[0].anchor == "agent-forwarding"
    assert not index.search("merge conflict", by="words")
    index.close()
    assert make(root, tmp_path).refresh().read == 0


def test_what_another_process_noticed_already_is_no_change_any_more(root: Root, documents: Path, tmp_path: Path):
    index, other = make(root, tmp_path), make(root, tmp_path)
    index.refresh()
    (documents / "wiki/git.md").unlink()
    assert other.refresh() == index_module.Changes(gone=1)
    assert index.refresh() == index_module.Changes()
    (documents / "wiki/git.md").write_text("# Git\n\nOf pineapples.\n", encoding="utf-8")
    assert index.refresh().read == 1
    assert other.refresh().read == 0
    assert other.search("pineapples", by="words")


def test_a_file_that_changes_within_the_same_instant_is_not_missed(root: Root, documents: Path, tmp_path: Path):
    path = documents / "wiki/ssh.md"
    index = make(root, tmp_path)
    index.refresh()
    stamp = path.stat().st_mtime_ns
    path.write_text(WIKI["wiki/ssh.md"].replace("keygen", "agents"), encoding="utf-8")
    os.utime(path, ns=(stamp, stamp))
    assert index.refresh().read == 1


def test_a_file_that_is_too_young_to_trust_is_read_each_time_and_written_down_once(
    root: Root, documents: Path, tmp_path: Path
):
    for path in documents.rglob("*.*"):
        os.utime(path, (4_000_000_000, 4_000_000_000))
    index = make(root, tmp_path)
    assert index.refresh().read == 3
    written = index._database.total_changes
    assert index.refresh() == index_module.Changes()
    assert index._database.total_changes == written


def test_a_file_that_was_only_touched_is_not_counted_as_read(root: Root, documents: Path, tmp_path: Path):
    index = make(root, tmp_path)
    index.refresh()
    os.utime(documents / "wiki/git.md", (1_000_000_000, 1_000_000_000))
    assert index.refresh().read == 0


def test_files_that_may_hold_a_secret_are_not_read(root: Root, documents: Path, tmp_path: Path):
    for name in (".env", ".env.docker.secret", "keys.secret"):
        (documents / name).write_text("LMS_API_KEY=pineapple", encoding="utf-8")
    assert not make(root, tmp_path).search("pineapple", by="words")


@pytest.mark.parametrize("damage", [b"not a database at all" * 99, b"SQLite format 3\0" + b"\xff" * 5000, b""])
def test_a_damaged_index_is_built_again_and_that_is_said(root: Root, tmp_path: Path, damage: bytes):
    make(root, tmp_path).refresh()
    path = store.path_of(tmp_path / "kept", root.path)
    path.write_bytes(damage)
    said: list[str] = []
    assert make(root, tmp_path, say=said.append).search("merge conflict")
    assert not damage or "is built again" in said[0]


def test_an_index_that_is_damaged_while_it_is_open_is_built_again(root: Root, tmp_path: Path):
    said: list[str] = []
    index = make(root, tmp_path, say=said.append)
    index.refresh()
    path = store.path_of(tmp_path / "kept", root.path)
    data = bytearray(path.read_bytes())
    data[4096:] = os.urandom(len(data) - 4096)
    path.write_bytes(data)
    with sqlite3.connect(path) as other:
        other.execute("PRAGMA user_version = 1")  # so that the open one reads the pages anew
    assert index.search("merge conflict")
    assert "is built again" in said[0]


def test_an_index_of_another_version_is_built_again_and_that_is_said(root: Root, tmp_path: Path):
    make(root, tmp_path).close()
    with sqlite3.connect(store.path_of(tmp_path / "kept", root.path)) as database:
        database.execute("PRAGMA user_version = 999")
    said: list[str] = []
    assert make(root, tmp_path, say=said.append).search("merge conflict")
    assert "another version" in said[0]


def test_where_no_file_can_be_kept_the_index_is_made_in_memory(root: Root, tmp_path: Path):
    (tmp_path / "kept").write_text("a file where the folder should be", encoding="utf-8")
    said: list[str] = []
    assert make(root, tmp_path, say=said.append).search("merge conflict")
    assert "made in memory" in said[0]


def test_whoever_opens_a_new_index_at_once_with_others_finds_it_whole(tmp_path: Path):
    together = threading.Barrier(4)

    def opened(turn: int) -> str:
        together.wait(60)
        database, rebuilt = store.open_store(tmp_path / f"{turn}.sqlite")
        database.close()
        return rebuilt

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(opened, [turn for turn in range(25) for _ in range(4)])) == {""}


def test_two_indexes_over_one_folder_and_several_threads_agree(root: Root, tmp_path: Path):
    first, second = make(root, tmp_path), make(root, tmp_path)
    places: list[str] = []
    threads = [
        threading.Thread(target=lambda index=index: places.append(index.search("merge conflict")[0].place))
        for index in (first, second) * 4
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert places == ["wiki/git.md#resolving-merge-conflicts"] * 8


def test_the_map_names_first_what_other_files_name_most_and_keeps_to_its_budget(
    documents: Path, root: Root, tmp_path: Path
):
    for number in range(3):
        (documents / f"app/use{number}.py").write_text(
            f"from main import ItemStore\n\ndef own{number}(): ItemStore()\n"
        )
    index = make(root, tmp_path)
    index.refresh()
    text = symbol_map(index.rows, tokens=12)
    assert text.startswith("app/main.py\n  5: class ItemStore\n[")
    assert "own2" in symbol_map(index.rows)


@pytest.mark.long
def test_10_000_notes_are_built_within_a_minute_and_answer_at_once(tmp_path: Path):
    import random

    chance = random.Random(7)
    words = [word for path in Path("docs").glob("*.md") for word in path.read_text(encoding="utf-8").split()]
    for number in range(10_000):
        path = tmp_path / f"notes/{number % 100}/note-{number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        parts = [
            f"## {' '.join(chance.choices(words, k=3))}\n\n{' '.join(chance.choices(words, k=60))}\n" for _ in range(3)
        ]
        path.write_text(f"# Note {number}\n\n" + "\n".join(parts), encoding="utf-8")
        os.utime(path, (1_000_000_000, 1_000_000_000))
    with Root(tmp_path / "notes") as root:
        index = Index(root, tmp_path / "kept")
        started, worked = time.perf_counter(), time.process_time()
        assert index.refresh().read == 10_000
        built, built_work = time.perf_counter() - started, time.process_time() - worked
        index.search("load the vectors")
        index._looked = time.monotonic() + 1000  # the files are not looked at in between
        seconds = []
        for _ in range(40):
            query = " ".join(chance.choices(words, k=6))
            started = time.process_time()
            assert index.search(query)
            seconds.append(time.process_time() - started)
        started = time.perf_counter()
        index.refresh()
        looked = time.perf_counter() - started
    middle = sorted(seconds)[20]
    print(
        f"\nbuilt in {built:.1f} s ({built_work:.1f} s of process time); answered in {1000 * middle:.1f} ms of process "
        f"time (most {1000 * max(seconds):.1f}); looked at the files in {1000 * looked:.0f} ms"
    )
    assert built < 600
    assert middle < 1
