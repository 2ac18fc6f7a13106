"""The coder's tools: what they answer, and that nothing a model sends makes them raise, block or reach outside."""

from __future__ import annotations

import os
import string
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from catalogue import CATALOGUE
from hypothesis import given, settings
from hypothesis import strategies as st

from config import MAX_CHARACTERS
from functions import ToolError
from functions.edit_file import edit_file
from functions.get_dir_info import get_dir_info
from functions.get_file_content import get_file_content
from functions.run_python_file import run_python_file
from functions.run_tests import run_tests
from functions.search_files import search_files
from functions.write_file import write_file
from offline.coder.reading import files_shown
from offline.wire.conversation import Step

OUTSIDE = "outside the permitted working directory"
PACKAGE = "pkg/__init__.py, pkg/calculator.py, pkg/render.py"
ALL_FILES = f"README.md, lorem.txt, main.py, {PACKAGE}, tests.py"


# Listing


def test_a_listing_has_a_line_for_each_entry_in_order(calculator: Path):
    assert get_dir_info(calculator).split("\n") == [
        f"- README.md: file_size={(calculator / 'README.md').stat().st_size} bytes, is_dir=False",
        f"- lorem.txt: file_size={(calculator / 'lorem.txt').stat().st_size} bytes, is_dir=False",
        f"- main.py: file_size={(calculator / 'main.py').stat().st_size} bytes, is_dir=False",
        f"- pkg: file_size={(calculator / 'pkg').stat().st_size} bytes, is_dir=True",
        f"- tests.py: file_size={(calculator / 'tests.py').stat().st_size} bytes, is_dir=False",
    ]


@pytest.mark.parametrize(
    ("ask", "advice"),
    [
        (lambda root: get_file_content(root, "calculator.py"), "Did you mean pkg/calculator.py?"),
        (lambda root: get_file_content(root, "src/render.py"), "Did you mean pkg/render.py?"),
        (lambda root: get_file_content(root, "nothing_like_it.js"), f"The files here: {ALL_FILES}"),
        (lambda root: get_file_content(root, "pkg"), f"It is a directory, with {PACKAGE}"),
        (lambda root: edit_file(root, "calculater.py", "a", "b"), "Did you mean pkg/calculator.py?"),
        (lambda root: run_tests(root, "tests"), "Did you mean tests.py?"),
        (lambda root: search_files(root, "x", "src"), "The directories here: pkg"),
    ],
)
def test_where_a_path_is_not_there_the_model_is_told_which_are(calculator: Path, ask: Callable, advice: str):
    answer = ask(calculator)
    assert isinstance(answer, ToolError)
    assert answer.endswith(f". {advice}")


def test_of_many_paths_the_first_are_named_and_the_rest_counted(tmp_path: Path):
    assert get_file_content(tmp_path, "a").endswith(". There are no files here")
    for number in range(30):
        (tmp_path / f"file{number:02}.txt").write_text("")
    assert get_file_content(tmp_path, "zzz").endswith(", file19.txt and 10 more")


def test_a_listing_of_something_else_than_a_directory_is_an_error(calculator: Path):
    assert get_dir_info(calculator, "main.py") == 'Error: "main.py" is not a directory. The directories here: pkg'
    assert get_dir_info(calculator, "pkgs") == 'Error: "pkgs" is not a directory. Did you mean pkg?'


def test_an_empty_directory_says_so(tmp_path: Path):
    assert get_dir_info(tmp_path) == '"." is empty'


def test_a_huge_directory_is_listed_in_part_and_says_how_many_more_there_are(tmp_path: Path):
    for number in range(520):
        (tmp_path / f"{number:03}.txt").touch()
    lines = get_dir_info(tmp_path).split("\n")
    assert len(lines) == 501
    assert lines[-1].startswith("[...20 more entries")


# Reading


def test_exactly_ten_thousand_characters_are_not_cut(tmp_path: Path):
    (tmp_path / "a.txt").write_text("x" * MAX_CHARACTERS)
    assert get_file_content(tmp_path, "a.txt") == "x" * MAX_CHARACTERS


