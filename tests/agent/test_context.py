"""What is sent when the window is short: append-only while it fits; old output first; nothing orphaned; told."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from catalogue import run_on
from wire_cases import FILL, LM_STUDIO_OLD, loaded, paired
from wire_run import run_script

from agent.context import Context, may_send
from agent.contracts import Reply, TokenUsage, ToolCall, ToolResult
from agent.errors import TooLong
from agent.events import Event
from agent.run import Run
from agent.shorter import replaced, shortened
from offline.script import Call, call, say
from providers import gemini_wire, openai_wire
from providers.discovery import Found, look
from sandbox.files.root import Root

DONE = say("Done.")
NATIVE = {"/api/v1/models": {"models": [loaded("glassbox-scripted", 3000)]}}


@pytest.fixture
def told() -> list[Event]:
    return []


@pytest.fixture
def run(tmp_path: Path, told: list[Event]) -> Run:
    return run_on(Root(tmp_path), [told.append])


def turn(context: Context, run: Run, name: str, content: str, **arguments: Any) -> None:
    """One turn as the loop makes it: asked, replied, run, answered."""
    run.asking()
    context.fit()
    asked = ToolCall(f"call_{run.turns}", name, json.dumps(arguments))
    context.counted(TokenUsage())
    context.append({"role": "assistant", "content": "", "tool_calls": [{"id": asked.id}]})
    message = {"role": "tool", "tool_call_id": asked.id, "content": content}
    context.append_results([message], [ToolResult(asked, content, True, 0.0)])


def conversation(run: Run, *contents: tuple[str, str]) -> Context:
    context = Context(run, openai_wire)
    context.append({"role": "system", "content": "You are an agent."})
    context.append({"role": "user", "content": "Do it."})
    for name, content in contents:
        turn(context, run, name, content, file_path="x.txt")
    run.asking()
    return context


BOTH_WIRES = pytest.mark.parametrize("wire", [openai_wire, gemini_wire])
LONG = "0123456789\n" * 400  # about 1,250 tokens


def test_what_fits_is_sent_as_it_is_and_only_ever_appended(run: Run, told: list[Event]):
    run.context_window = 100_000
    context = conversation(run, *[("get_file_content", LONG)] * 5)
    assert [each["content"] for each in context.fit()[3::2]] == [LONG] * 5
    assert not [event for event in told if event.kind == "notice"]


def test_the_oldest_read_goes_first_and_its_note_says_how_to_get_it_back(run: Run, told: list[Event]):
    run.context_window = 8_600  # of which the tools take 800
    context = conversation(run, ("run_tests", LONG), *[("get_file_content", LONG)] * 4)
    sent = [each["content"] for each in context.fit()[3::2]]
    assert [content == LONG for content in sent] == [True, False, False, True, True]
    assert "make the same call again" in sent[1]
    assert context.tokens <= may_send(8_600)
    assert [event for event in told if event.kind == "notice"][0].text.startswith("To fit the model's context")


def test_system_prompt_task_and_calls_are_never_touched(run: Run):
    run.context_window = 2_000
    context = conversation(run, *[("get_file_content", LONG)] * 6)
    before = [dict(message) for message in context.messages]
    sent = context.fit()
    assert len(sent) == len(before)
    assert [m for m in sent if m["role"] != "tool"] == [m for m in before if m["role"] != "tool"]
    assert [m["tool_call_id"] for m in sent if m["role"] == "tool"] == [f"call_{n}" for n in range(1, 7)]


def test_a_shortening_leaves_room_so_that_the_next_turns_only_append(run: Run):
    run.context_window = 12_000
    context = conversation(run, *[("get_file_content", LONG)] * 8)
    first = [dict(message) for message in context.fit()]
    context.counted(TokenUsage())
    turn(context, run, "get_file_content", LONG, file_path="y.txt")
    run.asking()
    assert context.fit()[: len(first)] == first


def test_new_output_that_is_too_long_is_cut_with_the_line_to_read_on_from(run: Run):
    run.context_window = 1_500
    context = conversation(run, ("get_file_content", LONG))
    content = context.fit()[-1]["content"]
    kept = content.split("[...File")[0]
    assert LONG.startswith(kept)
    assert f"Read on with start_line={kept.count(chr(10)) + 1}.]" in content
    assert context.tokens <= may_send(1_500)


def test_a_cut_within_the_note_of_a_page_reads_on_behind_the_lines_that_are_there(run: Run):
    """The end that is left out may be the second line of what get_file_content itself says of a page."""
    page = (
        "line\n" * 4
        + '[...File "x.txt" truncated at 20 characters]\n[Lines 1-4 of 9 shown. Read on with start_line=5.]'
    )
    asked = ToolCall("a", "get_file_content", {"file_path": "x.txt"})
    note = shortened(run, ToolResult(asked, page, True, 0.0), page, len(page) - 10)
    assert note.endswith("[Lines 1-4 shown. Read on with start_line=5.]")


def test_reads_that_were_written_as_text_name_no_line_to_read_on_from(run: Run):
    """Several results stand in one message then, under a heading: no line of it is a line of a file."""
    run.context_window = 1_500
    context = conversation(run)
    asked = ToolCall("a", "get_file_content", {"file_path": "x.txt"}, as_text=True)
    results = [ToolResult(asked, LONG, True, 0.0)]
    reply = Reply("", (asked,), TokenUsage(), "stop", {"role": "assistant", "content": ""})
    context.append_results(openai_wire.tool_messages(results, reply), results)
    content = context.fit()[-1]["content"]
    assert "Read on" not in content
    assert "Ask for less" in content


@BOTH_WIRES
def test_what_an_earlier_conversation_read_makes_room_first(run: Run, wire: ModuleType):
    entries: list[dict[str, Any]] = [{"role": "user", "text": "Read them.", "by": "person"}]
    for number in range(4):
        calls = [{"id": str(number), "name": "get_file_content", "arguments": {"file_path": "x.txt"}}]
        entries.append({"role": "model", "text": "", "calls": calls})
        entries.append({"role": "results", "results": [{"name": "get_file_content", "content": LONG, "ok": True}]})
    run.context_window = 3_500
    context = Context(run, wire)
    context.recall(wire.history(entries))
    context.append(wire.user_message("And now?"))
    run.asking()
    sent = json.dumps(context.fit())
    assert context.tokens <= may_send(3_500)
    assert sent.count("make the same call again") >= 3
    assert "And now?" in sent


def test_a_servers_own_count_of_what_it_refused_is_what_is_made_room_for(run: Run):
    """It counts three times as many tokens as the estimate: by the estimate all would fit."""
    context = conversation(run, *[("get_file_content", LONG)] * 6)
    estimated, before = context.tokens, context.characters
    context.make_room(TooLong(2 * estimated, 3 * estimated))
    as_the_server_counts = 3 * estimated * context.characters / before
    assert as_the_server_counts <= may_send(2 * estimated)
    assert [message for message in context.messages if message.get("content") == LONG]


def test_a_servers_own_count_replaces_the_estimate(run: Run):
    context = conversation(run, ("get_file_content", LONG))
    context.counted(TokenUsage(3_000))
    assert context.tokens == pytest.approx(3_000, rel=0.01)


def test_a_refusal_without_numbers_shortens_by_a_share(run: Run):
    context = conversation(run, *[("get_file_content", LONG)] * 6)
    before = context.tokens
    context.make_room(TooLong(None, None))
    assert context.tokens < 0.7 * before


def test_when_nothing_is_left_to_shorten_the_line_names_window_and_size(run: Run):
    context = conversation(run, ("get_dir_info", "short"))
    with pytest.raises(TooLong, match=r"\(5,103 tokens\).*\(4,096 tokens\).*larger context length"):
        context.make_room(TooLong(4096, 5103))


def test_listeners_keep_the_message_as_it_was(run: Run, told: list[Event]):
    run.context_window = 2_000
    conversation(run, *[("get_file_content", LONG)] * 4).fit()
    shown = [event.message for event in told if event.kind == "message"]
    assert [message["content"] for message in shown if message["role"] == "tool"] == [LONG] * 4


def test_replacing_copies_what_is_on_the_path_alone():
    before = {"parts": [{"a": {"result": "x"}}, {"b": 1}]}
    after = replaced(before, ("parts", 0, "a", "result"), "y")
    assert after == {"parts": [{"a": {"result": "y"}}, {"b": 1}]}
    assert before["parts"][0] == {"a": {"result": "x"}}
    assert after["parts"][1] is before["parts"][1]


def test_requests_are_append_only_until_the_window_forces_it(tmp_path: Path):
    seen = run_script([*FILL, call(Call("get_dir_info")), DONE], "openai", tmp_path / "work", NATIVE)
    shortened = [
        n for n in range(1, len(seen.requests)) if seen.history(n)[: len(seen.history(n - 1))] != seen.history(n - 1)
    ]
    assert len(shortened) == 1
    paired(seen)


def test_the_task_alone_too_long_is_a_clear_line(tmp_path: Path):
    from offline.script import fail

    seen = run_script([fail(400, LM_STUDIO_OLD)], "openai", tmp_path / "work")
    assert seen.exit_code == 2
    assert len(seen.requests) == 1


V1 = {
    "/api/v1/models": {
        "models": [
            {"type": "embedding", "key": "e", "loaded_instances": [{"id": "e", "config": {}}]},
            {"type": "llm", "key": "asleep", "loaded_instances": []},
            loaded("awake", 8192),
        ]
    }
}
V0 = {
    "/api/v0/models": {
        "data": [
            {"id": "asleep", "type": "llm", "state": "not-loaded", "max_context_length": 9},
            {"id": "awake", "type": "vlm", "state": "loaded", "loaded_context_length": 4096},
        ]
    }
}
LLAMA = {"/v1/models": {"data": [{"id": "llama", "meta": {"n_ctx": 2048, "n_ctx_train": 99999}}]}}  # fmt: skip


@pytest.mark.parametrize(
    ("native", "wanted", "found"),
    [
        (V1, "", Found("awake", 8192)),
        (V1, "asleep", Found("asleep", None)),
        (V0, "", Found("awake", 4096)),
        (LLAMA, "", Found("llama", 2048)),
        ({}, "", Found("glassbox-scripted", None)),
        ({}, "another", Found("another", None)),
        ({"/v1/models": {"data": []}}, "", Found("", None)),
        ({"/v1/models": {"no": "list"}}, "", None),
        ({"/api/v1/models": {"models": [{"type": "llm", "loaded_instances": [{"config": None}, 5]}]}}, "", Found("")),
    ],
)
def test_the_window_is_the_loaded_one_where_a_server_tells(native: dict[str, Any], wanted: str, found: Found | None):
    from offline.scripted import serving

    with serving(DONE, native=native) as server:
        assert look(f"{server.address}/v1", "x", 5, wanted) == found


def test_what_a_server_refuses_is_shortened_also_where_its_window_seems_large_enough(run: Run):
    context = conversation(run, *[("get_file_content", LONG)] * 5)
    before = context.tokens
    context.make_room(TooLong(10 * before, None))
    assert run.context_window == 10 * before
    assert context.tokens <= 0.9 * before


def test_where_nothing_old_is_there_the_new_is_cut_though_the_window_seems_large_enough(run: Run):
    context = conversation(run, ("get_file_content", LONG))
    before = context.tokens
    context.make_room(TooLong(10 * before, None))
    assert 0.7 * before < context.tokens <= 0.9 * before


def test_where_no_window_is_told_two_fifths_make_room(run: Run):
    context = conversation(run, *[("get_file_content", LONG)] * 8)
    before = context.tokens
    context.make_room(TooLong(None, None))
    assert 0.3 * before < context.tokens <= 0.6 * before


def test_of_a_read_that_is_cut_whole_lines_are_kept(run: Run):
    asked = ToolCall("a", "get_file_content", {"file_path": "x.txt", "start_line": 7})
    text = "".join(f"{'x' * (number % 5)}{number}\n" for number in range(40))
    for most in range(30, 60):
        said = shortened(run, ToolResult(asked, text, True, 0.0), text, most)
        kept = said[: said.index("[...File")]
        assert text.startswith(kept)
        assert kept.endswith("\n")
        assert most - 7 <= len(kept) <= most
        assert said.endswith(
            f"[Lines 7-{6 + kept.count(chr(10))} shown. Read on with start_line={7 + kept.count(chr(10))}.]"
        )


def test_an_output_that_is_cut_elsewhere_says_how_much_is_missing(run: Run):
    asked = ToolCall("a", "run_tests", {})
    said = shortened(run, ToolResult(asked, "y" * 2000, True, 0.0), "y" * 2000, 700)
    assert said == "y" * 700 + "\n[...cut to fit the context window: 1,300 more characters. Ask for less.]"


def test_the_servers_own_count_is_what_is_estimated_with_within_reason(run: Run):
    context = conversation(run, ("get_file_content", LONG))
    characters = context.characters
    for counted, estimated in ((1000, 6.0), (characters // 3, 3.0), (characters, 1.5)):
        context.counted(TokenUsage(counted))
        assert context.characters_per_token == pytest.approx(min(6.0, max(1.5, estimated)), rel=0.01)
    context.counted(TokenUsage(100))
    assert context.characters_per_token == 1.5, "so few tokens tell nothing"
    context.counted(TokenUsage(101))
    assert context.characters_per_token == 6.0


def test_too_long_says_the_numbers_that_are_known():
    assert str(TooLong(4096, 5000)).startswith(
        "The conversation (5,000 tokens) does not fit the model's context window (4,096 tokens)."
    )
    assert str(TooLong(None, None)).startswith("The conversation does not fit the model's context window. Load")
    assert may_send(6000) == 5000


def test_what_the_model_is_working_with_stays_where_older_output_makes_room_enough(run: Run):
    context = conversation(run, *[("get_file_content", LONG)] * 3)
    run.context_window = int((context.tokens - 500) * 1.2)
    sent = [each["content"] for each in context.fit()[3::2]]
    assert [content == LONG for content in sent] == [False, True, True]
    assert context.tokens > 0.75 * may_send(run.context_window), "or the test would prove nothing"
