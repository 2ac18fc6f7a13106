"""What a patch says: modes, kinds, names, binary files, hunks; that git takes it, tests/records/test_undo.py tries."""

from __future__ import annotations

import base64
import difflib
import random
import zlib
from collections.abc import Mapping, Sequence

import pytest

from records.undo import compared
from records.undo.kept import counts
from records.undo.patch import patch
from records.undo.tree import Entry


def of(old: Entry | None, new: Entry | None, contents: Mapping[str, bytes] = {}, path: str = "f") -> str:  # noqa: B006
    return patch({path: (old, new)}, contents.__getitem__).decode("latin-1")


FILE = Entry("file", 0o644, "1")
TEXTS = {"1": b"a\nb\nc\n", "2": b"a\nB\nc\nd"}


def test_a_change_of_lines_has_its_context_its_ranges_and_the_missing_line_feed():
    assert of(FILE, Entry("file", 0o644, "2"), TEXTS) == (
        "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,3 +1,4 @@\n a\n-b\n+B\n c\n+d\n\\ No newline at end of file\n"
    )
    assert counts([("f", FILE, Entry("file", 0o644, "2"))], TEXTS.__getitem__) == [("f", 2, 1)]


def test_a_file_that_came_and_one_that_went_name_nothing_on_the_other_side():
    assert of(None, FILE, TEXTS).startswith(
        "diff --git a/f b/f\nnew file mode 100644\n--- /dev/null\n+++ b/f\n@@ -0,0 +1,3 @@\n"
    )
    assert of(FILE, None, TEXTS).startswith(
        "diff --git a/f b/f\ndeleted file mode 100644\n--- a/f\n+++ /dev/null\n@@ -1,3 +0,0 @@\n"
    )


def test_a_mode_alone_is_two_lines_and_only_the_owners_right_to_execute_counts():
    assert of(FILE, Entry("file", 0o755, "1"), TEXTS) == "diff --git a/f b/f\nold mode 100644\nnew mode 100755\n"
    assert of(FILE, Entry("file", 0o666, "1"), TEXTS) == ""
    assert of(FILE, Entry("file", 0o645, "1"), TEXTS) == ""


def test_a_link_in_place_of_a_file_is_one_that_went_and_one_that_came():
    text = of(FILE, Entry("link", 0, "there"), TEXTS)
    assert text.count("diff --git") == 2
    assert "deleted file mode 100644" in text
    assert text.endswith(
        "new file mode 120000\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+there\n\\ No newline at end of file\n"
    )


@pytest.mark.parametrize("gone", [Entry("directory", 0o755), Entry("file", 0o644, "not kept 1 2")])
def test_a_folder_and_what_was_not_kept_are_left_out(gone: Entry):
    assert of(gone, None, TEXTS) == ""
    assert of(None, gone, TEXTS) == ""
    assert of(gone, FILE, TEXTS) == of(None, FILE, TEXTS)
    assert of(FILE, gone, TEXTS) == of(FILE, None, TEXTS)
    assert counts([("f", FILE, gone)], TEXTS.__getitem__) == [("f", 0, 3)]


def test_an_empty_file_that_came_has_no_hunk():
    assert of(None, Entry("file", 0o755, "e"), {"e": b""}) == "diff --git a/f b/f\nnew file mode 100755\n"


@pytest.mark.parametrize("size", [1, 26, 27, 52, 53, 5000])
def test_both_sides_of_a_binary_change_can_be_unpacked(size: int):
    import random

    old, new = b"\0" + random.Random(size).randbytes(size), b"\0"
    lines = of(FILE, Entry("file", 0o644, "2"), {"1": old, "2": new}).split("\n")
    assert lines[1].startswith("index ")
    assert lines[2] == "GIT binary patch"
    assert unpacked(lines[3:]) == [new, old]


def unpacked(lines: list[str]) -> list[bytes]:
    sides: list[bytes] = []
    packed, length = b"", 0
    for line in lines:
        if line.startswith("literal "):
            packed, length = b"", int(line.split()[1])
        elif line:
            count = ord(line[0]) - (64 if line[0] <= "Z" else 70)
            packed += base64.b85decode(line[1:])[:count]
        elif packed:
            sides.append(zlib.decompress(packed))
            assert len(sides[-1]) == length
            packed = b""
    return sides


def test_a_zero_byte_beyond_the_first_8000_makes_no_binary_file_as_in_git():
    text, binary = b"a" * 8000 + b"\0", b"a" * 7999 + b"\0"
    assert "GIT binary patch" not in of(None, FILE, {"1": text})
    assert "GIT binary patch" in of(None, FILE, {"1": binary})
    assert "GIT binary patch" in of(FILE, Entry("file", 0o644, "2"), {"1": b"a", "2": binary})
    assert counts([("f", None, FILE)], {"1": binary}.__getitem__) == [("f", 0, 0)]
    assert counts([("f", FILE, None)], {"1": binary}.__getitem__) == [("f", 0, 0)]
    assert counts([("f", None, FILE)], {"1": text}.__getitem__) == [("f", 1, 0)]


