"""Calls written as text: found where they are calls, left alone where they are prose."""

from __future__ import annotations

import pytest
from catalogue import CATALOGUE
from wire_cases import AS_TEXT

from providers.text_calls import spoken, text_calls

READ = ("get_file_content", {"file_path": "a.txt"})


@pytest.mark.parametrize("text", AS_TEXT.values(), ids=[shape.replace(" ", "-") for shape in AS_TEXT])
def test_every_known_shape_is_found(text: str):
    assert text_calls(text, CATALOGUE)[1] == [READ]


def test_several_calls_keep_their_order_and_the_text_around_them_stays():
    first, second = (f'<tool_call>{{"name": "{name}", "arguments": {{}}}}</tool_call>' for name in "ab")
    text = f"First.\n{first}\nThen.\n{second}"
    said, calls = text_calls(text, CATALOGUE)
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
    ],
)
def test_a_broken_call_is_still_a_call(text: str):
    said, calls = text_calls(text, CATALOGUE)
    assert [name for name, _ in calls] == ["write_file"]
    assert "write_file" not in said


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
    ],
)  # fmt: skip
def test_prose_and_other_code_are_left_alone(text: str):
    said, calls = text_calls(text, CATALOGUE)
    assert calls == []
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
