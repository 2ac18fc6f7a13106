"""Nothing is merged away: every number and name of every message is findable after every command."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as bounded
from hypothesis import strategies as any_of

from bench.from_nothing import rows
from bench.notekeeper import keeper
from functions import ToolError
from jobs.notekeeper import corrections
from jobs.notekeeper.corrections import Change, change_between, contradicted, corrects
from jobs.notekeeper.denials import denied
from jobs.notekeeper.facts import says, tokens, units
from jobs.notekeeper.knowledge_base import KnowledgeBase
from jobs.notekeeper.memory import Memory
from jobs.notekeeper.notes import blocks, parted
from jobs.notekeeper.tools.delete_folder import delete_folder
from jobs.notekeeper.tools.kb_check import kb_check
from jobs.notekeeper.tools.kb_search_content import kb_search_content
from jobs.notekeeper.tools.kb_vector_search import kb_vector_search
from jobs.notekeeper.tools.move_note import move_note
from jobs.notekeeper.tools.save_note import save_note
from jobs.notekeeper.tools.store_memory import store_memory
from offline.notekeeper.found import current, mates_of, note_for
from sandbox.files.root import Root

RACK = (
    "The server stands in the rack in the basement, runs Debian 13, is backed up every night with restic to the NAS, and "
    "is administrated by Boris. Its address is 10.0.0.{}. The root password is in the safe."
)
BOILER = (
    "The boiler in the cellar was serviced by the firm Huber from Rosenheim in the first week of October, they changed "
    "the nozzle and the filter, measured the exhaust gases and set the pressure to {} bar, which cost {} euros."
)
METER = (
    "The water meter in the cellar was read on the last day of the month together with Anna. It showed {} cubic metres."
)
BREAD = "- flour 500 g\n- water {} g\n- salt 10 g\n- yeast {} g\n- bake 45 minutes at 240 degrees in the cast iron pot"
MESSAGES = (
    ("Water meter March 2026", METER.format(1482)),
    ("Water meter April 2026", METER.format(1517)),
    ("Server alpha", RACK.format(11)),
    ("Server beta", RACK.format(12)),
    ("Bread of 1 March", BREAD.format(350, 2)),
    ("Bread of 8 March", BREAD.format(380, 1)),
    ("Boiler", BOILER.format(1.8, 212)),
    ("Boiler", BOILER.format(1.5, 212)),
    ("Boiler", BOILER.format(1.5, 231)),
    ("Allergies", "Clara is allergic to nuts."),
    ("Allergies", "Clara is not allergic to nuts."),
    ("Meeting notes", "Project Apollo: Dora takes the valves, the budget is 40 000 euros, next time on 12 May."),
    ("Meeting notes", "Project Zephyr: Emil writes the tender and asks Florian for 3 offers by 19 June."),
    ("Backup script", "```sh\nrestic backup /srv\n\nrestic forget --keep-daily 7\n```\n\nIt runs at 03:15."),
    ("Backup script", "```sh\nrestic backup /srv\n\nrestic forget --keep-daily 14\n```\n\nIt runs at 03:15."),
)


CORRECTIONS, CONTRADICTIONS = rows("corrections.txt"), rows("contradictions.txt")


def whole(kb: KnowledgeBase) -> str:
    return "\n".join(f"{path}\n{text}" for path, text in kb.notes())


def missing(kb: KnowledgeBase) -> list[str]:
    """The sentences, and the numbers and names in titles, that no note says any more."""
    text, flat = whole(kb), " ".join(whole(kb).split())
    sentences = [part for _, content in MESSAGES for part in re.split(r"(?<=[.])\s|\n+", content) if part]
    facts = [word for title, _ in MESSAGES for word in re.findall(r"\d+|[A-Z]\w+", title)]
    return [part for part in sentences if part not in flat] + [word for word in facts if word not in text]


def test_every_number_and_name_of_every_message_is_findable_after_every_command(kb: KnowledgeBase):
    for title, content in MESSAGES:
        assert not isinstance(save_note(kb, title, content, "house", source=f"https://x.org/{len(title)}"), ToolError)
    assert missing(kb) == []
    for title, content in MESSAGES:
        save_note(kb, title, content, "house")
    assert missing(kb) == []
    pairs = [line.split(" | ") for line in kb_check(kb).splitlines() if line.startswith("repeated")]
    assert len(pairs) >= 3
    for _, kept, other, _, told in pairs:
        if kb.root.exists(kept) and kb.root.exists(other):
            assert "keeps" in told
            move_note(kb, other, kept)
            assert missing(kb) == []
    for path in list(kb.titles()):
        move_note(kb, path, f"elsewhere/{path}")
        assert missing(kb) == []


SAID = any_of.builds(
    "The {} of {} is {}at {} {}.".format,
    any_of.sampled_from(["boiler", "meter", "server"]),
    any_of.sampled_from(["Anna", "Boris", "Ödön", "Владимир", "O'Brien"]),
    any_of.sampled_from(["", "not "]),
    any_of.one_of(
        any_of.integers(0, 9999).map(str), any_of.sampled_from(["1.8", "1,5", "10.0.0.12", "2026-03-01", "-5"])
    ),
    any_of.sampled_from(["bar", "kg", "euros", "%"]),
)
FORMS = (
    "{}",
    "{0} {0}",
    "- {}\n- twice",
    "1. {}",
    "```\n{}\n\nend\n```",
    "> {}",
    "> Supersedes: {}",
    "Compare: {}",
    "# {}",
)
FORMS += (
    "## Related\n\n{}",
    "## Related\n\n- {}",
    "## Related work\n\n{}",
    "---\ntitle: x\nnote: {}\n---",
    "| {} | 2 |",
)
FORMS += ("{{path}} {{0}} {}", "[[{}]]", "<!-- {} -->", "Correction: {}", "\\1 \\g<0> {}")
TITLES = ("", "Boiler\n\n", "Meeting notes\n\n", "TODO\n", "# Boiler\n\n", "---\ntitle: Boiler\n---\n\n")
BLOCK = any_of.builds(str.format, any_of.sampled_from(FORMS), SAID)
MESSAGE = any_of.builds(
    lambda title, blocks, end: (title + "\n\n".join(blocks)).replace("\n", end),
    any_of.sampled_from(TITLES),
    any_of.lists(BLOCK, min_size=1, max_size=4),
    any_of.sampled_from(["\n", "\r\n"]),
)


def plain(text: str) -> str:
    return " ".join(re.sub(r"#+ |\bRelated\b", " ", text).split())


@pytest.mark.long
@bounded(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(messages=any_of.lists(MESSAGE, min_size=2, max_size=4))
def test_every_sentence_of_any_message_is_findable_after_each_command(
    messages: list[str], tmp_path_factory: pytest.TempPathFactory
):
    """Whatever its form, and however near another's: saved as the mind does it, then all merged into one, then moved."""
    place = tmp_path_factory.mktemp("any")
    (place / "notes").mkdir()
    with Root(place / "notes") as root:
        base = KnowledgeBase(root, place / "index")
        sent: list[str] = []

        def all_there() -> None:
            have = plain(whole(base))
            for text in sent:
                parts = re.split(r"\n\s*\n", text.replace("\r\n", "\n"))
                assert [said for part in parts for unit in units(part) if (said := plain(unit)) not in have] == []

        for text in (*messages, messages[0]):
            found = str(kb_vector_search(base, text, 8)) if sent else ""
            note = note_for(text, found)
            said = str(save_note(base, **note))
            # of front matter each line is there by itself
            sent.append(re.sub(r"\A---\ntitle: (.*)\n(note: .*\n)?---\n", r"\1\n\n\2\n", text.replace("\r\n", "\n")))
            all_there()
            for path in mates_of(note, found) if said.startswith("Created") else ():
                move_note(base, path, f"{said.split(chr(34))[1].rpartition('/')[0]}/{path.rpartition('/')[2]}")
                all_there()
        first, *others = base.titles()
        for other in others:
            move_note(base, other, first)
            all_there()
        move_note(base, first, f"elsewhere/{first}")
        all_there()
        base.close()


