"""Front matter: what is read of it, and that what is not stays byte for byte."""

from __future__ import annotations

import subprocess
import sys

import pytest
import yaml

from config import PROJECT
from jobs.notekeeper.knowledge_base import KnowledgeBase
from jobs.notekeeper.merging import with_tags
from jobs.notekeeper.notes import split_note
from jobs.notekeeper.tools.save_note import save_note
from offline.notekeeper.found import note_for

UNREADABLE = (
    "tags: [bulb,\n  winter, roses]\n",
    "tags: [\n  bulb\n]\n",
    "tags: [a, [b]]\n",
    "tags:\n- a\n- k: v\n",
    "tags:\n- a\n  b\n",
    "tags:\n- a\n# of mine\n- b\n",
    "tags: &all [a]\n",
    "tags: {a: 1}\n",
    "tags: >\n  a b\n",
    'tags: [a, "b\n',
    "tags: [a]\nTags: [b]\n",
    '"tags": [a]\n',
    "{title: Garlic, tags: [a]}\n",
    "? tags\n: [a]\n",
)


@pytest.mark.parametrize("front", UNREADABLE)
def test_front_matter_that_cannot_be_read_stays_when_a_note_is_extended(kb: KnowledgeBase, front: str):
    before = f"---\n{front}---\n\n# Garlic\n\nRows.\n"
    kb.root.write_text("garlic.md", before)
    assert "Extended" in save_note(kb, "Garlic", "It likes compost.", "", tags=["compost"])
    after = kb.root.read_text("garlic.md")
    assert after.startswith(before)
    assert "It likes compost." in after


@pytest.mark.parametrize(
    ("front", "tags"),
    [
        ("tags: [\"red, sweet\", 'b', it is]\n", ["red, sweet", "b", "it is"]),
        ('tags:\n- "a: b"  # mine\n- c\n', ["a: b", "c"]),
        ("tags: a, b\n", ["a", "b"]),
        ("tags:\n", []),
        ("tags: []\n", []),
    ],
)
def test_tags_that_can_be_read_get_more_and_all_else_stays(front: str, tags: list[str]):
    rest = "# of mine\nowner:\n  name: Ann\nmy key: v\nsummary: |\n  tags: x\n\n  y\n"
    text = with_tags(f"---\n{front}{rest}---\n\nRows.\n", ["new"])
    assert split_note(text)[0]["tags"] == [*tags, "new"]
    assert yaml.safe_load(text.split("---")[1])["tags"] == [*tags, "new"]
    assert f"{rest}---\n\nRows.\n" in text
    assert ("# mine\n" in text) == ("# mine" in front)


def test_a_text_that_goes_on_in_the_next_line_is_no_half_of_it():
    assert split_note("---\ntitle: >\n  Long\nsource: 'it''s'\nnote: a\n  b\n---\n")[0] == {"source": "it's"}


def test_a_message_with_front_matter_keeps_its_title_its_tags_its_source_and_all_else(kb: KnowledgeBase):
    front = 'title: Boat\ntags: [harbour, "pier 4"]\ndate: 2021-05-01\nsource: https://x.org/a\nowners:\n- Ann\n- Bo\n'
    message = f"---\n{front}---\n\n# Boat\n\nThe boat is at pier 4."
    for text in (message, message.replace("\n", "\r\n")):
        note = note_for(text, "")
        assert (note["title"], note["tags"], note["source"]) == ("Boat", ["harbour", "pier 4"], "https://x.org/a")
        assert note["content"] == "The boat is at pier 4.\n\ndate: 2021-05-01\nowners: Ann, Bo"
    assert save_note(kb, **note_for(message, "")).startswith("Created")
    assert "says this already" in save_note(kb, **note_for(message, ""))
    other = note_for("---\ntitle: Boat\n---\n# My old boat\n\nIt is at pier 4.\n", "")
    assert (other["title"], other["content"]) == ("Boat", "# My old boat\n\nIt is at pier 4.")


@pytest.mark.parametrize(
    "front",
    ["owner:\n  name: Ann\n", "tags: [a, [b]]\n", "a: x\na: y\n", "text: |\n  One.\n", "- a\n", "a: b # of mine\n"],
)
def test_front_matter_that_is_more_than_texts_and_lists_stays_in_a_message_and_is_no_title(front: str):
    text = f"---\n{front}---\n\n# Boat\n\nThe boat is at pier 4."
    note = note_for(text, "")
    assert text in note["content"]
    assert "---" not in note["title"]


SLOW = """
from jobs.notekeeper.notes import links_in, split_note
N = 2**17
for front in ("tags: [" + "a," * N, "tags: [" + "a " * N, "tags: " + "'" * N, "#\\n" * N, "\\n" * N, "tags: [" + " ," * N):
    split_note(f"---\\n{front}\\n---\\nx")
for text in ("[x" + "[a]" * N, "[x[a]" * N, "`a``b" * N, "[" * N, "[a\\n" * N, "](a" + " " * N, "](((a" * N):
    list(links_in(text))
"""


def test_no_front_matter_and_no_brackets_take_time_without_end():
    assert subprocess.run([sys.executable, "-c", SLOW], cwd=PROJECT, timeout=120.0, check=False).returncode == 0