def test_one_character_more_is_cut_and_says_so(tmp_path: Path):
    (tmp_path / "a.txt").write_text("x" * (MAX_CHARACTERS + 1))
    shown = get_file_content(tmp_path, "a.txt")
    assert shown.startswith("x" * MAX_CHARACTERS + '\n[...File "a.txt" truncated at 10000 characters]\n')


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(string.ascii_letters + " \x0c\u2028", max_size=900), max_size=60))
def test_the_pages_of_a_long_file_put_together_are_the_file(lines: list[str]):
    text = "\n".join(lines)
    with tempfile.TemporaryDirectory() as directory:
        Path(directory, "long.txt").write_text(text, encoding="utf-8", newline="")
        steps, start = [], 1
        while start:
            result = get_file_content(directory, "long.txt", start)
            assert not isinstance(result, ToolError)
            steps.append(Step("", "get_file_content", {"file_path": "long.txt", "start_line": start}, result))
            start = int(result.rsplit("start_line=", 1)[1].rstrip(".]")) if "truncated at" in result else 0
        assert files_shown(steps) == {"long.txt": text}


@pytest.mark.parametrize(("text", "advice"), [("x" * 10_001, "No line comes after it"), ("x" * 10_001 + "\ny", "=2.]")])
def test_a_line_that_is_cut_advises_no_line_that_is_not_there(tmp_path: Path, text: str, advice: str):
    (tmp_path / "min.js").write_text(text)
    last = get_file_content(tmp_path, "min.js").splitlines()[-1]
    assert advice in last
    if "Read on" in last:
        assert get_file_content(tmp_path, "min.js", 2) == "y"


def test_a_line_past_the_end_is_an_error_that_says_how_many_there_are(tmp_path: Path):
    (tmp_path / "a.txt").write_text("one\ntwo\n")
    assert get_file_content(tmp_path, "a.txt", 3) == 'Error: "a.txt" has 2 lines, so there is no line 3'
    assert "counted from 1" in get_file_content(tmp_path, "a.txt", 0)


def test_a_binary_file_is_an_error_and_not_a_page_of_noise(tmp_path: Path):
    (tmp_path / "a.bin").write_bytes(bytes(range(256)))
    assert get_file_content(tmp_path, "a.bin") == 'Error: Cannot read "a.bin" as it is not UTF-8 text'


def test_a_file_that_begins_with_error_is_no_error(tmp_path: Path):
    (tmp_path / "log.txt").write_text("Error: disk on fire")
    content = get_file_content(tmp_path, "log.txt")
    assert content == "Error: disk on fire"
    assert not isinstance(content, ToolError)


# Writing and editing


def test_writing_says_how_many_characters_and_makes_the_folders(tmp_path: Path):
    assert write_file(tmp_path, "a/b.txt", "grün") == 'Successfully wrote to "a/b.txt" (4 characters written)'
    assert (tmp_path / "a" / "b.txt").read_text(encoding="utf-8") == "grün"


def test_writing_to_a_directory_is_an_error(tmp_path: Path):
    (tmp_path / "folder").mkdir()
    assert write_file(tmp_path, "folder", "x") == 'Error: Cannot write to "folder" as it is a directory'


def test_an_edit_replaces_the_one_occurrence_and_keeps_crlf(tmp_path: Path):
    (tmp_path / "a.py").write_bytes(b"one = 1\r\ntwo = 2\r\n")
    assert edit_file(tmp_path, "a.py", "1\ntwo", "3\ntwo") == 'Successfully edited "a.py" at line 1'
    assert (tmp_path / "a.py").read_bytes() == b"one = 3\r\ntwo = 2\r\n"


@pytest.mark.parametrize(
    ("old", "new", "after"),
    [
        ("one\r\ntwo", "ONE\r\ntwo", b"ONE\r\ntwo\nthree\r\n"),
        ("one\ntwo\nthree", "1\n2\n3", b"1\n2\n3\r\n"),
        ("three", "3a\r\n3b", b"one\r\ntwo\n3a\r\n3b\r\n"),
    ],
)
def test_in_a_mixture_of_newlines_a_copy_is_found_and_what_is_not_edited_stays(tmp_path: Path, old, new, after):
    (tmp_path / "mixed.txt").write_bytes(b"one\r\ntwo\nthree\r\n")
    assert edit_file(tmp_path, "mixed.txt", old, new) == 'Successfully edited "mixed.txt" at line ' + (
        "3" if old == "three" else "1"
    )
    assert (tmp_path / "mixed.txt").read_bytes() == after