def test_what_a_person_wrote_below_a_heading_related_is_text_like_any_other(kb: KnowledgeBase):
    save_note(kb, "Boiler", "It is at 1.8 bar.", "house")
    save_note(
        kb,
        "Boiler",
        "It is at 1.8 bar.\n\n## Related\n\nThe pump is at 2.5 bar.\n\n## Related works\n\nThe vent is at 3.",
        "house",
    )
    save_note(kb, "Pump", "The pump hums.", "house", related=["house/boiler.md"])
    move_note(kb, "house/boiler.md", "house/pump.md")
    assert "2.5 bar" in whole(kb)
    assert "The vent is at 3." in whole(kb)
    assert parted("# A\n\nx\n\n## Related\n\n- [B](b.md)\n")[1] == "\n## Related\n\n- [B](b.md)\n"


@pytest.mark.long
def test_no_command_in_words_loses_a_number_or_a_name(tmp_path: Path, built_in_model: str):
    """Through the whole mind: each message sent twice, then every order that changes the folder."""
    sent = [f"{title}\n\n{content}" for title, content in MESSAGES]
    sent += [text for _, kind, *both in CORRECTIONS if kind == "open" for text in both]
    facts = sorted({word for text in sent for word in re.findall(r"\d+(?:[.,:]\d+)*|[A-ZА-ЯÄÖÜ]\w+", text)})
    folder = tmp_path / "notes"
    folder.mkdir()
    with keeper(folder, built_in_model) as held:

        def lost() -> list[str]:
            flat = " ".join(whole(held.resources["kb"]).split())
            parts = [" ".join(part.split()) for text in sent for part in re.split(r"(?<=[.])\s|\n+", text) if part]
            return [part for part in parts if part not in flat]

        for text in (*sent, *sent):
            held.process(text)
        assert lost() == []
        orders = ["tidy up", "fix the broken links", "find all notes about the server and create a summary document"]
        for order in (*orders, "Do not delete the notes.", "merge the duplicates"):
            answer = held.task(order).answer
            assert lost() == []
        merges = re.findall(r"^- (merge \S+ into \S+)", answer, re.MULTILINE)
        assert len(merges) >= 4
        for order in merges:
            held.task(order)
            assert lost() == []
        for path in list(held.resources["kb"].titles()):
            held.task(f"move {path} to elsewhere/{path}")
        assert lost() == []
        for fact in facts:
            assert not str(kb_search_content(held.resources["kb"], fact)).startswith("No note holds")


