"""Which paths a glob fits."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.files.pattern import MOST_CHOICES, choices, fits


@pytest.mark.parametrize(
    ("glob", "paths", "others"),
    [
        ("*.py", ["x.py", "a/b/x.py"], ["x.pyc", "x.PY"]),
        ("pkg/*.py", ["pkg/x.py"], ["x.py", "a/pkg/x.py", "pkg/sub/x.py"]),
        ("pkg/**/*.py", ["pkg/x.py", "pkg/sub/x.py", "pkg/a/b/x.py"], ["x.py", "other/x.py", "pkg/x.txt"]),
        ("**/x.py", ["x.py", "a/x.py", "a/b/x.py"], ["y.py", "x.py/y"]),
        ("a/**", ["a/b", "a/b/c"], ["b/a"]),
        ("**/b/**/d", ["b/d", "a/b/d", "a/b/c/d", "b/b/d"], ["a/d", "b/d/e"]),
        ("*/b", ["a/b"], ["b", "a/a/b"]),
        ("a/b/c", ["a/b/c"], ["a/b", "a/b/c/d", "a"]),
    ],
)
def test_a_glob_fits_these_paths_and_no_others(glob: str, paths: list[str], others: list[str]):
    assert [path for path in paths + others if fits(path.split("/"), glob)] == paths


@pytest.mark.parametrize(
    ("glob", "globs"),
    [
        ("*.py", ["*.py"]),
        ("./a/*.py", ["a/*.py"]),
        ("./", ["*"]),
        ("*.{py,txt}", ["*.py", "*.txt"]),
        ("{a,b}/{c,d}", ["a/c", "a/d", "b/c", "b/d"]),
        ("{a}", ["{a}"]),
        ("x{,y}", ["x", "xy"]),
    ],
)
def test_choices_in_braces_stand_for_several_globs(glob: str, globs: list[str]):
    assert sorted(choices(glob)) == globs


def test_a_glob_with_very_many_choices_ends():
    many = choices("{a,b}" * 40)
    assert len(many) == MOST_CHOICES == 64


def defined(parts: Sequence[str], globs: Sequence[str]) -> bool:
    """What fitting means, without any care for how long it takes."""
    if not globs:
        return not parts
    if globs[0] == "**":
        return any(defined(parts[place:], globs[1:]) for place in range(len(parts) + 1))
    return bool(parts) and fnmatchcase(parts[0], globs[0]) and defined(parts[1:], globs[1:])


@given(
    st.lists(st.sampled_from(["a", "b", "ab"]), min_size=1, max_size=5),
    st.lists(st.sampled_from(["a", "b", "*", "**", "a*", "?"]), min_size=2, max_size=5),
)
def test_a_glob_fits_what_its_definition_says(parts: list[str], globs: list[str]):
    assert fits(parts, "/".join(globs)) is defined(parts, globs)