def test_where_both_newlines_would_fit_the_exact_text_is_meant(tmp_path: Path):
    (tmp_path / "mixed.txt").write_bytes(b"a\r\nb\na\nb\n")
    assert edit_file(tmp_path, "mixed.txt", "a\nb", "c").endswith("line 3")
    assert (tmp_path / "mixed.txt").read_bytes() == b"a\r\nb\nc\n"


def test_an_edit_that_fits_nowhere_shows_the_closest_lines_and_changes_nothing(tmp_path: Path):
    (tmp_path / "a.py").write_text("def total(items):\n    return sum(items)\n")
    answer = edit_file(tmp_path, "a.py", "  return sum(item)", "return 0")
    assert isinstance(answer, ToolError)
    assert "line 2:     return sum(items)" in answer
    assert (tmp_path / "a.py").read_text() == "def total(items):\n    return sum(items)\n"


def test_an_edit_that_fits_twice_names_the_lines_and_changes_nothing(tmp_path: Path):
    (tmp_path / "a.py").write_text("x = 1\ny = 2\nx = 1\n")
    answer = edit_file(tmp_path, "a.py", "x = 1", "x = 3")
    assert isinstance(answer, ToolError)
    assert "lines 1, 3" in answer
    assert (tmp_path / "a.py").read_text() == "x = 1\ny = 2\nx = 1\n"


def test_overlapping_occurrences_are_not_one(tmp_path: Path):
    (tmp_path / "a.txt").write_text("aaa")
    assert isinstance(edit_file(tmp_path, "a.txt", "aa", "b"), ToolError)


@pytest.mark.parametrize(("old", "new"), [("", "x"), ("same", "same")])
def test_an_edit_that_means_nothing_is_refused(tmp_path: Path, old: str, new: str):
    (tmp_path / "a.txt").write_text("same")
    assert isinstance(edit_file(tmp_path, "a.txt", old, new), ToolError)


# Searching


def test_a_search_finds_path_line_and_text_and_passes_over_binary_files_and_ignored_folders(
    project: Callable[[dict[str, str]], Path],
):
    root = project(
        {"a.py": "needle = 1\n", "sub/b.txt": "x\na needle\n", "node_modules/c.js": "needle", ".git/d": "needle"}
    )
    (root / "e.bin").write_bytes(b"\0needle")
    assert search_files(root, "needle").split("\n") == ["a.py:1: needle = 1", "sub/b.txt:2: a needle"]
    assert search_files(root, "needle", glob="*.txt") == "sub/b.txt:2: a needle"
    assert search_files(root, "needle", glob="**/*.py") == "a.py:1: needle = 1"
    assert search_files(root, "needle", directory="sub") == "sub/b.txt:2: a needle"
    assert search_files(root, r"n\w+e = \d", regex=True) == "a.py:1: needle = 1"


@pytest.mark.parametrize(
    ("glob", "found"),
    [
        ("pkg/**/*.py", ["pkg/sub/y.py", "pkg/x.py"]),
        ("**/x.py", ["pkg/x.py"]),
        ("pkg/*.py", ["pkg/x.py"]),
        ("./pkg/*.py", ["pkg/x.py"]),
        ("*.{py,txt}", ["pkg/note.txt", "pkg/sub/y.py", "pkg/x.py"]),
        ("{pkg,lib}/{x,z}.{py,js}", ["pkg/x.py"]),
        ("pkg/**", ["pkg/note.txt", "pkg/sub/y.py", "pkg/x.py"]),
        ("**/sub/**/y.py", ["pkg/sub/y.py"]),
        ("*.js", []),
    ],
)
def test_a_glob_speaks_of_a_name_or_of_a_path(project: Callable[[dict[str, str]], Path], glob: str, found: list[str]):
    directory = project(dict.fromkeys(("pkg/x.py", "pkg/note.txt", "pkg/sub/y.py"), "needle\n"))
    lines = search_files(directory, "needle", glob=glob).splitlines()
    assert [line.partition(":")[0] for line in lines if ":1:" in line] == found


