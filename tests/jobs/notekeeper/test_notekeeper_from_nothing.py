"""From an empty folder: topics come of what is sent, in six languages."""

from __future__ import annotations

import posixpath
from collections import Counter
from pathlib import Path

import pytest

from bench.from_nothing import answered, beside, filed, holds, judged, languages, rows
from bench.notekeeper import keeper
from index import meaning
from jobs.notekeeper.folders import MODEL
from jobs.notekeeper.forms import foreign, forms, nearest
from jobs.notekeeper.knowledge_base import KnowledgeBase
from jobs.notekeeper.tools.get_kb_structure import get_kb_structure
from jobs.notekeeper.tools.kb_vector_search import kb_vector_search
from jobs.notekeeper.tools.move_note import move_note
from jobs.notekeeper.tools.save_note import save_note
from offline.notekeeper.found import Hit, category_among, likeness_in, mates_of, note_for
from offline.notekeeper.mind import plan_note
from offline.notekeeper.topics import topic_of
from offline.notekeeper.wishes import Wish, read_wish
from offline.wire.conversation import Conversation, Step
from sandbox.files.root import Root


def sent(kb: KnowledgeBase, text: str) -> None:
    """A message as the built-in mind keeps it."""
    found = str(kb_vector_search(kb, text, 8))
    note = note_for(text, found, structure=str(get_kb_structure(kb)))
    said = str(save_note(kb, **note))
    folder = posixpath.dirname(said.split('"')[1])
    for path in mates_of(note, found) if said.startswith("Created") else ():
        move_note(kb, path, f"{folder}/{posixpath.basename(path)}")


def right(name: str, language: str, place: Path) -> Counter[str]:
    """How a language's messages of a set lie, sent to an empty folder."""
    own = [row for row in rows(name) if row[0] == language]
    (place / language).mkdir(parents=True)
    with Root(place / language) as root:
        kb = KnowledgeBase(root, place / f"{language} index")
        for *_, text in own:
            sent(kb, text)
        where = {text: posixpath.dirname(path) for path, note in kb.notes() for *_, text in own if holds(note, text)}
        kb.close()
    return judged(own, where)


@pytest.mark.long
@pytest.mark.parametrize(("name", "each"), [("from_nothing.txt", 102), ("everyday.txt", 72)])
def test_four_of_five_messages_lie_in_a_folder_of_their_topic(name: str, each: int, tmp_path: Path):
    good = sum((right(name, language, tmp_path) for language in languages(name)), Counter[str]())
    assert good["open sent"] == good["held sent"] == each
    assert good["open filed"] >= 0.8 * each
    assert good["held filed"] >= 0.8 * each
    assert good["open both"] >= 0.75 * good["open together"]
    assert good["held both"] >= 0.65 * good["held alike"]


@pytest.mark.long
@pytest.mark.skipif(not meaning.available(MODEL), reason="needs the extra notekeeper")
def test_of_a_strangers_messages_more_lie_right_than_by_words_alone(tmp_path: Path, built_in_model: str):
    counted: Counter[str] = Counter()
    for language in languages("strangers.txt"):
        (folder := tmp_path / language).mkdir()
        with keeper(folder, built_in_model) as held:
            counted += filed(held, language, "strangers.txt")
            counted += answered(held, language, "strangers_questions.txt")
        counted += beside(tmp_path, language, built_in_model, "strangers.txt")
    print(counted)
    assert counted["open sent"] == counted["held sent"] == 102
    assert counted["open filed"] >= 45  # 40 before, and 12 with notes, and 25 questions
    assert counted["open beside"] >= 40
    assert counted["open right"] >= 27


