"""Calls written as text: found where they are calls, left alone where they are prose."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from catalogue import CATALOGUE
from text_call_formats import FORMATS
from wire_run import run_script

from offline.script import GEMINI, OPENAI, say
from providers.text_calls import spoken, text_calls

READ = ("get_file_content", {"file_path": "a.txt"})


@pytest.mark.parametrize("text", FORMATS.values(), ids=[shape.replace(" ", "-") for shape in FORMATS])
def test_every_known_format_is_read_and_nothing_of_it_is_left_in_the_answer(text: str):
    said, calls, unread = text_calls(text, CATALOGUE)
    assert (calls, unread) == ([READ], False)
    assert not any(mark in said for mark in ("get_file_content", "a.txt", "<", "`", "|", "["))


def test_at_least_36_formats_are_held():
    assert len(FORMATS) >= 36


def test_several_calls_keep_their_order_and_the_text_around_them_stays():
    first, second = (f'<tool_call>{{"name": "{name}", "arguments": {{}}}}</tool_call>' for name in "ab")
    text = f"First.\n{first}\nThen.\n{second}"
    said, calls, _ = text_calls(text, CATALOGUE)
    assert [name for name, _ in calls] == ["a", "b"]
    assert said == "First.\nThen."


def test_values_of_parameter_tags_get_the_type_that_the_tool_wants():
    text = "<function=get_file_content><parameter=file_path>1</parameter><parameter=start_line>7</parameter></function>"
    assert text_calls(text, CATALOGUE)[1] == [("get_file_content", {"file_path": "1", "start_line": 7})]


@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>\n{"name": "write_file", "arguments": {"file_path": "a", "content": "cut',
        '```json\n{"name": "write_file", "arguments": {"content": "a\n```b```"}}\n```',
        '[TOOL_REQUEST]{"name": "write_file", "arguments": {broken}}[END_TOOL_REQUEST]',
        '[TOOL_CALLS]write_file[ARGS]{"file_path": "a", "content": "cut',
        '<|channel|>commentary to=functions.write_file <|constrain|>json<|message|>{"file_path": "a',
        "<function=write_file>\n<parameter=file_path>\na.py\n</parameter>\n<parameter=content>\ncut",
        "<function=write_file><parameter=content>x</parameter>y</parameter></function>",
        "<tool_call>write_file\n<arg_key>file_path</arg_key>\n<arg_value>a",
        "[write_file(file_path='a', content='cut",
        '<tool_call>{"name": "run_tests", "arguments": {}}</tool_call>\n<tool_call>{"name": "write_file", "argum',
        '<tool_call>{"name": "write_file", "arguments": "{half"}</tool_call>',
        '<tool_call>{"name": "write_file", "arguments": {"file_path": "a", "file_path": "b"}}</tool_call>',
        '<tool_call>{"name": "write_file", "arguments": {"file_path": NaN}}</tool_call>',
    ],
)
def test_of_a_call_that_cannot_be_read_whole_nothing_is_taken_and_nothing_is_shown(text: str):
    said, calls, unread = text_calls(text, CATALOGUE)
    assert (calls, unread) == ([], True)
    assert "write_file" not in said


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ('<tool_call>{"name": "write_file", "arguments": {"file_path": "a", "content": "x </tool_call> ``` <|x|>"}}'
         "</tool_call>", "x </tool_call> ``` <|x|>"),
        ("```python\nwrite_file('a', '\\n```\\nx\\n```\\n')\n```", "\n```\nx\n```\n"),
        ("<function=write_file>\n<parameter=file_path>\na\n</parameter>\n<parameter=content>\nif a < b:\n    c\n\n"
         "</parameter>\n</function>", "if a < b:\n    c\n"),
        ('[TOOL_CALLS]write_file[ARGS]{"file_path": "a", "content": "[TOOL_CALLS]f[ARGS]{}"}', "[TOOL_CALLS]f[ARGS]{}"),
    ],
)  # fmt: skip
def test_what_an_argument_holds_is_no_mark(text: str, content: str):
    assert text_calls(text, CATALOGUE).calls == [("write_file", {"file_path": "a", "content": content})]


def test_a_call_of_an_unknown_tool_between_sure_marks_is_a_call_that_the_dispatcher_answers():
    assert text_calls('<tool_call>{"name": "delete_all", "arguments": {}}</tool_call>', CATALOGUE).calls == [
        ("delete_all", {})
    ]


@pytest.mark.parametrize(
    "value", ["...", "b'a'", "{'a', 'b'}", "1+2j", "1e999", "0x" + "f" * 9000, "open('x')", "{1: 2}"]
)
def test_a_python_call_with_a_value_that_is_none_of_json_is_prose(value: str):
    text = f"```python\nget_file_content(file_path={value})\n```"
    assert text_calls(text, CATALOGUE) == (text, [], False)


FILE, FOLDER = "get_file_content(file_path={})", "get_dir_info({})"
ODD = [
    f"To read a file, call it like this:\n```python\n{FILE.format('...')}\n```\n",
    f"Usage:\n{FILE.format('...')}",
    *(f"```python\n{call}\n```" for call in (
        FOLDER.format("..."), FILE.format("b'a.py'"), FOLDER.format("directory={'a', 'b'}"),
        FILE.format("'a.py', **{'start_line': 1}"), FOLDER.format("directory={1: 2, 'a': 3}"),
        FILE.format("'a.py', start_line=1+2j"), FILE.format("'a.py', start_line=1e999"),
        "write_file(file_path='x', content=...)", FOLDER.format(f"directory={'[' * 90}{']' * 90}"),
        FILE.format(f"'a.py', start_line=0x{'f' * 9000}"), FILE.format(r"'\ud800'"), FILE.format("None, start_line=True"),
    )),
]  # fmt: skip


@pytest.mark.parametrize("wire", [OPENAI, GEMINI])
def test_no_call_that_is_written_as_python_ends_a_loop(wire: str, tmp_path: Path):
    """Each is a call that fails, or prose; the run goes on and its result can be printed."""
    for number, text in enumerate(ODD):
        seen = run_script([say(text), say("Done.")], wire, tmp_path / str(number))
        assert seen.result.stop_reason == "answered", text
        assert [call["status"] for call in seen.result.tool_calls if call["name"] == "write_file"] == [], text


@pytest.mark.parametrize(
    "piece", ["[", "run_tests(", '{"name":', "<tool_call>", "<function=run_tests>", "```python\n", "<tool_call>{", "<think>",
              "<parameter=a>", "\n", "<|a", "run_tests ", "```", '{"name": "run_tests", "arguments": {}}', "<arg_key>",
              " to=functions.", "Action:\n"],
)  # fmt: skip
def test_a_text_made_to_be_read_slowly_is_read_at_once(piece: str):
    began = time.process_time()
    text_calls(piece * (200_000 // len(piece)), CATALOGUE)
    assert time.process_time() - began < 5


@pytest.mark.parametrize(
    "text",
    [
        "I called `get_file_content(file_path=\"a.txt\")` and it was fine.",
        '```json\n{"name": "calculator", "version": 2}\n```',
        "```python\nprint(1)\n```",
        "```python\ndef run_tests():\n    pass\n```",
        "{\"answer\": 42}",
        "[1, 2, 3]",
        "Use f(x) = 2.",
        "",
        "```",
        "<think>\n<tool_call>{\"name\": \"run_tests\"}</tool_call>\n</think>\nDone.",
        "[" * 50_000,
        "run_tests(" * 5_000,
        "Between `<tool_call>` and `</tool_call>` stands what run_tests needs.",
        "<tool_call> begins one, and run_tests is a tool.",
        "run_tests()\n\nThat is how.",
        "[run_tests](tests.md)",
    ],
)  # fmt: skip
def test_prose_and_other_code_are_left_alone(text: str):
    said, calls, unread = text_calls(text, CATALOGUE)
    assert (calls, unread) == ([], False)
    assert said == spoken(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<think>a</think>b", "b"),
        ("a</think>b", "b"),
        ("<think>never closed", ""),
        ("<think>a</think>b<think>c</think>d", "bd"),
        ("<thinking>a</thinking>b", "b"),
        ("plain", "plain"),
    ],
)
def test_thoughts_are_not_spoken(text: str, said: str):
    assert spoken(text) == said


CALL = '<tool_call>{"name": "get_file_content", "arguments": {"file_path": "a.txt"}}</tool_call>'
JSON = '{"name": "get_file_content", "arguments": {"file_path": "a.txt"}}'


@pytest.mark.parametrize("before", ["It is ", "It is  ", "x" * 150, "x" * 151])
@pytest.mark.parametrize("words", ["`<invoke name=x>` begins one.", '{"name": "nobody"} is none.'])
def test_words_that_begin_as_a_call_does_hide_no_call_after_them(before: str, words: str):
    said, calls, unread = text_calls(f"{before}{words}\n{CALL}", CATALOGUE)
    assert (calls, unread) == ([READ], False)
    assert said == f"{before}{words}"


@pytest.mark.parametrize(("places", "calls"), [(19, [READ]), (20, [])])
def test_twenty_places_where_a_call_may_begin_are_looked_at(places: int, calls: list[object]):
    assert text_calls('{"name": "nobody"} ' * places + JSON, CATALOGUE).calls == calls


@pytest.mark.parametrize(("end", "unread"), [(300, True), (301, False)])
def test_a_name_counts_within_three_hundred_characters_of_the_beginning(end: int, unread: bool):
    begins, named = '{"name": 0,', '"name": "run_tests'
    text = begins + " " * (end - len(begins) - len(named)) + named
    assert len(text) == end
    assert text_calls(text, CATALOGUE).unread is unread


@pytest.mark.parametrize(("size", "found"), [(100_000, 1), (100_001, 0)])
def test_a_python_call_of_a_hundred_thousand_characters_is_parsed_and_no_longer_one(size: int, found: int):
    call = "get_file_content(file_path='%s')"
    calls = text_calls(call % ("x" * (size + 2 - len(call))), CATALOGUE).calls
    assert len(calls) == found


@pytest.mark.parametrize(
    ("number", "found"), [("9e299", 1), ("-9e299", 1), ("1e300", 0), ("-1e300", 0), ("10**300", 0)]
)
def test_a_python_call_holds_numbers_that_others_can_read(number: str, found: int):
    text = f"get_file_content(file_path='a', start_line={number})"
    assert len(text_calls(text, CATALOGUE).calls) == found
    whole = "9" * 300  # smaller than 1e300
    assert text_calls(f"get_file_content(file_path='a', start_line={whole})", CATALOGUE).calls[0][1][
        "start_line"
    ] == int(whole)


@pytest.mark.parametrize(
    ("text", "said"), [("<THINK>\na\n</THINK>\nb", "b"), ("[THINK]\na\n[/think]b", "b"), ("a\n<Thinking>\nb", "a")]
)
def test_a_thought_of_several_lines_in_capitals_is_none_the_less_one(text: str, said: str):
    assert spoken(text) == said


def test_a_tool_that_nobody_has_is_called_between_sure_marks_alone():
    call = '{"name": "nobody", "arguments": {"a": 1}}'
    assert text_calls(f"```json\n{call}\n```", CATALOGUE).calls == []
    assert text_calls(f"<tool_call>{call}</tool_call>", CATALOGUE).calls == [("nobody", {"a": 1})]


def test_what_is_said_before_and_after_a_call_that_cannot_be_read_is_cut_where_it_begins():
    assert text_calls('Look: <tool_call>{"name": "run_tests", "argu', CATALOGUE).said == "Look:"


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("<tool_call>get_file_content<arg_key>file_path</arg_key><arg_value>1</arg_value><arg_key>start_line</arg_key>"
         "<arg_value>7</arg_value></tool_call>", {"file_path": "1", "start_line": 7}),
        ("<function=get_file_content><parameter=start_line>x</parameter></function>", {"start_line": "x"}),
        ("<function=functions.get_file_content><parameter=start_line>7</parameter></function>", {"start_line": 7}),
        ('<invoke name="get_file_content">{"start_line": 7}</invoke>', {"start_line": 7}),
        ("<function=get_file_content><parameter=start_line>" + "[" * 100_000 + "</parameter></function>",
         {"start_line": "[" * 100_000}),
    ],
)  # fmt: skip
def test_what_stands_between_tags_becomes_what_the_schema_wants_or_stays_text(text: str, arguments: dict[str, object]):
    assert text_calls(text, CATALOGUE).calls == [("get_file_content", arguments)]


def test_a_name_alone_is_a_call_and_a_name_beside_something_else_is_none():
    assert text_calls('<tool_call>{"name": "run_tests"}</tool_call>', CATALOGUE).calls == [("run_tests", {})]
    assert text_calls('<tool_call>{"name": "run_tests", "note": "x"}</tool_call>', CATALOGUE).unread
    assert text_calls('<tool_call>{"function": "run_tests"}</tool_call>', CATALOGUE).unread


@pytest.mark.parametrize(
    ("begin", "text"),
    [
        ("", "`<function=a><parameter=b>` "),
        ("", '`<invoke name="a"><parameter name="b">'),
        ("", '<｜DSML｜function_calls><｜DSML｜invoke name="a"><｜DSML｜parameter name="b">'),
        ("", "<tool_call>a<arg_key>b</arg_key><arg_value>c"),
        ("<tool_call>a", "json"),
        ("", "<tool_call>print(run_tests("),
    ],
)
def test_the_time_grows_with_a_text_that_begins_many_calls_and_not_with_its_square(begin: str, text: str):
    def spent(times: int) -> float:
        whole, seconds = begin + text * times, []
        for _ in range(3):
            began = time.process_time()
            text_calls(whole, CATALOGUE)
            seconds.append(time.process_time() - began)
        return min(seconds)

    assert spent(4_000) < 30 * spent(500) + 0.05, "eight times the text, and not 64 times the time"