def test_a_glob_may_begin_where_the_search_begins(project: Callable[[dict[str, str]], Path]):
    directory = project({"pkg/sub/y.py": "needle\n", "sub/z.py": "needle\n"})
    assert search_files(directory, "needle", "pkg", glob="sub/*.py") == "pkg/sub/y.py:1: needle"


@pytest.mark.parametrize(("query", "line"), [(r"\x41BC", "x = 'ABC'"), (r"caf\u00e9", "café"), (r"\101BC$", "ABC")])
def test_a_regular_expression_may_spell_its_letters_as_escapes(tmp_path: Path, query: str, line: str):
    (tmp_path / "a.txt").write_text(f"{line}\n", encoding="utf-8")
    assert search_files(tmp_path, query, regex=True) == f"a.txt:1: {line}"


@pytest.mark.parametrize("arguments", [{"query": "a" * 140_000}, {"query": "a", "glob": "{a,b}" * 400}])
def test_a_huge_query_is_refused_in_a_sentence(tmp_path: Path, arguments: dict[str, str]):
    assert search_files(tmp_path, regex=True, **arguments) == (
        "Error: query and glob may have 1,000 characters at most"
    )


def test_a_search_without_a_match_says_how_much_was_looked_at(calculator: Path):
    assert search_files(calculator, "no such text") == 'No match for "no such text" in 7 files'


def test_a_search_stops_at_a_hundred_matches(tmp_path: Path):
    (tmp_path / "a.txt").write_text("hit\n" * 500)
    lines = search_files(tmp_path, "hit").split("\n")
    assert len(lines) == 101
    assert "Stopped at 100 matches" in lines[-1]


def test_a_regular_expression_that_explodes_is_stopped_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("functions.search_files.SEARCH_SECONDS", 0.5)
    (tmp_path / "a.txt").write_text("a" * 60 + "!")
    answers: list[str] = []
    searching = threading.Thread(target=lambda: answers.append(search_files(tmp_path, r"(a+)+$", regex=True)))
    searching.start()
    searching.join(30)
    assert not searching.is_alive()
    assert "Stopped after 5 seconds" in answers[0]


@pytest.mark.parametrize("query", ["(", "[", "*", "(?P<a>x)(?P<a>y)", "a{99999999999}"])
def test_an_invalid_regular_expression_is_an_error(tmp_path: Path, query: str):
    assert search_files(tmp_path, query, regex=True).startswith("Error: query is no valid regular expression")


@pytest.mark.parametrize("query", ["", "two\nlines", "a\0b"])
def test_a_query_is_one_line(tmp_path: Path, query: str):
    assert isinstance(search_files(tmp_path, query), ToolError)


# Running


def test_a_run_shows_both_streams_and_the_exit_code(project: Callable[[dict[str, str]], Path]):
    root = project({"a.py": "import sys\nprint('out', *sys.argv[1:])\nprint('err', file=sys.stderr)\nsys.exit(3)\n"})
    told = run_python_file(root, "a.py", ["x y", "-z"]).partition("\nCode cannot start other processes")[0]
    assert told == "STDOUT:\nout x y -z\nSTDERR:\nerr\nProcess exited with code 3"


def test_a_run_that_prints_nothing_says_so(project: Callable[[dict[str, str]], Path]):
    assert run_python_file(project({"a.py": "pass"}), "a.py") == "No output produced"


def test_a_run_uses_this_python_in_the_working_directory_with_no_input(project: Callable[[dict[str, str]], Path]):
    root = project(
        {"sub/a.py": "import os, sys\nprint(sys.executable)\nprint(os.getcwd())\nprint(repr(sys.stdin.read()))"}
    )
    import sys

    lines = run_python_file(root, "sub/a.py").split("\n")[1:]
    assert lines == [sys.executable, str(root.resolve()), "''"]


