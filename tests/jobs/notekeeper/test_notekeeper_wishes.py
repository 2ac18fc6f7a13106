"""What the notekeeper's mind takes for an order, for a question, and for a text to keep; and that no order in words loses
a fact."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from bench.from_nothing import rows
from bench.notekeeper import keeper
from offline.notekeeper.wishes import Wish, read_wish

CHANGING = ("write", "delete", "move", "summary", "links", "repeated", "tidy", "remember", "commit", "push", "pull")


@pytest.mark.parametrize(
    "text",
    [
        "Do not tidy up.",
        "Don't merge the duplicates, I still need both.",
        "When did I clean the boiler?",
        "Should I remove the duplicates?",
        "Where can I find the correct links?",
        "How do I create a file named a.md with content x?",
        "Pull the carrots on 12 May, Anna said so, and leave the leeks in the ground.",
        "Push the bicycle to Huber's shop on Friday, the 35 euros are paid already.",
        "I have to repair the chain, two links are worn, and it costs 14 euros at Huber in the Mill Street.",
        "We cleaned the gutters on 4 May with Boris, 12 metres, and it took three hours.",
        "Clean the coffee machine every 30 days with citric acid, Clara has the powder in the cupboard.",
        "Commit the poem to memory before 9 June, Dora wants to hear all 14 lines of it.",
        "What happens if I delete garden/a.md?",
        "Never delete garden/a.md",
        "Please do not delete garden/a.md",
        "Why was a.md moved to b.md?",
        "I would not merge a.md into b.md",
        "The summary of the meeting about the roof: 14 000 euros, Florian sends an offer by 3 July, then we decide.",
        "Write the report about the garden party on 5 May for 30 guests with Emil and Dora before Friday.",
        "Sort out the tax papers with Mr Brand on 14 March at 9:30, bring the 2024 statements along please.",
        "Tidy the shed on Saturday with Tom, he brings the 240 litre bin and two brooms from work.",
        "Put the bulbs in order of height, 40 tulips in front and 15 lilies behind, Anna has the plan.",
        "Check the links of the chain: 118 of them, and 3 were stiff when Boris looked at it on Monday.",
        "Move the doctor's note to the school office on Monday at nine and bring the 20 euros along",
        "Remember the milk?",
        "Did I remember to commit?",
        "May 5: dinner with Boris at 19:30",
        "Can of paint needed, RAL 7016.",
        "Dentist Tuesday 10:00",
    ],
)
def test_a_negation_a_question_and_a_text_to_keep_are_no_order(text: str):
    assert read_wish(text).kind not in (*CHANGING, "check", "address")


@pytest.mark.parametrize(
    "text",
    [
        "Move my slugs note to archive if it is old",
        "Move my insurance note to paperwork after Monday.",
        "Move my insurance note to paperwork on Monday.",
        "Move my insurance note to paperwork next week",
        "Move garden/slugs.md to pests if you agree",
        "Move garden/slugs.md to pests if you agree that it is better there than among the flowers",
        "Move the insurance note into a folder called paperwork if paid",
        "Please merge a.md into b.md unless they differ",
        "Delete the note about slugs once you have read it",
        "Write me a summary about bread tomorrow",
        'Commit with message "notes" as soon as it works',
        'Create a file named a.md with the content "x" if there is none',
        "Tidy up?",
        "Fix the broken links?",
        "Merge the duplicates?",
        "Write me a summary about bread?",
        "Commit?",
        "Push?",
    ],
)
def test_a_condition_another_time_and_an_order_that_is_asked_change_nothing(text: str):
    assert read_wish(text).kind == "unknown"


@pytest.mark.parametrize(
    ("order", "wish"),
    [
        ('Delete the note "Before winter"', Wish("delete", topic='note "Before winter"')),
        ("delete after-work/when.md", Wish("delete", path="after-work/when.md")),
        ("delete Before we leave.md", Wish("delete", path="Before we leave.md")),
        ("merge a.md into What if.md", Wish("move", path="a.md", to="What if.md")),
        ("move a.md to later", Wish("move", path="a.md", to="later")),
        ("Move my next steps note into a folder called before", Wish("move", topic="next steps note", to="before")),
        ("move a.md to 'when it rains'", Wish("move", path="a.md", to="when it rains")),
        ("commit with message: as it was before the move?", Wish("commit", content="as it was before the move?")),
        ("Could you move Anna's a.md to b?", Wish("ask")),
        (
            "create a file named a.md with content go if it rains.",
            Wish("write", path="a.md", content="go if it rains."),
        ),
    ],
)
def test_what_is_only_called_like_a_condition_is_none(order: str, wish: Wish):
    assert read_wish(order) == wish


@pytest.mark.parametrize(
    ("order", "kind"),
    [
        ("tidy up", "tidy"),
        ("Tidy up my notes, please.", "tidy"),
        ("Can you clean up the folder?", "tidy"),
        ("Please put everything in order.", "tidy"),
        ("put my notes in order", "tidy"),
        ("Sort out my notes", "tidy"),
        ("reorganise the notes", "tidy"),
        ("fix the broken links", "links"),
        ("Please repair the links in my notes", "links"),
        ("merge duplicates", "repeated"),
        ("find notes that are repeated", "repeated"),
        ("remove the duplicate notes", "repeated"),
        ("find all notes about telescopes and create a summary document", "summary"),
        ("write me a summary about bread", "summary"),
        ("summarise my notes about slugs", "summary"),
        ("merge a.md into b.md", "move"),
        ("delete garden/a.md", "delete"),
        ("move garden/a.md to kitchen", "move"),
        ("Move the insurance note into a folder called paperwork", "move"),
        ("merge the note about slugs into my garden note", "move"),
        ('Delete the note "Slugs"', "delete"),
        ("remove the duplicate note", "repeated"),
        ("create a file named x.md with the content hello", "write"),
        ("commit", "commit"),
        ("commit with message: notes of today", "commit"),
        ("push", "push"),
        ("pull", "pull"),
        ("git pull", "pull"),
        ("remember that I like tea", "remember"),
        ("check my notes", "check"),
        ("what is wrong with my notes?", "check"),
        ("Don't forget that I am allergic to nuts", "remember"),
        ("please push the notes", "push"),
        ("Would you tidy up, please?", "tidy"),
        ("clean up", "tidy"),
        ("correct the links", "links"),
        ("Could you merge the duplicates?", "repeated"),
        ("push my changes to the remote", "push"),
        ("list my notes", "structure"),
        ("What notes do I have?", "structure"),
        ("What's in here?", "structure"),
        ("what is there?", "structure"),
        ("What is there to eat?", "ask"),
        ("show me my notes about slugs", "find"),
    ],
)
def test_a_plain_order_is_one(order: str, kind: str):
    assert read_wish(order).kind == kind


@pytest.mark.parametrize(
    "text",
    [
        "May 5: dinner with Boris at 19:30",
        "Pull the carrots on 12 May, Anna said so, and leave the leeks in the ground.",
        "When it rains, close the roof window, the code is 4711.",
        "How Anna makes bread: 500 g flour and 350 g water.",
        "The list of topics for the meeting on 4 May: budget 40 000, valves, Dora.",
        "Remember that the shed key of Emil has the number 88.",
    ],
)
def test_a_fact_that_sounds_like_an_order_is_kept(text: str, tmp_path: Path, built_in_model: str):
    (tmp_path / "notes").mkdir()
    with keeper(tmp_path / "notes", built_in_model) as held:
        held.task(text)
    kept = "\n".join(path.read_text(encoding="utf-8") for path in (tmp_path / "notes").rglob("*.md"))
    assert all(word in kept for word in re.findall(r"\d+|[A-Z]\w+", text.removeprefix("Remember")))


def test_a_plain_statement_is_kept_and_what_is_only_said_to_somebody_is_not():
    counted, all_of = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for _, half, wanted, text in rows("statements.txt"):
        all_of[half, wanted] += 1
        counted[half, wanted] += (read_wish(text).kind == "note") == (wanted == "keep")
    print({" ".join(key): f"{counted[key]} of {all_of[key]}" for key in all_of})
    assert all(counted[key] == all_of[key] for key in all_of if key[0] == "open")
    assert counted["held", "keep"] + counted["held", "leave"] >= 0.9 * (
        all_of["held", "keep"] + all_of["held", "leave"]
    )


def test_the_messages_of_the_other_sets_are_statements_too():
    messages = [text for *_, text in rows("from_nothing.txt")]
    kept = sum(read_wish(text).kind == "note" for text in messages)
    print(f"{kept} of {len(messages)}")
    assert kept >= 0.98 * len(messages)


@pytest.mark.parametrize(
    "text",
    [
        "Water the plants.",
        "Water the plants, please",
        "Keep the receipt.",
        "Don't tell Anna about it.",
        "Öffne die Tür zum Garten.",
        "Ferme la porte du jardin.",
        "Thanks, that helps me much",
        "Good morning to all of you!",
        "boiler key",
        "maybe",
        "tidy up the whole garage",
        "Delete what Anna wrote yesterday.",
    ],
)
def test_an_order_thanks_a_greeting_and_a_stray_word_change_nothing(text: str):
    assert read_wish(text).kind in ("unknown", "ask")


def test_a_statement_is_kept_and_told_where_and_what_is_none_says_how_it_can_be(tmp_path: Path, built_in_model: str):
    (tmp_path / "notes").mkdir()
    with keeper(tmp_path / "notes", built_in_model) as held:
        told = held.task("The key hangs behind the boiler.").answer
        assert told.startswith('Created "home/the-key-hangs-behind-the-boiler.md"')
        assert "behind the boiler" in held.task("where does the key hang").answer
        refused = held.task("Water the plants.").answer
        assert "nothing was changed" in refused
        assert "Make a note of this:" in refused
        assert "Created" in held.task("Make a note of this: Water the plants.").answer