def test_a_correction_says_what_it_supersedes_and_both_stay_readable(kb: KnowledgeBase):
    save_note(kb, "Boiler", BOILER.format(1.8, 212), "house")
    said = save_note(kb, "Boiler", BOILER.format(1.5, 212), "house")
    assert '"1.5" supersedes "1.8"' in said
    text = whole(kb)
    assert f"> Supersedes: {BOILER.format(1.8, 212)}" in text
    assert text.count("1.5 bar") == 1
    elsewhere = save_note(kb, "Heating, winter", "The pressure of the boiler is 1.4 bar.", "other")
    assert elsewhere.startswith("Created")
    corrected = save_note(kb, "Heating, spring", "The pressure of the boiler is 1.6 bar.", "other")
    assert 'compare "other/heating-winter.md", which has "1.4" for "1.6"' in corrected


@pytest.mark.parametrize(
    ("old", "new", "is_change", "denies"),
    [
        ("Set it to 1.8 bar.", "Set it to 1.5 bar.", True, False),
        ("It weighs 5 kg with the case.", "It weighs 5 g with the case.", True, False),
        ("Clara is allergic to nuts.", "Clara is not allergic to nuts.", True, True),
        ("Clara isn't allergic to nuts.", "Clara is allergic to nuts.", True, True),
        ("Klara verträgt Nüsse.", "Klara verträgt keine Nüsse.", True, True),
        ("Клара ест орехи.", "Клара не ест орехи.", True, True),
        ("We read it on Monday with Anna.", "We read it on Tuesday with Anna.", False, False),
        ("Ask Anna for the key.", "Ask Boris for the key.", False, False),
        ("Leeks want deep sand.", "Carrots want deep sand.", False, False),
    ],
)
def test_a_changed_fact_is_told_from_another_fact(old: str, new: str, is_change: bool, denies: bool):
    change = change_between(old, new)
    assert isinstance(change, Change) is is_change
    assert bool(change and change.contradicts) is denies
    assert not says(old, new)
    assert says(f"Before.\n\n{old} And more.", old)


