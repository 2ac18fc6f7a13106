"""Which paths a glob fits."""

from __future__ import annotations

import pytest

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
    assert MOST_CHOICES <= len(many) < 2 * MOST_CHOICES
