"""From an empty folder: topics come of what is sent, in six languages."""

from __future__ import annotations

import posixpath
from collections import Counter
from pathlib import Path

import pytest

from bench.from_nothing import answered, filed
from bench.notekeeper import keeper
from config import PROJECT
from jobs.notekeeper.forms import foreign, forms, nearest
from jobs.notekeeper.knowledge_base import KnowledgeBase
from jobs.notekeeper.tools.kb_vector_search import kb_vector_search
from jobs.notekeeper.tools.move_note import move_note
from jobs.notekeeper.tools.save_note import save_note
from offline.notekeeper.found import Hit, category_among, mates_of, note_for
from offline.notekeeper.mind import plan_note
from offline.notekeeper.topics import topic_of
from offline.notekeeper.wishes import Wish, read_wish
from offline.wire.conversation import Conversation, Step
from sandbox.files.root import Root

LINES = (PROJECT / "datasets" / "note_texts" / "from_nothing.txt").read_text(encoding="utf-8").splitlines()
SENT = [[part.strip() for part in line.split("|", 3)] for line in LINES if not line.startswith("#")]


def sent(kb: KnowledgeBase, text: str) -> None:
    """A message as the built-in mind keeps it."""
    found = str(kb_vector_search(kb, text, 8))
    note = note_for(text, found)
    said = str(save_note(kb, **note))
    folder = posixpath.dirname(said.split('"')[1])
    for path in mates_of(note, found) if said.startswith("Created") else ():
        move_note(kb, path, f"{folder}/{posixpath.basename(path)}")


def right(language: str, place: Path) -> dict[str, int]:
    """How many messages of a language lie in a topic folder most of whose messages are of their topic."""
    own = [row for row in SENT if row[0] == language]
    (place / language).mkdir()
    with Root(place / language) as root:
        kb = KnowledgeBase(root, place / "index")
        for *_, text in own:
            sent(kb, text)
        where = {text: posixpath.dirname(path) for path, note in kb.notes() for *_, text in own if text in note}
        kb.close()
    topics = {folder: Counter(row[2] for row in own if where[row[3]] == folder) for folder in where.values()}
    good = Counter()
    for _, kind, topic, text in own:
        folder = where[text]
        good[kind] += folder not in ("", "general") and topics[folder].most_common(1)[0][0] == topic
    return dict(good)


@pytest.mark.long
def test_four_of_five_messages_lie_in_a_folder_of_their_topic(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    good = Counter()
    for language in dict.fromkeys(row[0] for row in SENT):
        good.update(right(language, tmp_path))
    total = Counter(row[1] for row in SENT)
    with capsys.disabled():
        print(f"\nfrom nothing: {', '.join(f'{kind} {good[kind]} of {total[kind]}' for kind in total)}")
    assert total["open"] == total["held"] == 102
    assert good["open"] >= 0.8 * 102
    assert good["held"] >= 0.8 * 102


@pytest.mark.parametrize("language", ["zh"])
def test_questions_are_answered_from_the_right_note(language: str, tmp_path: Path, built_in_model: str):
    (tmp_path / "notes").mkdir()
    with keeper(tmp_path / "notes", built_in_model) as held:
        filed(held, language)
        counted = answered(held, language)
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
        ("A bank beside the garden.", ""),  # of two topics alike: of none
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
