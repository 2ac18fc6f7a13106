"""The notekeeper's search: how well it finds, in which store, and that it follows the files."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bench.notekeeper import (
    LANGUAGES,
    NOTES,
    copy_of_notes,
    first_three,
    other_language,
    questions,
    searching,
    times,
    write_notes,
)
from index import index, meaning, stores
from jobs.notekeeper import knowledge_base
from jobs.notekeeper.folders import MODEL
from jobs.notekeeper.knowledge_base import KnowledgeBase
from jobs.notekeeper.tools.kb_check import kb_check
from jobs.notekeeper.tools.save_note import save_note
from sandbox.files import root as root_module
from sandbox.files.root import Root

embeddings = pytest.mark.skipif(not meaning.available(MODEL), reason="needs the extra notekeeper")


def test_half_of_the_questions_share_no_word_with_their_note():
    passed = {"how", "does", "work"}
    for kind, wanted, question in questions():
        words = set(re.findall(r"\w{3,}", question.casefold())) - passed
        note = set(re.findall(r"\w{3,}", (NOTES / wanted.split()[0]).read_text(encoding="utf-8").casefold()))
        if kind == "words":
            assert words & note, question
        else:
            shared = words & note - {"the", "and", "with", "for", "from", "such", "what", "where", "can", "which"}
            assert not shared, (question, shared)


@embeddings
def test_of_fifty_questions_forty_five_find_their_note_among_the_first_three(tmp_path: Path):
    right = first_three(NOTES, tmp_path, questions())
    print(right)
    assert sum(hits for hits, _ in right.values()) >= 45


def test_by_words_alone_every_question_that_shares_words_finds_its_note(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(meaning, "available", lambda model: False)
    right = first_three(NOTES, tmp_path, questions())
    print(right)
    assert right["words"] == (25, 25)


@embeddings
@pytest.mark.parametrize("language", LANGUAGES)
def test_in_other_languages_words_find_and_so_does_meaning(tmp_path: Path, language: str):
    asked = other_language(language, tmp_path / "notes")
    right = first_three(tmp_path / "notes", tmp_path / "index", asked)
    print(language, right)
    assert right == {"words": (8, 8), "meaning": (8, 8)}


def test_an_index_whose_vectors_are_of_another_model_is_built_again_and_says_so(tmp_path: Path):
    said: list[str] = []
    with Root(NOTES) as root:
        index.Index(root, tmp_path, say=said.append).close()
        assert said == []
        index.Index(root, tmp_path, say=said.append, model=meaning.MANY).close()
        index.Index(root, tmp_path, say=said.append, model=meaning.MANY).close()
    assert said == ["The search index was of another model of meaning and is built again."]


@embeddings
@pytest.mark.parametrize("store", ["numpy", "faiss", "qdrant"])
def test_every_store_of_vectors_finds_the_same_and_follows_the_files(
    tmp_path: Path, store: str, monkeypatch: pytest.MonkeyPatch
):
    address = ""
    if store == "numpy":
        monkeypatch.setattr(stores, "find_spec", lambda name: None)
    elif store == "faiss":
        pytest.importorskip("faiss")
    else:
        qdrant = pytest.importorskip("qdrant_client")
        local, address = qdrant.QdrantClient(":memory:"), "http://127.0.0.1:6333"
        monkeypatch.setattr(qdrant, "QdrantClient", lambda *_, **__: local)  # its own local mode, in place of a server
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "sky.md").write_text("# Sky\n\nStars and planets through a telescope.\n", encoding="utf-8")
    (notes / "soup.md").write_text("# Soup\n\nCarrots, onions and a bay leaf, simmered.\n", encoding="utf-8")
    with Root(notes) as root:
        kb = KnowledgeBase(root, tmp_path / "index", qdrant=address)
        assert kb.index.search("astronomy", 1, by="meaning")[0].path == "sky.md"
        (notes / "sky.md").unlink()
        (notes / "galaxies.md").write_text("# Galaxies\n\nAndromeda is a spiral.\n", encoding="utf-8")
        kb.index.refresh()
        assert [hit.path for hit in kb.index.search("astronomy", 3, by="meaning")] == ["galaxies.md", "soup.md"]
        assert isinstance(kb.index._vectors, {"faiss": stores.Faiss, "qdrant": stores.Qdrant}.get(store, object))
        kb.close()


@embeddings
def test_a_qdrant_server_that_is_not_there_is_told_and_the_search_goes_on(tmp_path: Path, closed_port: int):
    pytest.importorskip("qdrant_client")
    said: list[str] = []
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "sky.md").write_text("# Sky\n\nStars.\n", encoding="utf-8")
    with Root(tmp_path / "notes") as root:
        kb = KnowledgeBase(root, tmp_path / "index", say=said.append, qdrant=f"http://127.0.0.1:{closed_port}")
        assert kb.search("astronomy", 1)[0].hit.path == "sky.md"
        kb.close()
    assert any("Qdrant" in line for line in said)


def test_an_edit_is_seen_at_the_next_search(tmp_path: Path):
    (tmp_path / "notes").mkdir()
    note = tmp_path / "notes" / "one.md"
    note.write_text("# One\n\nelephant\n", encoding="utf-8")
    with Root(tmp_path / "notes") as root:
        kb = KnowledgeBase(root, tmp_path / "index")
        assert kb.search("elephant", 1)
        note.write_text("# One\n\ngiraffe\n", encoding="utf-8")
        assert kb.search("giraffe", 1)[0].hit.path == "one.md"
        kb.close()


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[tuple[KnowledgeBase, Path]]:
    """Sixty notes in six folders, of long ago and all seen before."""
    notes = tmp_path / "notes"
    write_notes(notes, 60, folders=6)
    for note in notes.rglob("*.md"):
        os.utime(note, (1_000_000_000, 1_000_000_000))
    with Root(notes) as root:
        kb = KnowledgeBase(root, tmp_path / "index")
        assert save_note(kb, "First", "The first of all.", "topic1").startswith("Created")
        yield kb, notes
        kb.close()


def test_a_save_lists_each_folder_once_and_looks_at_each_file_once(
    kept: tuple[KnowledgeBase, Path], monkeypatch: pytest.MonkeyPatch
):
    kb, _ = kept
    folders, files, read = 0, 0, list[str]()
    scan, read_one = root_module.Directory.scan, root_module.Directory.read

    def counted(directory: root_module.Directory) -> Iterator[tuple[str, os.stat_result | None]]:
        nonlocal folders, files
        folders += 1
        for name, status in scan(directory):
            files += name.endswith(".md")
            yield name, status

    def noted(directory: root_module.Directory, name: str, most: int) -> bytes | None:
        read.append(name)
        return read_one(directory, name, most)

    monkeypatch.setattr(root_module.Directory, "scan", counted)
    monkeypatch.setattr(root_module.Directory, "read", noted)
    told = save_note(kb, "Second", "Another thing entirely.", "topic1", related=["topic1/first.md", "topic2/note-2.md"])
    assert told.startswith('Created "topic1/second.md", linked both ways')
    assert (folders, files) == (7, 61)
    assert len(read) < 20  # what is new, near or linked; never all


def write_in(path: Path, text: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


SEEN = "Snow falls on the pass."
BY_OTHERS: dict[str, Callable[[Path], object]] = {
    "edited in place": lambda notes: (notes / "topic1/note-1.md").write_text(f"# Snow\n\n{SEEN}\n", encoding="utf-8"),
    "added": lambda notes: (notes / "topic1/new.md").write_text(f"# Snow\n\n{SEEN}\n", encoding="utf-8"),
    "in a new folder": lambda notes: write_in(notes / "weather/new.md", f"# Snow\n\n{SEEN}\n"),
    "replaced": lambda notes: write_in(notes / "aside", f"# Snow\n\n{SEEN}\n").replace(notes / "topic1/note-1.md"),
}


@pytest.mark.parametrize("change", BY_OTHERS)
def test_what_somebody_else_wrote_since_the_last_save_is_seen_by_the_next_one_and_by_the_search(
    kept: tuple[KnowledgeBase, Path], change: str
):
    kb, notes = kept
    BY_OTHERS[change](notes)
    assert kb.search("snow on the pass", 1)[0].title == "Snow"
    BY_OTHERS[change](notes)
    assert "says this already" in save_note(kb, "snow", SEEN, "topic1")  # by its title
    assert "says this already" in save_note(kb, "On the pass", SEEN, "topic1")  # by its words
    assert save_note(kb, "Snow", "It melts in May.", "topic1").startswith("Extended")


def test_a_note_that_somebody_else_renamed_or_deleted_is_not_where_it_was(kept: tuple[KnowledgeBase, Path]):
    kb, notes = kept
    (notes / "topic1/first.md").rename(notes / "topic2/other.md")
    assert save_note(kb, "First", "More of it.", "topic1") == 'Extended "topic2/other.md" by 1 paragraph'
    (notes / "topic2/other.md").unlink()
    assert save_note(kb, "First", "More of it.", "topic1") == 'Created "topic1/first.md"'


def test_an_edit_that_leaves_size_and_time_as_they_were_a_moment_ago_is_seen(kept: tuple[KnowledgeBase, Path]):
    kb, notes = kept
    note = notes / "topic1/first.md"
    stamp = note.stat().st_mtime_ns
    assert "First" in kb.titles().values()
    note.write_text(note.read_text(encoding="utf-8").replace("First", "Fists"), encoding="utf-8")
    os.utime(note, ns=(stamp, stamp))
    assert "Fists" in kb.titles().values()


def test_in_a_large_folder_a_search_sees_what_was_written_here_and_lists_no_folder_for_it(
    kept: tuple[KnowledgeBase, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    kb, notes = kept
    monkeypatch.setattr(knowledge_base, "QUICK", -1.0)  # as though there were too many files to look at
    monkeypatch.setattr(knowledge_base, "MOST_BY_FORMS", 0)
    monkeypatch.setattr(index, "LOOK_AGAIN", float("inf"))  # and never two seconds passed
    monkeypatch.setattr(root_module.Directory, "scan", lambda directory: pytest.fail("a folder was listed"))

    def found(query: str) -> list[str]:
        return [hit.path for hit in kb.index.search(query, 5, by="words")]

    def searched(query: str) -> list[str]:
        assert kb.search(query, 5)
        return found(query)

    with Root(notes) as another:  # of this process, as a message's run has it beside the page's search
        beside = KnowledgeBase(another, tmp_path / "index")
        another.write_text("topic1/avalanche.md", "# Avalanche\n\nIt came down in the night.\n")
        beside.close()
    (notes / "topic1/by-somebody.md").write_text("# Avalanche\n\nAnother.\n", encoding="utf-8")
    assert searched("avalanche") == ["topic1/avalanche.md"]
    kb.root.change_text("topic1/avalanche.md", lambda old: old.replace("night", "glacier"))
    assert searched("glacier") == ["topic1/avalanche.md"]
    kb.root.write_text(".obsidian/glacier.md", "# Glacier\n")  # no note
    assert searched("glacier") == ["topic1/avalanche.md"]
    assert kb.search("Где лежит avalanche и сколько?", 1)[0].hit.path == "topic1/avalanche.md"
    kb.root.remove("topic1/avalanche.md")
    assert kb.search("first", 1)
    assert not found("avalanche")
    monkeypatch.undo()
    assert kb.index.refresh().read == 1  # what somebody else wrote; what was written here is known
    assert found("avalanche") == ["topic1/by-somebody.md"]


@embeddings
def test_neighbours_are_the_nearest_of_all_whatever_is_compared_at_a_time(monkeypatch: pytest.MonkeyPatch):
    import numpy

    draw = numpy.random.default_rng(1)
    vectors: Any = object.__new__(meaning.Vectors)
    vectors.paths = [f"{row % 23}.md" for row in range(70)]  # some of three parts, some of four
    vectors.matrix = draw.standard_normal((70, 8)).astype("float32")
    mean = numpy.array([vectors.matrix[at::23].mean(0) for at in range(23)])
    mean -= mean.mean(0)
    mean /= numpy.linalg.norm(mean, axis=1, keepdims=True)
    for slice_ in (1, 5, 500):
        monkeypatch.setattr(meaning, "SLICE", slice_)
        found = dict(vectors.neighbours(4))
        assert len(found) == 23
        for at in range(23):
            order = [each for each in numpy.argsort(-(mean @ mean[at])) if each != at][:4]
            assert set(found[f"{at}.md"]) == {f"{each}.md" for each in order}


@pytest.mark.parametrize(
    "by_meaning", [pytest.param(True, marks=embeddings, id="meaning"), pytest.param(False, id="words")]
)
def test_the_check_tells_which_notes_lie_among_those_of_another_topic(by_meaning: bool, tmp_path: Path):
    notes = copy_of_notes(tmp_path)
    (notes / "garden/chain-care.md").write_bytes((notes / "cycling/chain-care.md").read_bytes())
    (notes / "cycling/chain-care.md").unlink()
    with searching(by_meaning=by_meaning), Root(notes) as root:
        kb = KnowledgeBase(root, tmp_path / "index")
        told = {line for line in kb_check(kb).splitlines() if line.startswith("misplaced")}
        kb.close()
    clear = {"misplaced | cycling/perseids-2025.md | astronomy"}  # by its words, too
    every = clear | {"misplaced | garden/chain-care.md | cycling", "misplaced | kitchen/bicycle-tubes.md | cycling"}
    assert told == (every if by_meaning else clear)


@pytest.mark.long
def test_ten_thousand_notes(tmp_path: Path):
    measured = times(tmp_path, 10_000)  # raises where a note is not found again
    print(measured)
    assert measured.build < 400  # a hang guard (60 s on two quiet cores): the figure is printed