@pytest.mark.long
@pytest.mark.parametrize("language", ["zh"])
def test_questions_are_answered_from_the_right_note(language: str, tmp_path: Path, built_in_model: str):
    (tmp_path / "notes").mkdir()
    with keeper(tmp_path / "notes", built_in_model) as held:
        filed(held, language)
        counted = answered(held, language, "from_nothing_questions.txt")
    assert counted["open right"] + counted["held right"] >= 9
    assert counted["open asked"] + counted["held asked"] == 10


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("The dentist has an appointment for me.", "health"),
        ("Der Hund muss zum Tierarzt.", "tiere"),
        ("Hundert Dinge sind zu tun.", ""),
        ("Я хорошо сплю.", ""),
        ("I feel fine.", ""),
        ("A bank beside the garden.", "money"),  # of two topics alike: of the one that is told first
        ("Zur Sprechstunde in die Uniklinik.", "gesundheit"),  # a part of a long word
        ("In zwölf Kreisen.", ""),
        ("给小狗打疫苗，兽医说的。", "宠物"),
    ],
)
def test_the_table_of_topics_tells_a_topic_that_leads(text: str, topic: str):
    assert topic_of(text).name == topic


def test_a_folder_under_another_name_is_the_topics():
    assert topic_of("The bicycle needs a new chain.").names("sport/cycling")
    assert not topic_of("The bicycle needs a new chain.").names("kitchen")
    notes = [Hit(f"cycling/{name}.md#1", name, 0.5, 0.3, ()) for name in "abc"]
    assert category_among(notes, topic_of("The bicycle needs a new chain.")) == "cycling"


def test_a_folder_that_is_another_topics_is_not_taken_for_one_of_its_words():
    assert not topic_of("Butter und Reis für den Kuchen.").names("reise")
    assert topic_of("Ein Rezept mit Butter.").names("recipes")


def test_the_folders_that_a_search_calls_near_are_read_whatever_they_are_called():
    line = "[Folders by likeness: car; bike 0.41; year 0.25 -0.02; [old] 0.00]"
    assert likeness_in(f"a.md | A | 0.500 | words: a | a\n{line}") == {
        "car; bike": 0.41,
        "year 0.25": -0.02,
        "[old]": 0.0,
    }
    assert likeness_in("[Folders by likeness: no number]") == likeness_in("No note is about this.") == {}


def test_the_folder_of_a_topic_is_found_where_no_near_note_lies():
    structure = "recipes/ (2 notes): Scones, Hummus\nwork/ (1 notes): Demo"
    assert (
        note_for("Bake the bread for an hour.", "No note is about this.", structure=structure)["category"] == "recipes"
    )


@pytest.mark.parametrize("shared", ["zwei", "euros", "二千", "12"])
def test_a_number_or_a_coin_in_both_makes_no_topic(shared: str):
    found = f"general/a.md | A | 0.9 | words: {shared}; forms 0.40 | A"
    assert note_for("Es sind zwei für 12 euros.", found)["category"] == "general"


def test_a_second_note_makes_a_topic_and_takes_the_first_along():
    first = "general/a.md | A | 0.9 | words: помид, даче | A"
    text = "На даче посадили помидоры и лук в два ряда у забора."
    steps = (Step("", "kb_vector_search", {}, first), Step("", "save_note", {}, 'Created "даче/b.md"'))
    (move,) = plan_note(Wish("note", content=text), Conversation(text, steps, tools=frozenset(["move_note"]))).calls
    assert dict(move.arguments) == {"path": "general/a.md", "to": "даче/a.md"}


@pytest.mark.parametrize(
    ("prompt", "kind"),
    [
        ("番茄什么时候浇水？", "ask"),
        ("トマトはいつ植えますか", "ask"),
        ("你喜欢番茄吗", "ask"),
        ("菜园里的番茄每天傍晚要浇水，天热的时候早上也要浇。", "note"),
    ],
)
def test_a_question_without_spaces_is_one(prompt: str, kind: str):
    assert read_wish(prompt).kind == kind


def test_forms_of_a_word_meet_and_what_most_notes_share_does_not():
    notes = {"a": forms("Les tomates du jardin"), "b": forms("Le plombier du jardin"), "c": forms("Le train du jardin")}
    notes |= {"d": forms("番茄每天浇水"), "e": forms("Un vélo du jardin")}
    assert nearest(forms("Une tomate"), notes, 5)[0][0] == "a"
    assert nearest(forms("番茄"), notes, 5)[0][0] == "d"
    assert nearest(forms("jardin"), notes, 5) == []
    assert foreign("Der Hund und die Katze")
    assert foreign("Собака")
    assert not foreign("telescopes")
    assert not foreign("The dog of the house")
