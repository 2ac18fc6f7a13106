"""Calls written as text: found where they are calls, left alone where they are prose."""

from __future__ import annotations

import time

import pytest
from catalogue import CATALOGUE
from text_call_formats import FORMATS

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