def test_a_run_sees_no_secret_of_the_environment(
    project: Callable[[dict[str, str]], Path], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("GEMINI_API_KEY", "a-secret")
    assert "a-secret" not in run_python_file(project({"a.py": "import os; print(dict(os.environ))"}), "a.py")


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("maim.py", 'Error: "maim.py" does not exist or is not a regular file. Did you mean main.py?'),
        ("pkg", f'Error: "pkg" does not exist or is not a regular file. It is a directory, with {PACKAGE}'),
        ("lorem.txt", 'Error: "lorem.txt" is not a Python file'),
        ("../main.py", f'Error: Cannot execute "../main.py" as it is {OUTSIDE}'),
    ],
)
def test_only_a_python_file_inside_is_run(calculator: Path, path: str, sentence: str):
    assert run_python_file(calculator, path) == sentence


# Testing


def test_a_unittest_verdict_names_the_failing_tests_first(calculator: Path):
    verdict = run_tests(calculator)
    assert verdict.split("\n")[0].startswith("2 of 9 tests failed (unittest, ")
    assert "FAIL: test_multiplication_comes_before_addition" in verdict
    assert "AssertionError: 20.0 != 17" in verdict


def test_a_unittest_verdict_of_a_right_program_is_one_line(calculator: Path):
    edit_file(calculator, "pkg/calculator.py", '"+": 3,', '"+": 1,')
    assert run_tests(calculator).startswith("All 9 tests passed (unittest, ")
    assert run_tests(calculator, "tests.py").startswith("All 9 tests passed (unittest, ")


TEST_ADD = "import unittest\nfrom add import add\nclass T(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(1, 2), 3)\n"


@pytest.mark.parametrize("package", [True, False])
@pytest.mark.parametrize("path", [".", "tests", "tests/test_add.py"])
def test_unittests_in_a_folder_are_found_package_or_not(
    project: Callable[[dict[str, str]], Path], package: bool, path: str
):
    files = {"add.py": "def add(a, b):\n    return a + b\n", "tests/test_add.py": TEST_ADD}
    root = project({**files, **({"tests/__init__.py": ""} if package else {})})
    assert run_tests(root, path).startswith("All 1 tests passed (unittest, ")


def test_pytest_style_tests_are_run_with_pytest(project: Callable[[dict[str, str]], Path]):
    root = project({"test_a.py": "def test_good():\n    assert 1\n\ndef test_bad():\n    assert 1 == 2\n"})
    verdict = run_tests(root)
    assert verdict.split("\n")[0].startswith("1 failed, 1 passed in ")
    assert "test_bad" in verdict
    assert "assert 1 == 2" in verdict
    assert not (root / ".pytest_cache").exists()


def test_unittest_tests_below_a_conftest_are_run_with_pytest(project: Callable[[dict[str, str]], Path]):
    tests = "import unittest\n\nclass T(unittest.TestCase):\n    def test_here(self):\n        assert 0\n"
    skipping = "import pytest\n\ndef pytest_itemcollected(item):\n    item.add_marker(pytest.mark.skip)\n"
    elsewhere = project({"tests/test_a.py": tests, "docs/conftest.py": skipping})
    assert run_tests(elsewhere).startswith("1 of 1 tests failed")
    assert run_tests(project({"conftest.py": skipping})).startswith("1 skipped in ")


def test_beside_a_conftest_tests_that_pytest_would_not_look_for_are_run(project: Callable[[dict[str, str]], Path]):
    tests = "import unittest\n\nclass T(unittest.TestCase):\n    def test_here(self):\n        assert 0\n"
    assert run_tests(project({"tests.py": tests, "conftest.py": ""})).startswith("1 failed in ")


@pytest.mark.parametrize(
    ("setting", "named"),
    [('addopts = "--nosuch-option -q"', "--nosuch-option"), ('required_plugins = ["nosuch-plugin"]', "nosuch-plugin")],
)
def test_where_a_projects_settings_need_a_plugin_that_is_not_here_its_tests_are_run_without_them(
    setting: str, named: str, project: Callable[[dict[str, str]], Path]
):
    settings = f"[tool.pytest.ini_options]\n{setting}\n"
    place = project({"pyproject.toml": settings, "test_a.py": "def test_a():\n    assert 1 == 2\n"})
    lines = run_tests(place).splitlines()
    assert lines[0].startswith("1 failed in ")
    assert lines[1] == f"[Run without the project's own options for pytest: {named}. What knows them is not installed.]"