PAID = "The rent of 640 euros was paid to Mrs Novak by bank transfer, and she has confirmed it."


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (("Rent of January", PAID), ("Rent of February", PAID)),
        (("Meeting", "Meter 12 was read."), ("Meter 1", "Meter 12 was read.")),
        (("Jar", "+ 50 euros for the garden"), ("Jar", "- 50 euros for the garden")),
        (("Jar", "50 euros."), ("Jar", "> 50 euros.")),
        (("Who pays", "- Anna\n  - Boris\n- Clara"), ("Who pays", "- Anna\n- Boris\n- Clara")),
        (
            ("Loop", "```python\nfor a in b:\n    c()\n    d()\n```"),
            ("Loop", "```python\nfor a in b:\n    c()\nd()\n```"),
        ),
        (("Spaces", "```sh\necho 'a  b'\n```"), ("Spaces", "```sh\necho 'a b'\n```")),
        (("Loop", "Do this:\n\nfor a in b:\n  c()\n  d()"), ("Loop", "Do this:\n\nfor a in b:\n  c()\nd()")),
        (("Inline", "Say `a  b` to it."), ("Inline", "Say `a b` to it.")),
    ],
    ids=lambda note: note[0] + ": " + note[1].replace("\n", " ")[:30],
)
def test_a_text_is_said_already_only_where_its_title_its_signs_and_its_code_are(
    old: tuple[str, str], new: tuple[str, str], kb: KnowledgeBase
):
    for title, content in (old, new):
        assert save_note(kb, title, content, "house").startswith(("Created", "Extended")), "it would stand nowhere"
    for title, content in (old, new):
        before = dict(kb.notes())
        assert "says this already" in save_note(kb, title, content.replace("\n", "\r\n"), "elsewhere"), "the very same"
        assert dict(kb.notes()) == before


def test_a_title_made_of_the_words_of_its_text_tells_nothing_new(kb: KnowledgeBase):
    save_note(kb, "Rent", f"{PAID} It was late.", "house")
    assert "says this already" in save_note(kb, "the rent of 640 euros", PAID.replace(" was ", "\nwas "), "house")
    save_note(kb, "Treffen", "会議は月曜日の10時です。", "house")
    assert "says this already" in save_note(kb, "会議", "会議は月曜日の10時です。", "house")


def test_a_contradiction_is_told(kb: KnowledgeBase, tmp_path: Path):
    save_note(kb, "Clara", "Clara is allergic to nuts.", "people")
    assert "contradicts" in save_note(kb, "Clara", "Clara is not allergic to nuts.", "people")
    save_note(kb, "Guests", "Dora is allergic to eggs.", "people")
    assert "contradicts" in save_note(kb, "Baking for Dora", "Dora is not allergic to eggs.", "kitchen")
    memory = Memory(tmp_path / "memory.sqlite", "ann")
    store_memory(memory, "I am allergic to nuts.")
    assert 'contradicts "I am allergic to nuts."' in store_memory(memory, "I am not allergic to nuts any more.")
    assert contradicted("I like nuts.", ["I am allergic to nuts."]) == ""
    memory.close()


def test_what_is_denied_in_other_words_is_told_whichever_was_said_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    told: Counter[tuple[str, bool]] = Counter()
    for number, (_, kind, *both) in enumerate(CONTRADICTIONS):
        for order, (first, then) in enumerate((both, both[::-1])):
            place = tmp_path / f"{number}-{order}"
            (place / "notes").mkdir(parents=True)
            with Root(place / "notes") as root:
                base = KnowledgeBase(root, place / "index")
                save_note(base, "Of old", first, "general")
                said = str(save_note(base, "Of late", then, "general"))
                base.close()
                if found := "contradicts" in said:
                    assert f"> Contradicts [Of old](of-old.md): {first}" in root.read_text("general/of-late.md")
                told[kind, found] += 1
    with capsys.disabled():
        print(f"\ncontradictions, each in both orders: {dict(told)}")
    for kind in ("open", "held"):
        assert told[kind, True] >= 7
        assert told[f"none-{kind}", True] == 0


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("Clara has no allergy to nuts.", "Clara is allergic to nuts since 2019.", True),
        ("Clara is allergic.", "Clara is not allergic to nuts.", False),
        ("Clara is allergic to nuts.", "Is Clara not allergic to nuts?", False),
        ("Clara is allergic to nuts.", "Clara is allergic to nuts, not to eggs.", False),
        ("The shed was locked in 2024.", "The shed was not locked in 2025.", False),
        ("Ask Marie for the key.", "Never ask Maria for the key.", False),
        ("Nobody has no key.", "Nobody has a key.", False),
    ],
)
def test_only_what_cannot_both_hold_is_denied(old: str, new: str, wanted: bool):
    assert denied(old, new) is denied(new, old) is wanted


