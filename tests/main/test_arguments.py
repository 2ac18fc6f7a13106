"""Three hundred malformed argument documents: none crashes anything, none runs a tool that writes."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from catalogue import run_alone
from wire_cases import DONE
from wire_run import run_script

from agent.contracts import ToolCall, readable_arguments
from call_functions import parse_arguments
from offline.script import Call, call
from sandbox.files.root import Root

VALID = json.dumps({"file_path": "pkg/new.py", "content": 'print("größer \\u2713")\n' * 3, "note": [1, {"a": None}]})
WRITES = json.dumps({"file_path": "new.py", "content": "x = 1\n"})


def documents() -> list[str]:
    """Truncations at every byte, deep nesting, duplicate keys, constants that are not JSON, surrogates, non-objects."""
    cut = [VALID.encode()[:length].decode("utf-8", "replace") for length in range(1, len(VALID.encode()))]
    deep = [opening * depth for depth in (1, 50, 900, 1_000, 20_000, 100_000) for opening in ("[", '{"a":', "[{")]
    deep += [f'{{"file_path": {"[" * depth}{"]" * depth}}}' for depth in (99, 101, 200, 400, 900, 100_000)]
    twice = [f'{{"file_path": "a", "content": "x", {again}}}' for again in ('"file_path": "b"', '"content": "y"')]
    wrong = ("NaN", "Infinity", "-Infinity", "nan", "1e999", r'"\ud800"', r'"\udc00x"', r'"a\udfff\ud83d"')
    values = [f'{{"file_path": "new.py", "content": {value}}}' for value in wrong]
    others = ["[]", "1", "null", '"x"', "true", "-0.0", "[{}]", '"{}"', "1" * 5_000, "\x00", "\ufeff{}", "{}{}", "{,}"]
    damaged = [damage(seed) for seed in range(150)]
    return [*cut, *deep, *twice, *values, *others, *damaged]


def damage(seed: int) -> str:
    """A document with one or two bytes changed into something that makes it invalid."""
    chance = random.Random(seed)
    while True:
        letters = list(WRITES)
        for _ in range(chance.randint(1, 2)):
            letters[chance.randrange(len(letters))] = chance.choice("{}[]\":,'\\\n\t\x01x0")
        text = "".join(letters)
        try:
            json.loads(text)
        except ValueError:
            return text


DOCUMENTS = documents()


def test_there_are_three_hundred_of_them():
    assert len(set(DOCUMENTS)) >= 300


def test_no_malformed_document_runs_a_writing_tool_or_raises(tmp_path: Path):
    with Root(tmp_path) as root:
        for text in DOCUMENTS:
            for name in ("write_file", "edit_file", "run_python_file"):
                result = run_alone(ToolCall("x", name, text), root)
                assert not result.ok, text[:80]
                assert result.content.startswith(f"Error: {name} was not run: "), result.content[:200]
                result.content.encode()
            json.dumps(readable_arguments(text))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", DOCUMENTS[:: len(DOCUMENTS) // 12], ids=range(len(DOCUMENTS[:: len(DOCUMENTS) // 12])))
def test_a_malformed_document_goes_through_the_whole_loop(text: str, tmp_path: Path):
    seen = run_script([call(Call("write_file", text)), DONE], "openai", tmp_path / "work")
    assert seen.result.answer == "Done."
    assert seen.result.tool_calls[0]["status"] == "error"
    json.loads(seen.history()[2]["tool_calls"][0]["function"]["arguments"])


def test_valid_documents_are_taken_as_they_are():
    assert parse_arguments(VALID) == json.loads(VALID)
    assert parse_arguments("") == parse_arguments(" \n") == {}
    assert parse_arguments({"a": 1}) == {"a": 1}
