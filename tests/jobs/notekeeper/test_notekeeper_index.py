"""The notekeeper's search: how well it finds, in which store, and that it follows the files."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from bench.notekeeper import LANGUAGES, NOTES, first_three, other_language, questions
from index import meaning, stores
from jobs.notekeeper.knowledge_base import KnowledgeBase
from sandbox.files.root import Root

embeddings = pytest.mark.skipif(not meaning.available(), reason="needs the extra notekeeper")


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
    monkeypatch.setattr(meaning, "available", lambda: False)
    right = first_three(NOTES, tmp_path, questions())
    print(right)
    assert right["words"] == (25, 25)


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_other_languages_words_find_and_meaning_hardly_does(tmp_path: Path, language: str):
    asked = other_language(language, tmp_path / "notes")
    right = first_three(tmp_path / "notes", tmp_path / "index", asked)
    print(language, right)
    assert right["words"] == (8, 8)


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


@pytest.mark.long
def test_ten_thousand_notes(tmp_path: Path):
    notes = tmp_path / "notes"
    words = re.findall(r"\w{4,}", " ".join(path.read_text(encoding="utf-8") for path in NOTES.rglob("*.md")))
    for number in range(10_000):
        folder = notes / f"topic{number % 50}"
        folder.mkdir(parents=True, exist_ok=True)
        body = " ".join(words[(number * 37 + step * 11) % len(words)] for step in range(90))
        (folder / f"note-{number}.md").write_text(f"# Note {number} {body[:30]}\n\n{body}\n", encoding="utf-8")
    with Root(notes) as root:
        kb = KnowledgeBase(root, tmp_path / "index")
        began = time.perf_counter()
        kb.index.refresh()
        built = time.perf_counter() - began
        kb.search("first", 5)
        times = []
        for question in ("rings of saturn", "sourdough at night", "git branches", "flat tyre", "compost") * 4:
            began = time.perf_counter()
            kb.search(question, 5)
            times.append(time.perf_counter() - began)
        print(f"10,000 notes: built in {built:.1f} s, answered in {sorted(times)[len(times) // 2] * 1000:.0f} ms")
        kb.close()
    assert built < 120  # a hang guard: the figure is printed
