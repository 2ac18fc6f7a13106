"""What the notekeeper's mind makes of tables, of abbreviations, of notes that say otherwise, and of notes named in words."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapshots import snapshot

from bench.notekeeper import keeper
from offline.notekeeper.extract import best, note_of, sentences, title

TABLE = "| {} | kWh |\n|---|---|\n| {} | 412 |\n| {} | 388 |\n| {} | 301 |"
ENGLISH = TABLE.format("month", "Jan", "Feb", "Mar")
INSURANCE = "Insurance policy HX-2291-774 with Baltica, excess 250 euros, claims line 0800 555 0142"


def said(tmp_path: Path, model: str, *lines: str) -> str:
    """The last answer, when these were sent one after the other: a line that begins with "+" is a text to keep."""
    (tmp_path / "notes").mkdir(exist_ok=True)
    with keeper(tmp_path / "notes", model) as held:
        results = [held.process(line[1:]) if line.startswith("+") else held.task(line) for line in lines]
    return str(results[-1].answer)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Mr. Haugen has the cabin key. It is red.", "Mr. Haugen has the cabin key."),
        ("Ask Dr. Okafor at St. Mary's, e.g. by mail. She answers.", "Ask Dr. Okafor at St. Mary's, e.g. by mail."),
        (
            "We read J. R. R. Tolkien in class, see No. 5 there. Then we slept.",
            "We read J. R. R. Tolkien in class, see No. 5 there.",
        ),
        ("We live in Mill St. The key is with Anna.", "We live in Mill St."),
        ("Take vitamin C. It helps.", "Take vitamin C."),
        ("Am 12. Oktober kommt Fr. Huber, z. B. um 9. Dann essen wir.", "Am 12. Oktober kommt Fr. Huber, z. B. um 9."),
        ("Demande à M. Dupont, p. ex. demain. Il sait.", "Demande à M. Dupont, p. ex. demain."),
        ("El Sr. Pérez y la Dra. Ruiz vienen. Hay café.", "El Sr. Pérez y la Dra. Ruiz vienen."),
        ("Аптека на ул. Ленина, д. 5. Она открыта.", "Аптека на ул. Ленина, д. 5."),
    ],
)
def test_a_full_stop_of_a_title_an_initial_or_an_abbreviation_ends_no_sentence(text: str, first: str):
    assert sentences(text)[0] == first
    assert len(sentences(text)) == 2
    assert title(text).startswith(first[:14])


def test_a_table_and_a_block_of_code_are_neither_taken_apart_nor_summed_up():
    assert sentences(f"Power:\n{ENGLISH}\nIt fell. Good.") == ["Power:", ENGLISH, "It fell.", "Good."]
    assert sentences("```sh\na. B\n\n# c\n```\nDone.") == ["```sh\na. B\n\n# c\n```", "Done."]
    assert note_of(ENGLISH) == ENGLISH
    assert title(ENGLISH) == "month, kWh"
    assert title(f"{ENGLISH}\n\nPower at the cabin. Much.") == "Power at the cabin"
    assert title("```sh\nrestic backup /srv\n```") == "restic backup /srv"
    told = note_of(f"{ENGLISH}\n\n" + "One is here. Two is there. Three is near. Four is far. Five is red.")
    assert told.count("| month | kWh |") == 1
    assert best("```sh\ncat a |\nsort b |\nuniq\n```", 1, about="sort") == ["```sh\ncat a |\nsort b |\nuniq\n```"]


@pytest.mark.parametrize(
    ("names", "question"),
    [
        (("month", "Jan", "Feb", "Mar"), "How many kWh did we use in February?"),
        (("Monat", "Jan", "Feb", "Mär"), "Wie viele kWh waren es im Februar?"),
        (("mois", "janv.", "févr.", "mars"), "Combien de kWh en février ?"),
        (("mes", "ene", "feb", "mar"), "¿Cuántos kWh en febrero?"),
        (("месяц", "янв", "фев", "мар"), "Сколько kWh ушло в феврале?"),
        (("月份", "1月", "2月", "3月"), "2月用了多少 kWh？"),
        (("room", "Kitchen", "Bedroom", "Hall"), "How many kWh does the bedroom use?"),
    ],
)
def test_of_a_table_the_row_that_fits_is_the_answer_below_its_header(
    names: tuple[str, ...], question: str, tmp_path: Path, built_in_model: str
):
    answer = said(tmp_path, built_in_model, f"+{TABLE.format(*names)}", question)
    assert answer.startswith(f"| {names[0]} | kWh |\n|---|---|\n| {names[2]} | 388 |\n\nFrom ")


@pytest.mark.parametrize(
    ("old", "new", "question"),
    [
        (
            "The cat gets 0.4 ml of Loxicom once a day.",
            "The cat gets 0.5 ml of Loxicom once a day.",
            "How much Loxicom does the cat get?",
        ),
        (
            "Der Hund bekommt 10 mg Apoquel am Morgen.",
            "Der Hund bekommt 15 mg Apoquel am Morgen.",
            "Wie viel Apoquel bekommt der Hund?",
        ),
        ("Clara is allergic to nuts.", "Clara has no allergy to nuts.", "What is Clara allergic to?"),
    ],
)
def test_where_notes_say_otherwise_both_are_given_with_their_dates_the_newer_first(
    old: str, new: str, question: str, tmp_path: Path, built_in_model: str
):
    said(tmp_path, built_in_model, f"+{old}")
    for path in (tmp_path / "notes").rglob("*.md"):
        path.write_text(path.read_text(encoding="utf-8").replace("date: 20", "date: 19"), encoding="utf-8")
    first, second, *_ = said(tmp_path, built_in_model, f"+{new}", question).split("\n\n")
    assert first.startswith(f"{new} (")
    assert ", 20" in first
    assert old in second
    assert ", 19" in second


def test_what_one_note_says_and_denies_is_told_with_both_days_and_no_more_once_it_is_corrected(
    tmp_path: Path, built_in_model: str
):
    texts = ("Clara is allergic to nuts.", "Clara is not allergic to nuts.")
    said(tmp_path, built_in_model, f"+# Allergies\n\n{texts[0]}", f"+# Allergies\n\n{texts[1]}")
    path = next((tmp_path / "notes").rglob("*.md"))
    path.write_text(path.read_text(encoding="utf-8").replace("date: 20", "date: 19"), encoding="utf-8")
    first, second, *_ = said(tmp_path, built_in_model, "Is Clara allergic to nuts?").split("\n\n")
    assert first.startswith(f"{texts[1]} (")
    assert ", 20" in first
    assert second.startswith(f"Contradicts: {texts[0]} (")
    assert ", 19" in second
    path.write_text(f"{path.read_text(encoding='utf-8')}\n> Supersedes: {texts[0]}\n", encoding="utf-8")
    assert "Contradicts" not in said(tmp_path, built_in_model, "Is Clara allergic to nuts?")


def test_a_note_that_is_named_in_words_is_moved_and_merged_where_just_one_fits(tmp_path: Path, built_in_model: str):
    notes = tmp_path / "notes"
    said(tmp_path, built_in_model, f"+{INSURANCE}", "Move the insurance note into a folder called paperwork")
    path = next((notes / "paperwork").glob("*.md"))
    said(tmp_path, built_in_model, "+The boiler hums.", "please move the note about the boiler to the cellar folder")
    assert "hums" in (notes / "cellar/the-boiler-hums.md").read_text(encoding="utf-8")
    answer = said(tmp_path, built_in_model, "merge my boiler note into the Baltica note")
    assert answer.startswith("Merged")
    assert "hums" in path.read_text(encoding="utf-8")
    said(tmp_path, built_in_model, f"move paperwork/{path.name} to the folder named letters")
    assert (notes / "letters" / path.name).exists()


@pytest.mark.parametrize(
    ("order", "told"),
    [
        (
            "move the boiler note to the cellar",
            "- move home/the-boiler-hums.md to cellar\n- move home/the-boiler-leaks.md to cellar",
        ),
        ("delete the hums note", "- delete home/the-boiler-hums.md"),  # of just this title there is none
        ("delete the note about the boiler", "- delete home/the-boiler-leaks.md"),
        ("move the sofa note to the cellar", "Name it by its path."),
        ("move it to the cellar", "by its path or its title"),
    ],
)
def test_where_it_is_not_sure_which_note_is_meant_nothing_is_changed_and_it_is_asked(
    order: str, told: str, tmp_path: Path, built_in_model: str
):
    notes = {
        "home/the-boiler-hums.md": "# The boiler hums\n\nLoud.\n",
        "home/the-boiler-leaks.md": "# The boiler leaks\n",
    }
    (tmp_path / "notes/home").mkdir(parents=True)
    for path, text in notes.items():
        (tmp_path / "notes" / path).write_text(text, encoding="utf-8")
    before = snapshot(tmp_path / "notes")
    answer = said(tmp_path, built_in_model, order)
    assert told in answer
    assert "nothing was changed" in answer
    assert snapshot(tmp_path / "notes") == before
    assert said(tmp_path, built_in_model, 'delete the note "The boiler leaks"').startswith("Deleted")


@pytest.mark.parametrize(
    ("note", "question", "answer"),
    [
        ("Huber serviced the boiler in March 2024.", "Who won the chess match in March 2024?", "say nothing"),
        ("Le plombier vient le 3 février.", "Qui a gagné le tournoi en février ?", "say nothing"),
        (
            "Marguerite has the book club every second Thursday.",
            "When does the train leave on Thursday?",
            "say nothing",
        ),
        ("Book club meets on Thursday.", "What is on Thursday?", "Book club meets"),
        ("The shelf 4711 holds the paint.", "Where is 4711?", "The shelf 4711"),
    ],
)
def test_what_only_a_date_or_a_commonplace_meets_is_no_answer(
    note: str, question: str, answer: str, tmp_path: Path, built_in_model: str
):
    assert answer in said(tmp_path, built_in_model, f"+{note}", question)