def test_an_odd_name_is_quoted_as_git_does():
    assert of(FILE, None, TEXTS, 'a "\\\t\x7fü').splitlines()[0] == (
        'diff --git "a/a \\042\\134\\011\\177\\303\\274" "b/a \\042\\134\\011\\177\\303\\274"'
    )
    assert of(FILE, None, TEXTS, "a!~").splitlines()[0] == "diff --git a/a!~ b/a!~"
    assert of(FILE, None, TEXTS, "a b").splitlines()[0] == 'diff --git "a/a b" "b/a b"'


def test_far_apart_changes_are_hunks_of_their_own_with_three_lines_around():
    old = "".join(f"{n}\n" for n in range(1, 31)).encode()
    new = old.replace(b"\n5\n", b"\nfive\n").replace(b"\n25\n", b"\n25\nmore\n")
    heads = [
        line for line in of(FILE, Entry("file", 0o644, "2"), {"1": old, "2": new}).splitlines() if line[:2] == "@@"
    ]
    assert heads == ["@@ -2,7 +2,7 @@", "@@ -23,6 +23,7 @@"]


def test_past_so_many_lines_the_middle_is_replaced_whole(monkeypatch: pytest.MonkeyPatch):
    old = b"same\n1\nkept\n2\nend\n"
    new = b"same\nx\nkept\ny\nend\n"
    pairs = [("f", FILE, Entry("file", 0o644, "2"))]
    contents = {"1": old, "2": new}.__getitem__
    monkeypatch.setattr(compared, "MOST_STEPS", 6)  # three lines and a pair of equal ones, then one line on each side
    assert counts(pairs, contents) == [("f", 2, 2)]
    monkeypatch.setattr(compared, "MOST_STEPS", 3)
    assert counts(pairs, contents) == [("f", 3, 3)]


def hard_ones() -> dict[str, tuple[list[str], list[str]]]:
    """Texts for which difflib takes half a minute and more: few kinds of lines, and lines in another order."""
    chance = random.Random(1)
    digits = [[f"{chance.randrange(2)}\n" for _ in range(4900)] for _ in range(2)]
    lines = [f"line number {number}\n" for number in range(9000)]
    return {"labels": (digits[0], digits[1]), "order": (lines, chance.sample(lines, len(lines)))}


@pytest.mark.parametrize("kind", ["labels", "order"])
def test_a_comparison_takes_no_more_steps_than_it_may(kind: str, monkeypatch: pytest.MonkeyPatch):
    """Counted, as a clock under load says nothing: what difflib looks at, and not only what we think it does."""
    old, new = hard_ones()[kind]
    looked = [0]

    look = difflib.SequenceMatcher.find_longest_match

    def counted(matcher: difflib.SequenceMatcher[str], alo: int, ahi: int, blo: int, bhi: int) -> difflib.Match:
        looked[0] += sum(1 + len(matcher.b2j.get(line, ())) for line in matcher.a[alo:ahi])
        return look(matcher, alo, ahi, blo, bhi)

    monkeypatch.setattr(difflib.SequenceMatcher, "find_longest_match", counted)
    codes = compared.compared(old, new)
    assert looked[0] <= compared.MOST_STEPS
    turned = [line for tag, a, b, c, d in codes for line in (old[a:b] if tag == "equal" else new[c:d])]
    assert turned == new, "what it says is right all the same"


def test_all_files_of_a_run_together_take_no_more_steps_than_one_comparison_may(monkeypatch: pytest.MonkeyPatch):
    """A person waits for the counts of all of them, at the end of a run."""
    monkeypatch.setattr(compared, "MOST_STEPS", 1000)
    given: list[int] = []
    compare = compared.compared

    def counted(old: Sequence[str], new: Sequence[str], steps: list[int]) -> list[compared.Opcode]:
        codes = compare(old, new, steps)
        given.append(sum(steps))
        return codes

    monkeypatch.setattr(compared, "compared", counted)
    contents = {"1": b"1\n2\n3\n4\n" * 10, "2": b"4\n2\n1\n3\n" * 10}.__getitem__
    told = counts([(str(number), FILE, Entry("file", 0o644, "2")) for number in range(50)], contents)
    assert len(told) == 50
    assert len(given) < 10
    assert told[-1][1:] == (40, 40), "the rest is counted as replaced whole"


def test_a_small_change_of_a_large_file_is_still_a_small_change():
    old = [f"{number % 50}\n" for number in range(20_000)]
    new = [*old[:9000], "here\n", *old[9000:15_000], *old[15_100:]]
    changed = [code for code in compared.compared(old, new) if code[0] != "equal"]
    assert sum(code[4] - code[3] for code in changed) == 1
    assert sum(code[2] - code[1] for code in changed) == 100


def test_the_files_stand_in_the_order_of_their_names():
    text = patch({"b": (None, FILE), "a": (None, FILE)}, TEXTS.__getitem__).decode()
    assert text.index("b/a\n") < text.index("b/b\n")