@pytest.mark.long
def test_corrections_in_six_languages_are_told_and_other_facts_are_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    told: Counter[tuple[str, str]] = Counter()
    for number, (_, kind, old, new) in enumerate(CORRECTIONS):
        (tmp_path / str(number)).mkdir()
        with Root(tmp_path / str(number)) as root:
            base = KnowledgeBase(root, tmp_path / f"index-{number}")
            others = [row[2] for row in CORRECTIONS[:4] if row[2] != old]
            for text in (*others, old):
                save_note(base, **note_for(text, str(kb_vector_search(base, text, 8))))
            said = str(save_note(base, **note_for(new, str(kb_vector_search(base, new, 8)))))
            flat = whole(base)
            assert old in flat
            assert new in flat
            base.close()
        how = next((word for word in ("corrects", "supersedes", "contradicts", "compare") if f" {word} " in said), "")
        assert bool(how) is bool(re.search(rf"^> (?:Supersedes|Contradicts|Compare) .*{re.escape(old)}", flat, re.M))
        assert (how not in ("", "compare")) is bool(re.search(rf"^> Superseded by .*{re.escape(old)}", flat, re.M))
        told[kind, how and ("compare" if how == "compare" else "superseded")] += 1
    with capsys.disabled():
        print(f"\ncorrections: {dict(told)}")
    for kind in ("open", "held"):
        assert told[kind, ""] == 0
        assert told[kind, "superseded"] >= 8
        assert told[f"none-{kind}", ""] == 4


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("My doctor is Dr. May. The dentist is Prof. Lee.", ["My doctor is Dr. May.", "The dentist is Prof. Lee."]),
        ("J. Roe is at St. Anna. It is No. 5.", ["J. Roe is at St. Anna.", "It is No. 5."]),
        ("Fr. Huber kommt am 12. Oktober. Gut.", ["Fr. Huber kommt am 12. Oktober.", "Gut."]),
        ("So did I. Then it rained.", ["So did I.", "Then it rained."]),
    ],
)
def test_a_full_stop_behind_a_title_or_an_initial_ends_no_sentence(text: str, wanted: list[str]):
    assert units(text) == wanted


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("Boris works at the bakery on Mill Street.", "Anna now works at the bakery on Mill Street.", False),
        ("Boris works at the bakery on Mill Street.", "Boris now works at the butcher on Mill Street.", True),
        ("The firm changed the nozzle in October.", "The firm changed the filter in November.", False),
        ("The code is 4711 for the garage door.", "The code for the garage door is 4712, not 4711.", True),
        ("The code is 4711 for the garage door.", "The garage door does not squeak.", False),
        ("会議は月曜日の10時です。", "会議は月曜日の11時に変わりました。", True),
        ("My doctor is Dr. May.", "My doctor is not Dr. Roe.", False),
    ],
)
def test_a_correction_is_what_the_person_says_is_one(old: str, new: str, wanted: bool):
    assert corrects(old, new) is wanted


def test_each_sentence_is_taken_apart_a_few_times_however_many_it_is_compared_with(monkeypatch: pytest.MonkeyPatch):
    taken = Counter[str]()

    def counted(unit: str) -> list[str]:
        taken[unit] += 1
        return tokens(unit)

    monkeypatch.setattr(corrections, "tokens", counted)
    old, new = ("\n\n".join(f"The {kind} {n} stands at place {n * 7}." for n in range(60)) for kind in ("bed", "pot"))
    list(corrections.changes(new, f"# Garden\n\n{old}", figures=True))
    assert len(taken) == 120
    assert max(taken.values()) <= 10


def test_what_was_corrected_back_is_no_repetition(kb: KnowledgeBase):
    for bar in ("1.8", "1.5"):
        save_note(kb, "Boiler", f"Set it to {bar} bar.", "house")
    assert "a later sentence supersedes" in save_note(kb, "Boiler", "Set it to 1.8 bar.", "house")
    assert "Extended" in save_note(kb, "Boiler", "Correction: set it to 1.8 bar.", "house")