SAYS = "import os, stat\ndef test_a():\n    for descriptor in range(3, 40):\n        try:\n            if stat.S_ISFIFO(os.fstat(descriptor).st_mode): os.write(descriptor, b'\\n12 passed in 0.03s\\n')\n        except OSError: pass\n    "


@pytest.mark.parametrize("end", ["os._exit(1)", "os.kill(os.getpid(), 9)"])
def test_a_test_that_says_all_passed_and_ends_pytest_is_not_believed(
    project: Callable[[dict[str, str]], Path], end: str
):
    verdict = run_tests(project({"test_a.py": SAYS + end + "\n"})).split("\n")[0]
    assert verdict.startswith("The tests could not be run to their end: they say '12 passed in 0.03s', and pytest ")
    assert verdict.endswith(("ended with code 1", "was ended by a signal"))


def test_tests_that_cannot_be_imported_are_told_as_that(project: Callable[[dict[str, str]], Path]):
    root = project({"test_a.py": "import unittest\nimport nothing_of_the_kind\n"})
    assert "No module named 'nothing_of_the_kind'" in run_tests(root)
    assert "passed" not in run_tests(root).split("\n")[0]


def test_a_directory_without_tests_says_how_test_files_are_named(tmp_path: Path):
    assert run_tests(tmp_path) == 'Error: no tests found in "."; test files are named test*.py or *_test.py'


# Hostile paths

HOSTILE = st.one_of(
    st.sampled_from(
        [
            "..",
            "../x",
            "/etc/passwd",
            "~",
            "~/x",
            "a/../../x",
            "C:\\x",
            "\\\\host\\x",
            "a\0b",
            "con",
            "a.",
            "link/x",
            "link",
        ]
        + [
            "link_out",
            ".git/hooks/pre-commit",
            "ﬀ/../..",
            "fifo",
            "a" * 5000,
            "a/" * 3000,
            "-",
            "./" * 50,
            "file\n.py",
            "",
        ]
    ),
    st.text(max_size=40),
    st.lists(st.sampled_from(["..", ".", "a", "link", "", "\0", "fifo", "file.py"]), max_size=8).map("/".join),
)


@pytest.mark.long
@settings(max_examples=150, deadline=None)
@given(HOSTILE)
def test_no_path_makes_a_tool_raise_block_or_touch_anything_outside(path: str):
    with tempfile.TemporaryDirectory() as scratch:
        outside, root = Path(scratch, "outside"), Path(scratch, "root")
        (root / "a").mkdir(parents=True)
        outside.mkdir()
        (outside / "x").write_text("canary-7391")
        (root / "link").symlink_to(outside)
        (root / "link_out").symlink_to(outside / "x")
        os.mkfifo(root / "fifo")
        answers: list[str] = []
        arguments: dict[str, tuple[str, ...]] = {
            "get_dir_info": (path,),
            "get_file_content": (path,),
            "write_file": (path, "overwritten"),
            "edit_file": (path, "canary-7391", "overwritten"),
            "search_files": ("canary-7391", path),
            "run_python_file": (f"{path}.txt",),
            "run_tests": (path,),
        }

        def use_every_tool() -> None:
            answers.extend(CATALOGUE[name].function(root, *these) for name, these in arguments.items())

        using = threading.Thread(target=use_every_tool, daemon=True)
        using.start()
        using.join(30)
        assert arguments.keys() == CATALOGUE.keys()
        assert len(answers) == len(CATALOGUE)
        assert all(isinstance(answer, str) for answer in answers)
        assert not any("canary-7391" in answer and "No match" not in answer for answer in answers)
        assert {entry.name: entry.read_text() for entry in outside.iterdir()} == {"x": "canary-7391"}
        assert sorted(entry.name for entry in Path(scratch).iterdir()) == ["outside", "root"]


@settings(max_examples=60, deadline=None)
@given(st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\r\0"), max_size=300))
def test_text_that_is_written_comes_back_as_written(text: str):
    with tempfile.TemporaryDirectory() as directory:
        written = write_file(directory, "a.txt", text)
        assert written == f'Successfully wrote to "a.txt" ({len(text)} characters written)'
        assert get_file_content(directory, "a.txt") == text.removeprefix("\ufeff")
