"""Links: what is one, where it leads, and that none is changed without being sure."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.notekeeper import keeper
from jobs.notekeeper.broken_links import broken
from jobs.notekeeper.knowledge_base import KnowledgeBase
from jobs.notekeeper.notes import links_in, resolver, with_link
from jobs.notekeeper.tools.kb_check import kb_check
from jobs.notekeeper.tools.move_note import move_note
from offline.notekeeper.order import change_for


def write(kb: KnowledgeBase, **notes: str) -> None:
    for name, text in notes.items():
        (kb.root.path / f"{name}.md").write_text(text, encoding="utf-8")


def nearest(kb: KnowledgeBase, link: str) -> str:
    """What the check says that a link of a note means; "there" where it calls it no broken one."""
    (kb.root.path / "from.md").write_text(f"# From\n\nSee {link}.\n", encoding="utf-8")
    found = [line for line in kb_check(kb).splitlines() if line.startswith("broken link | from.md")]
    return found[0].rpartition("| ")[2] if found else "there"


def test_tidying_leaves_links_to_files_of_any_kind_and_to_notes_that_are_not_written_yet(
    tmp_path: Path, built_in_model: str
):
    notes = tmp_path / "notes"
    (notes / "a").mkdir(parents=True)
    (notes / "a/Report 2026.pdf").write_text("x")
    report = "# Report 2026\n\nFile: [[Report 2026.pdf]]. Then [[Report 2027]]. ![[Report 2026.png]]\n"
    (notes / "a/Report 2026.md").write_text(report)
    (notes / "Meeting: Alpha.md").write_text("# Meeting: Alpha\n")
    (notes / "Meeting Alpha 2.md").write_text("# Meeting Alpha\n")
    (notes / "2026-11-28.md").write_text("# 2026-11-28\n\nTomorrow [[2026-11-29]], [[Meeting: Alpha]].\n")
    (notes / "Chapter 1.md").write_text("# Chapter 1\n\ny[[Chapter 1 b]]\n\n    y [[chapter-2]]\n\n`[[chapter-2]]`\n")
    (notes / "Chapter 2.md").write_text("# Chapter 2\n\nSee [[chapter-1#Start|the start]].\n")
    before = {path: path.read_bytes() for path in notes.rglob("*") if path.is_file()}
    with keeper(notes, built_in_model) as held:
        for order in ("tidy up", "fix the broken links"):
            answer = held.task(order).answer
    changed = {path.name for path in notes.rglob("*") if path.is_file() and path.read_bytes() != before.get(path)}
    assert changed == {"Chapter 2.md"}
    assert "See [the start](Chapter%201.md#Start)." in (notes / "Chapter 2.md").read_text()
    assert "[[Report 2027]]" in answer


@pytest.mark.parametrize(
    ("link", "told"),
    [
        ("[[winter-garden tomatoes]]", "garden/plan.md"),
        ("[p](garden/Plan.md)", "garden/plan.md"),
        ("[Winter garden tomatoes](old/plan.md)", "garden/plan.md"),
        ("[the plan](old/plan.md)", "perhaps garden/plan.md"),
        ("[[Winter garden tomatoess]]", "perhaps garden/plan.md"),
        ("[[Winter garden tomatoes 2]]", ""),
        ("[p](../out/plan.md)", ""),
        ("see[[winter-garden tomatoes]]", ""),
        ("![[winter-garden tomatoes]]", ""),
        ("[[garden]]", "there"),
        ("[[PLAN.TXT]]", "there"),
        ("[m](garden/Plan:2.md)", "there"),
    ],
)
def test_a_broken_link_means_a_note_only_where_that_is_sure(kb: KnowledgeBase, link: str, told: str):
    (kb.root.path / "garden").mkdir()
    write(kb, **{"garden/plan": "# Winter garden tomatoes\n", "garden/Plan:2": "# Two\n"})
    (kb.root.path / "garden/plan.txt").write_text("x")
    assert nearest(kb, link) == told


@pytest.mark.parametrize(
    ("raw", "new"),
    [
        ('[p](x.md "our plan")', '[p](../b/to.md "our plan")'),
        ("[![pic](x.png)](index.md#A)", "[![pic](x.png)](../b/to.md#A)"),
        ("[a](<i j.md#x y>)", "[a](<../b/to.md#x y>)"),
        ('[ref]: x.md "t"', '[ref]: ../b/to.md "t"'),
        ("[[To#Start here|the start]]", "[the start](../b/to.md#Start%20here)"),
        ("[a | b](f_(x).md)", "[a | b](../b/to.md)"),
    ],
)
def test_a_link_that_is_mended_keeps_its_words_its_title_and_its_anchor(raw: str, new: str):
    call = change_for(["broken link", "a/n.md", *raw.split(" | "), "b/to.md"])
    assert call
    assert call.arguments["new_text"] == new


def test_of_several_notes_with_the_name_of_a_wiki_link_it_is_the_first():
    known = {"a/plan.md": "First", "b/first.md": "Second", "plan.md": "Plan", "second.md": "a/plan"}
    links = links_in("[[plan]] [[FIRST]] [[second]] [[a/Plan.md]] [[none]]")
    assert [resolver(known)(link, "x.md") for link in links] == [
        "a/plan.md",
        "a/plan.md",
        "b/first.md",
        "a/plan.md",
        None,
    ]


def test_the_titles_are_folded_once_for_all_links_of_all_notes(kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch):
    """Looked through for each link they took minutes among some thousand notes."""
    folded = list[str]()

    class Title(str):
        def casefold(self) -> str:
            folded.append(self)
            return str.casefold(self)

    write(kb, **{f"n{number}": f"# Note {number}\n\n[[Note 0]] [[Note 1]] [[n2]] [[n0]]\n" for number in range(9)})
    titles = {path: Title(title) for path, title in kb.titles().items()}
    monkeypatch.setattr(kb, "titles", lambda: titles)
    assert list(broken(kb, dict(kb.notes()), titles)) == []
    assert len(folded) == 9
    folded.clear()
    assert len(kb.pointing_at("n0.md")) == 8
    assert len(folded) == 9
    folded.clear()
    assert "follow" in move_note(kb, "n0.md", "a/n0.md")
    assert len(folded) < 4 * 9


@pytest.mark.parametrize(
    ("text", "linked"),
    [
        ("# A\n\nx\n", "# A\n\nx\n\n## Related\n\n- L\n"),
        ("# A\n\n## Related\n\n- [B](b.md)\n", "# A\n\n## Related\n\n- [B](b.md)\n- L\n"),
        ("# A\n\n## Related\n", "# A\n\n## Related\n\n- L\n"),
        (
            "## Related\n\nOf mine.\n\n## Related\n- [B](b.md)\n",
            "## Related\n\nOf mine.\n\n## Related\n- [B](b.md)\n- L\n",
        ),
        ("```\n## Related\n\n- b\n```\n", "```\n## Related\n\n- b\n```\n\n## Related\n\n- L\n"),
    ],
)
def test_a_link_comes_to_the_list_at_the_end_and_neither_into_code_nor_below_a_heading_of_the_persons(
    text: str, linked: str
):
    assert with_link(text, "L") == linked


CODE = """
`[a](no.md)` ``b ` [c](no.md)``

    [[no]]

- item

    [yes](yes.md)

      ```
      [[no]]
      ```

> ~~~
> [[no]]
> ~~~

````r
```
[[no]]
````
"""


def test_code_holds_no_link_be_it_fenced_indented_or_within_a_line():
    assert [link.target for link in links_in(CODE)] == ["yes.md"]


def test_a_link_has_a_title_a_picture_brackets_or_a_definition_of_its_own():
    text = '[a](1.md "t") [![p](i.png)](2.md) [b](x_(y).md#z) [c\nd](3.md)\n\n[e]: 4.md (t)\n[^1]: no.md\n'
    found = list(links_in(text))
    assert [link.target for link in found] == ["1.md", "2.md", "x_(y).md", "3.md", "4.md"]
    assert all(text[link.start :].startswith(link.raw) for link in found)


def test_a_note_that_moves_is_changed_by_place_and_keeps_its_line_ends_its_mark_and_its_mode(kb: KnowledgeBase):
    top = kb.root.path
    for name in ("index.md", "a/index.md", "img/p.png", "a/img/p.png"):
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text("# I\n", encoding="utf-8")
    lines = (
        "\ufeff# N",
        "",
        '[i](index.md) [i](../index.md) [t](index.md "title") [n](n.md#x) [f](img/) [[a/n|me]]',
        "![](img/p.png) ![](../img/p.png) [![pic](img/p.png)](index.md) `[i](index.md)` [b](<index.md#a b>)",
        "",
        "    [i](index.md)",
        "",
        "[ref]: index.md",
        "",
    )
    (top / "a/n.md").write_bytes("\r\n".join(lines).encode())
    (top / "a/n.md").chmod(0o600)
    assert move_note(kb, "a/n.md", "a/sub/n.md") == 'Moved "a/n.md" into "a/sub/n.md"'
    assert (top / "a/sub/n.md").read_bytes().decode().split("\r\n") == [
        "\ufeff# N",
        "",
        '[i](../index.md) [i](../../index.md) [t](../index.md "title") [n](n.md#x) [f](../img/) [me](n.md)',
        "![](../img/p.png) ![](../../img/p.png) [![pic](../img/p.png)](../index.md) `[i](index.md)` [b](<../index.md#a b>)",
        "",
        "    [i](index.md)",
        "",
        "[ref]: ../index.md",
        "",
    ]
    assert (top / "a/sub/n.md").stat().st_mode & 0o777 == 0o600


def test_links_to_a_note_that_moves_follow_in_every_form_and_none_in_code(kb: KnowledgeBase):
    (kb.root.path / "a").mkdir()
    (kb.root.path / "b").mkdir()
    code = "```\n[p](../a/plan.md)\n```\n\n    [p](../a/plan.md)\n\n`[p](../a/plan.md)`\n"
    write(
        kb,
        **{
            "a/plan": "# Plan\n",
            "b/n": f'[p](../a/plan.md "our plan") [p](../a/plan.md)\n\n{code}\n[r]: ../a/plan.md\n',
        },
    )
    assert move_note(kb, "a/plan.md", "c/d/plan.md").endswith("the links to it in b/n.md follow")
    new = '[p](../c/d/plan.md "our plan") [p](../c/d/plan.md)\n\n' + code + "\n[r]: ../c/d/plan.md\n"
    assert (kb.root.path / "b/n.md").read_text() == new