def test_an_answer_says_what_holds_now(tmp_path: Path):
    before = "The rent of the garage is 65 euros."
    newer = f"Superseded by [Rent](rent.md): {before}"
    assert current(f"{before}\n{newer}\nIt is dry.") == (f"{before}\nIt is dry.", [newer])
    assert current(f"{before}\nIt is 72 euros.\nSupersedes: {before}") == ("It is 72 euros.", [])


def test_two_meetings_stay_two_notes(kb: KnowledgeBase):
    first = save_note(kb, "Meeting notes", MESSAGES[11][1], "apollo")
    second = save_note(kb, "Meeting notes", MESSAGES[12][1], "zephyr")
    assert first.startswith("Created")
    assert second.startswith("Created")
    assert save_note(kb, "Meeting notes", MESSAGES[11][1], "apollo").endswith("so nothing was changed")
    for title, who in (("Meeting", "Anna"), ("Weekly sync", "Boris")):  # in one folder, in the same words
        assert save_note(kb, title, f"Apollo: we meet on 12 May with {who}.", "work").startswith("Created")
        assert save_note(kb, title, f"Zephyr: we meet on 19 May with {who}.", "work").startswith("Created")
        assert save_note(kb, title, f"Apollo: we meet on 26 May with {who}.", "work").startswith("Extended")


def test_code_is_one_block_also_with_blank_lines_in_it():
    assert blocks("A\n\n```\na\n\n\nb\n```\n\nB") == ["A", "```\na\n\n\nb\n```", "B"]


@pytest.mark.parametrize("path", [".", "", "./", "a/..", "x/../."])
def test_the_whole_folder_is_never_deleted(path: str, kb: KnowledgeBase):
    kb.root.write_text("a/one.md", "One.")
    assert isinstance(delete_folder(kb.root, path, recursive=True), ToolError)
    assert kb.root.read_text("a/one.md") == "One."


def test_a_folder_that_cannot_be_deleted_whole_loses_nothing(kb: KnowledgeBase, tmp_path: Path):
    kb.root.write_text("a/one.md", "One.")
    kb.root.write_text("a/b/two.md", "Two.")
    (tmp_path / "notes/a/z").symlink_to(tmp_path)
    said = delete_folder(kb.root, "a", recursive=True)
    assert isinstance(said, ToolError)
    assert '"z"' in said
    assert kb.root.read_text("a/one.md") == "One."
    (tmp_path / "notes/a/z").unlink()
    (tmp_path / "notes/a/.git").mkdir()
    assert isinstance(delete_folder(kb.root, "a", recursive=True), ToolError)
    assert kb.root.read_text("a/b/two.md") == "Two."


def test_what_somebody_else_writes_in_the_same_moment_is_not_lost(
    kb: KnowledgeBase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Three keepers of one folder: each look at a note is followed by a change of another's, before the write."""
    others = [("TODO", f"thing number {number} of another", "x") for number in range(3)]
    with Root(tmp_path / "notes") as root:
        other = KnowledgeBase(root, tmp_path / "other")
        quicker = kb.rewrite, kb.titled

        def rewrite(path: str, change: Callable[[str], tuple[str, str]]) -> str:
            def after_another(old: str) -> tuple[str, str]:
                if others:
                    save_note(other, *others.pop())
                return change(old)

            return quicker[0](path, after_another)

        def titled(title: str, content: str, category: str, titles: Mapping[str, str]) -> list[str]:
            found = quicker[1](title, content, category, titles)
            if others:
                save_note(other, *others.pop())
            return found

        monkeypatch.setattr(kb, "rewrite", rewrite)
        monkeypatch.setattr(kb, "titled", titled)
        for number in range(3):
            assert not isinstance(save_note(kb, "TODO", f"thing number {number} of mine", "x"), ToolError)
        assert others == []
        other.close()
    for number in range(3):
        assert f"thing number {number} of mine" in whole(kb)
        assert f"thing number {number} of another" in whole(kb)


def test_a_note_that_is_changed_while_it_moves_stays(kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch):
    kb.root.write_text("a/one.md", "# One\n\nOne.\n")
    monkeypatch.setattr(kb, "pointing_at", lambda path: kb.root.write_text("a/one.md", "# One\n\nTwo.\n") or [])
    assert "somebody else" in move_note(kb, "a/one.md", "b/one.md")
    assert "Two." in kb.root.read_text("a/one.md")
    assert "One." in kb.root.read_text("b/one.md")
