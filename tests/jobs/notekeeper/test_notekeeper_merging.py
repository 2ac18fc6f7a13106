"""Merging two notes: the one that goes is said whole by what is left, or stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.notekeeper import keeper
from functions import ToolError
from jobs.notekeeper.extending import extended
from jobs.notekeeper.knowledge_base import KnowledgeBase
from jobs.notekeeper.tools.kb_check import merging
from jobs.notekeeper.tools.move_note import move_note
from jobs.notekeeper.tools.save_note import save_note
from sandbox.files.root import Refusal

PAID = "- the rent of the flat\n- the power of the workshop\n"
OPEN = "- the water of the garden\n- the insurance of the van\n- the fee of the choir\n"
OWNER = "owner:\n  name: Ann\n  phone: 555-0199\n"
JANUARY = f"# January\n\n## Paid\n\n{PAID}\n## Not paid\n\n{OPEN}"
STATE = f"---\ntitle: State\n{OWNER}---\n\n# State\n\n## Not paid\n\n{PAID}\n## Paid\n\n{OPEN}"


def merged(kb: KnowledgeBase, kept: str, other: str) -> str:
    """What is left of two notes once the second is merged into the first."""
    kb.root.write_text("kept.md", kept)
    kb.root.write_text("other.md", other)
    assert move_note(kb, "other.md", "kept.md").startswith("Merged")
    assert not kb.root.exists("other.md")
    return kb.root.read_text("kept.md")


def test_the_same_words_below_another_heading_are_not_merged_away(tmp_path: Path, built_in_model: str):
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "january.md").write_text(JANUARY)
    (notes / "state.md").write_text(STATE)
    with keeper(notes, built_in_model) as held:
        assert "keeps 2 paragraphs" in held.task("merge duplicate notes").answer
        assert (notes / "state.md").read_text() == STATE
        held.task("merge state.md into january.md")
    left = (notes / "january.md").read_text()
    assert left == f"{JANUARY}\n## State\n\n```yaml\n{OWNER}```\n\n## Not paid\n\n{PAID}\n## Paid\n\n{OPEN}"


@pytest.mark.parametrize(
    ("kept", "other"),
    [
        ("- 50 euros", "+ 50 euros"),
        ("Paid:\n\n- rent\n\nNot paid:\n\n- water", "Paid:\n\n- water\n\nNot paid:\n\n- rent"),
        ("**Paid**\n\n- rent\n\n**Open**\n\n- water", "**Paid**\n\n- water\n\n**Open**\n\n- rent"),
        ("Paid\n----\n\n- rent\n\nOpen\n----\n\n- water", "Paid\n----\n\n- water\n\nOpen\n----\n\n- rent"),
        ("## Paid\n- rent\n## Open\n- water", "## Paid\n- water\n## Open\n- rent"),
        ("```py\nif a:\n    b()\nc()\n```", "```py\nif a:\n    b()\n    c()\n```"),
        ("- a\n- b", "- a\n  - b"),
        ("Run:\n\n    a\n    b", "Run:\n\n    a\n      b"),
        ("- a\n\n  more of a\n\n- b", "- a\n- b\n\n  more of a"),
        ("## Later\n\nx", "x\n\n## Empty"),
    ],
)
def test_a_block_is_the_same_only_where_it_is_so_to_the_letter(kb: KnowledgeBase, kept: str, other: str):
    left = merged(kb, f"# A\n\n{kept}\n", f"# B\n\n{other}\n")
    assert without_blank_lines(left) == without_blank_lines(f"# A\n{kept}\n## B\n{other}\n")


def without_blank_lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line]


def test_what_both_say_to_the_letter_below_the_same_headings_stands_there_once(kb: KnowledgeBase):
    both = "Rows of it.\n\n## Care\n\nWater it.\n\n```\na\n\nb\n```"
    assert merging(f"# A\n\n{both}\n", f"# B\n\n{both}\n").endswith("keeps 0 paragraphs of its own")
    left = merged(kb, f"# A\n\n{both}\n", f"# B\n\n{both}\n")
    assert left == f"# A\n\n{both}\n\n## B\n"
    assert merged(kb, left, f"# B\n\n{both}\n") == left


@pytest.mark.parametrize(
    "front",
    [
        "my key: v\n",
        "summary: |\n  One.\n\n  # Two.\n",
        "tags: [bulb,\n  winter, roses]\n",
        "tags: [a]\ntags: [b]\n",
        "source: https://x.org/1\n",
        "Due: 2026-01-02  # or later\n",
        "# of mine\n",
        "category: recipes\n",
        'aliases: ["red, sweet", b]\n',
        "{owner: Ann}\n",
    ],
)
def test_front_matter_is_merged_too_and_as_it_stands_where_it_cannot_be_read(kb: KnowledgeBase, front: str):
    left = merged(kb, "---\nsource: https://x.org/12\n---\n\n# A\n", f"---\ntitle: B\n{front}---\n\n# B\n")
    assert front.strip() in left.partition("## B")[2]


def test_tags_and_links_of_a_note_that_goes_stand_in_what_is_left(kb: KnowledgeBase):
    kb.root.write_text("c.md", "# C\n")
    related = "## Related\n\n- [C](c.md)\n- [how C began](c.md#Start)\n- [web](https://x.org/)\n- [gone](gone.md)\n"
    kept = "---\ntags: [a]\n---\n\n# A\n\n[gone](gone2.md)\n\n## Related\n\n- [C](c.md)\n"
    left = merged(kb, kept, f"---\ntags: [b]\n---\n\n# B\n\nx\n\n{related}")
    assert left.startswith("---\ntags:\n- a\n- b\n---\n")
    for line in related.splitlines()[2:]:
        assert left.splitlines().count(line) == 1
    assert "tags: [b]" in merged(kb, "# A\n", "---\ntags: [b]\n---\n\n# B\n"), "there is no front matter to take them"


LABELLED = "[1] [one][1] [1][] ![p][1] [2][1]: [1](x.md) [[1]] `[1]` [2] [A b] [^n]\n\n    [1]\n"
RENAMED = "[1][1-2] [one][1-2] [1][1-2] ![p][1-2] [2][1-2]: [1](x.md) [[1]] `[1]` [2] [A b][a b-2] [^n-2]\n\n    [1]\n"
DEFINED = '[1]: two.md "t"\n[2]: same.md\n[a  B]: two.md\n\n[^n]: Of `two`.\n    More.\n'


def test_a_link_and_a_footnote_of_a_note_that_goes_lead_where_they_led(kb: KnowledgeBase):
    kept = (
        "# A\n\n[1] [^n]\n\n[1]: one.md\n[2]: same.md\n[A B]: one.md\n[1-3]: three.md\n\n[^n]: Of `one`.\n    More.\n"
    )
    defined = DEFINED.replace("[1]", "[1-2]").replace("[a  B]", "[a b-2]").replace("[^n]", "[^n-2]")
    left = merged(kb, kept, f"---\nnumbers: [1]\n---\n\n# B\n\n{LABELLED}\n{DEFINED}")
    assert left == f"{kept}\n## B\n\n```yaml\nnumbers: [1]\n```\n\n{RENAMED}\n{defined}"
    said = extended(kept, f"{LABELLED}\n{DEFINED}", [])[0]
    assert said.endswith(f"{RENAMED}\n{defined}")
    assert extended(said, f"{LABELLED}\n{DEFINED}", [])[0] == said


def test_a_merge_looks_at_every_note_before_it_writes_any(kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch):
    notes = {
        "kept.md": b"# A\n\nSee [it](other.md).\n",
        "other.md": b"# B\n\nx\n",
        "a.md": b"[b](other.md)\n",
        "z.md": "[b](other.md) caf\u00e9\n".encode("latin-1"),
    }
    for path, data in notes.items():
        kb.root.write_bytes(path, data)
    wrote: list[str] = []
    monkeypatch.setattr(kb.root, "before_change", lambda path, *rest: wrote.append(path))
    said = move_note(kb, "other.md", "kept.md")
    assert isinstance(said, ToolError)
    assert "z.md" in said
    assert wrote == []


def test_a_merge_that_is_refused_on_the_way_is_put_back(kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch):
    for path, text in (("kept.md", "# A\n\n[it](other.md)\n"), ("other.md", "# B\n\nx\n"), ("a.md", "[b](other.md)\n")):
        kb.root.write_text(path, text)
    before = dict(kb.notes())

    def full(path: str, **given: str) -> None:
        raise Refusal("the disk is full", "full")

    monkeypatch.setattr(kb.root, "remove", full)
    assert "the disk is full" in move_note(kb, "other.md", "kept.md")
    assert dict(kb.notes()) == before


def test_a_message_whose_words_stand_below_another_heading_is_kept_and_said_again_changes_nothing(kb: KnowledgeBase):
    kb.root.write_text("january.md", f"---\ntitle: January\n---\n\n# The month\n\n## Paid\n\n{PAID}")
    for said in ("Extended", '"january.md" says this already'):
        assert save_note(kb, "January", f"## Not paid\n\n{PAID}", "").startswith(said)
    assert f"## Not paid\n\n{PAID}" in kb.root.read_text("january.md")
    assert "says this already" in save_note(kb, "January", PAID, "")


def test_what_stands_below_no_heading_does_not_come_to_stand_below_one(kb: KnowledgeBase):
    """The heading with the date parts it from what is paid, and says when it was said."""
    other = "## Paid\n\n- rent\n\n## Added 2026-03-01\n\n- water"
    left = merged(kb, "# A\n\nx\n", f"# B\n\n{other}\n")
    assert left == f"# A\n\nx\n\n## B\n\n{other}\n"
    left = extended(left, "## Open\n\n- gas\n\n## In full\n\n- light", [])[0]
    assert left.endswith("## Open\n\n- gas\n\n## In full\n\n- light\n")
    left = extended(left, "## Key points\n\n- heat\n\n## In full\n\n- cold", [])[0]
    assert left.endswith("- heat\n\n- cold\n")
