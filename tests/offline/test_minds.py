"""The built-in model's server: which mind answers, and that both wires tell it the same conversation."""

from __future__ import annotations

import importlib
import inspect
import subprocess
import sys
import threading
import types
from typing import Any

import httpx2
import pytest

from config import PROJECT
from offline import minds
from offline.wire import gemini, openai
from offline.wire.conversation import REMARK, Call, Conversation, Decision
from offline.wire.server import serve

SCHEMAS = [{"name": name, "description": name, "parameters": {"type": "object"}} for name in ("look", "change")]


OURS = [{"type": "function", "function": {**SCHEMAS[0], "name": "get_dir_info"}}]


def openai_body(**more: Any) -> dict[str, Any]:
    call = {"id": "a", "type": "function", "function": {"name": "look", "arguments": '{"at": 1}'}}
    messages = [
        {"role": "system", "content": "Be exact."},
        {"role": "user", "content": "first"},
        {"role": "assistant", "content": "First answer."},
        {"role": "user", "content": "second"},
        {"role": "assistant", "content": "I look.", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "a", "content": "seen"},
        {"role": "assistant", "content": "Done."},
        {"role": "user", "content": f"{REMARK} Run the tests."},
    ]
    return {"messages": messages, "tools": [{"type": "function", "function": one} for one in SCHEMAS], **more}


def gemini_body(**more: Any) -> dict[str, Any]:
    def said(role: str, text: str, **part: Any) -> dict[str, Any]:
        return {"role": role, "parts": [{"text": text}, *([part] if part else [])]}

    contents = [
        said("user", "first"),
        said("model", "First answer."),
        said("user", "second"),
        said("model", "I look.", functionCall={"name": "look", "args": {"at": 1}}),
        {"role": "user", "parts": [{"functionResponse": {"name": "look", "response": {"result": "seen"}}}]},
        said("model", "Done."),
        said("user", f"{REMARK} Run the tests."),
    ]
    system = {"parts": [{"text": "Be exact."}]}
    return {"contents": contents, "systemInstruction": system, "tools": [{"functionDeclarations": SCHEMAS}], **more}


def told(conversation: Conversation) -> dict[str, Any]:
    return {name: value for name, value in vars(conversation).items() if name != "body"}


def test_both_wires_tell_the_same_conversation():
    one, other = openai.read_request(openai_body()), gemini.read_request(gemini_body())
    assert told(one) == told(other)
    assert (one.prompt, one.answer, one.system) == ("second", "Done.", "Be exact.")
    assert [(step.name, step.arguments, step.result) for step in one.steps] == [("look", {"at": 1}, "seen")]
    assert [(each.prompt, each.answer) for each in one.earlier] == [("first", "First answer.")]
    assert one.remarks == ("Run the tests.",)
    assert one.tools == {"look", "change"}
    assert one.schemas["look"] == SCHEMAS[0]


@pytest.mark.parametrize(
    "conversation",
    [
        openai.read_request(openai_body(tool_choice="none")),
        gemini.read_request(gemini_body(toolConfig={"functionCallingConfig": {"mode": "NONE"}})),
    ],
    ids=["openai", "gemini"],
)
def test_tools_that_may_not_be_called_are_known_all_the_same(conversation: Conversation):
    assert not conversation.tools
    assert conversation.known == {"look", "change"}


def test_without_schemas_the_calls_that_were_made_tell_what_kind_of_work_it_is():
    assert openai.read_request(openai_body(tools=None)).known == {"look"}


def mind(*tools: str) -> types.SimpleNamespace:
    return types.SimpleNamespace(TOOLS=frozenset(tools))


@pytest.mark.parametrize(
    ("tools", "expected"),
    [
        (set(), "coder"),
        ({"unheard_of"}, "coder"),
        ({"edit_file", "run_tests", "get_file_content"}, "coder"),
        ({"get_file_content", "cite"}, "reader"),
        ({"get_file_content"}, "reader"),
        ({"fleet_list", "fleet_restart"}, "fleet"),
    ],
)
def test_the_mind_that_knows_most_of_the_tools_answers(tools: set[str], expected: str, monkeypatch: pytest.MonkeyPatch):
    coder = mind("edit_file", "run_tests", "get_file_content")
    registered = {"coder": coder, "fleet": mind("fleet_*"), "reader": mind("get_file_content", "cite")}
    monkeypatch.setattr(minds, "minds", lambda: registered)
    assert minds.mind_for(frozenset(tools)) is registered[expected]


def test_every_mind_in_the_folder_is_found_by_its_file():
    assert "coder" in minds.minds()
    for name, found in minds.minds().items():
        assert isinstance(found.TOOLS, frozenset)
        decide = importlib.import_module(f"offline.{name}.mind").decide
        assert list(inspect.signature(decide).parameters) == ["conversation", "think", "cancelled"]


def test_only_the_mind_that_answers_is_loaded():
    ask = "import sys; from offline import minds; from offline.wire import openai; from threading import Event; "
    ask += f"minds.decide(openai.read_request({openai_body(tools=OURS)!r}), None, Event()); print(*sorted(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", ask], cwd=PROJECT, capture_output=True, encoding="utf-8")
    loaded = set(ran.stdout.split())
    assert {name for name in loaded if name.endswith(".mind")} == {"offline.coder.mind"}, ran.stderr
    assert "offline.foreign.answering" not in loaded


def test_any_function_may_decide_and_its_decision_goes_over_both_wires():
    heard: list[Conversation] = []

    def decide(conversation: Conversation, think: Any, cancelled: threading.Event) -> Decision:
        heard.append(conversation)
        return Decision("As you say.", (Call("look", {"at": 2}),))

    with serve(decide=decide) as address:
        one = httpx2.post(f"{address}/v1/chat/completions", json=openai_body()).json()
        other = httpx2.post(f"{address}/v1beta/models/any:generateContent", json=gemini_body()).json()
    assert one["choices"][0]["message"]["content"] == "As you say."
    assert one["choices"][0]["message"]["tool_calls"][0]["function"] == {"name": "look", "arguments": '{"at": 2}'}
    parts = other["candidates"][0]["content"]["parts"]
    assert parts == [{"text": "As you say."}, {"functionCall": {"name": "look", "args": {"at": 2}}}]
    assert heard[0].body == openai_body()
