"""Dispatch: one result per call, in call order, whatever happens."""

from __future__ import annotations

import errno
import json
import signal
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from catalogue import CATALOGUE, run_alone, run_on
from hypothesis import given, settings
from hypothesis import strategies as st

import call_functions
from agent.contracts import ToolCall, ToolResult
from agent.events import Event, Listener
from call_functions import batches, run_calls
from functions.tool import Catalogue, Tool
from sandbox.files.root import Root

HANG = 30.0


def call(name: str, arguments: object = "{}", number: int = 1) -> ToolCall:
    return ToolCall(f"call_{number}", name, arguments)  # type: ignore[arg-type]


def extra(name: str, function: object, *, reads_only: bool = True) -> Tool:
    parameters = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": []}
    schema = {"name": name, "description": "", "parameters": parameters}
    return Tool(name, function, schema, reads_only)  # type: ignore[arg-type]


def run_all(
    calls: list[ToolCall], path: Path | str, *tools: Tool, listeners: Sequence[Listener] = ()
) -> list[ToolResult]:
    with Root(path) as root:
        return run_calls(calls, run_on(root, listeners, catalogue=Catalogue([*CATALOGUE.values(), *tools])))


def test_eight_calls_of_100_ms_run_together_and_answer_in_call_order(tmp_path: Path):
    together = threading.Barrier(8)

    def slow(_: object, n: int = 0) -> str:
        together.wait(HANG)  # passes only when all eight are under way at once
        time.sleep(0.1 - n / 100)  # the last one is the first to end
        return str(n)

    tool = extra("slow", slow)
    began = time.perf_counter()
    results = run_all([call("slow", {"n": n}, n) for n in range(8)], tmp_path, tool)
    assert [result.content for result in results] == [str(n) for n in range(8)]
    assert [result.call.id for result in results] == [f"call_{n}" for n in range(8)]
    assert time.perf_counter() - began < 0.8 * 8 * 0.1  # one after the other would take the sum


def test_an_exception_in_one_call_leaves_the_others(tmp_path: Path):
    def breaks(_: object, n: int = 0) -> str:
        raise RuntimeError("a defect")

    tool = extra("breaks", breaks)
    (tmp_path / "a.txt").write_text("text")
    results = run_all([call("breaks"), call("get_file_content", {"file_path": "a.txt"})], tmp_path, tool)
    assert [result.ok for result in results] == [False, True]
    assert "RuntimeError: a defect" in results[0].content
    assert results[1].content == "text"


@pytest.mark.parametrize(
    ("name", "arguments", "hints"),
    [
        ("get_files", "{}", ["get_dir_info", "run_tests"]),
        ("Functions.Write_File", "{}", ["write_file"]),
        ("", "{}", ["write_file"]),
        ("get_file_content", "{}", ["needs 'file_path'", '"file_path": a string']),
        ("get_file_content", '{"path": "a"}', ["no parameter 'path'", "file_path"]),
        ("get_file_content", '{"file_path": 3}', ["'file_path' is a number where a string is needed"]),
        ("get_file_content", '{"file_path": null}', ["null where a string"]),
        ("get_file_content", '{"file_path": "a", "start_line": true}', ["true where a whole number"]),
        ("get_file_content", '{"file_path": "a", "start_line": 1.5}', ["whole number"]),
        ("run_python_file", '{"file_path": "a.py", "args": ["1", 2]}', ["list of strings"]),
        ("run_python_file", '{"file_path": "a.py", "args": "1"}', ["list of strings"]),
        ("write_file", '{"file_path": "a", "content": "half', ["not valid JSON", "line 1 column"]),
        ("write_file", '{"file_path": "a", "content": "x",}', ["not valid JSON", "line 1 column"]),
        ("write_file", "{'file_path': 'a', 'content': 'x'}", ["not valid JSON", "line 1 column"]),
        ("write_file", '{"file_path": "a", "content": "tab\there\nline"}', ["not valid JSON"]),
        ("write_file", '{"file_path": "a", "file_path": "b", "content": "x"}', ["twice"]),
        ("write_file", '{"file_path": "a", "content": NaN}', ["NaN"]),
        ("write_file", "[" * 100_000, ["nested too deeply"]),
        ("write_file", "[]", ["a list where a JSON object"]),
        ("write_file", "1", ["a number where a JSON object"]),
        ("write_file", "null", ["null where a JSON object"]),
        ("write_file", '"x"', ["text where a JSON object"]),
    ],
)
def test_a_bad_call_is_never_run_and_its_error_says_what_would_be_right(
    tmp_path: Path, name: str, arguments: str, hints: list[str]
):
    result = run_alone(call(name, arguments), tmp_path)
    assert not result.ok
    assert result.content.startswith("Error: ")
    for hint in hints:
        assert hint in result.content
    assert list(tmp_path.iterdir()) == []


def test_no_arguments_at_all_count_as_an_empty_object(tmp_path: Path):
    assert run_alone(call("get_dir_info", ""), tmp_path).ok


def test_a_whole_number_that_came_as_a_float_is_taken_as_the_number_it_is(tmp_path: Path):
    (tmp_path / "a.txt").write_text("one\ntwo\n")
    result = run_alone(call("get_file_content", {"file_path": "a.txt", "start_line": 2.0}), tmp_path)
    assert result.content == "two\n"


def test_the_same_call_nine_times_in_one_message_runs_once_and_is_answered_nine_times(tmp_path: Path):
    ran = []
    tool = extra("count", lambda _, n=0: ran.append(n) or "done", reads_only=False)
    results = run_all([call("count", {"n": 1}, number) for number in range(9)], tmp_path, tool)
    assert ran == [1]
    assert [(result.call.id, result.content) for result in results] == [(f"call_{n}", "done") for n in range(9)]


def test_tracebacks_and_warnings_name_files_from_the_working_directory(tmp_path: Path):
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "__init__.py").write_text(
        "import warnings\n\n\ndef boom():\n    warnings.warn('old')\n    raise SystemError('boom')\n"
    )
    (tmp_path / "boom.py").write_text("import pkg\npkg.boom()\n")
    content = run_alone(call("run_python_file", {"file_path": "boom.py"}), tmp_path).content
    assert 'File "pkg/__init__.py", line 6, in boom' in content
    assert "pkg/__init__.py:5: UserWarning: old" in content
    assert str(tmp_path) not in content


def test_what_a_file_holds_is_never_rewritten(tmp_path: Path):
    text = f"WORKDIR {tmp_path}\nCOPY . {tmp_path}/src\nDATA={tmp_path}-data/x\nURL=http://host{tmp_path}/v1\n"
    (tmp_path / "Dockerfile").write_text(text)
    (tmp_path / "show.py").write_text("print(open('Dockerfile').read())\n")
    assert run_alone(call("get_file_content", {"file_path": "Dockerfile"}), tmp_path).content == text
    assert text.rstrip() in run_alone(call("run_python_file", {"file_path": "show.py"}), tmp_path).content
    edit = {"file_path": "Dockerfile", "old_text": f"WORKDIR {tmp_path}\n", "new_text": "WORKDIR /srv\n"}
    assert run_alone(call("edit_file", edit), tmp_path).ok
    assert (tmp_path / "Dockerfile").read_text().startswith("WORKDIR /srv\nCOPY")


def test_a_defect_of_a_tool_names_no_path_of_this_system(tmp_path: Path):
    def broken(root: Root) -> str:
        raise FileNotFoundError(errno.ENOENT, "No such file or directory", f"{tmp_path}/secret")

    result = run_all([call("broken", {})], tmp_path, extra("broken", broken))[0]
    assert not result.ok
    assert "No such file" in result.content
    assert str(tmp_path) not in result.content


def test_what_a_tool_itself_says_of_an_os_error_reaches_the_model(tmp_path: Path):
    def broken(root: Root) -> str:
        raise OSError("the disk is away")

    result = run_all([call("broken", {})], tmp_path, extra("broken", broken))[0]
    assert "OSError: the disk is away" in result.content


def test_reads_that_have_to_wait_begin_in_call_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(call_functions, "MAX_WORKERS", 1)
    began: list[str] = []
    calls = [ToolCall(str(number), "get_dir_info", {"directory": "." + "/" * number}) for number in range(12)]
    run_all(calls, tmp_path, listeners=[lambda event: event.kind == "call_started" and began.append(event.call.id)])
    assert began == [str(number) for number in range(12)]


def test_every_call_is_told_when_it_starts_and_when_it_ends(tmp_path: Path):
    events: list[Event] = []
    calls = [call("get_dir_info", {}, 1), call("get_dir_info", {}, 2), call("nothing", {}, 3)]
    run_all(calls, tmp_path, listeners=[events.append])
    started = [event.call.id for event in events if event.kind == "call_started"]
    finished = [event.result.call.id for event in events if event.kind == "call_finished"]
    assert sorted(started) == sorted(finished) == ["call_1", "call_2", "call_3"]


FILES = st.sampled_from(["a.txt", "b.txt"])
MIXES = st.lists(
    st.one_of(
        st.tuples(st.just("write_file"), FILES, st.text("xyz", min_size=1, max_size=3)),
        st.tuples(st.just("get_file_content"), FILES, st.just("")),
    ),
    min_size=1,
    max_size=12,
)


@settings(max_examples=60, deadline=None)
@given(MIXES)
def test_a_read_sees_exactly_the_writes_that_stand_before_it(mix: list[tuple[str, str, str]]):
    import tempfile

    expected, state, calls = [], {}, []
    for number, (name, path, text) in enumerate(mix):
        arguments = {"file_path": path, **({"content": text} if name == "write_file" else {})}
        calls.append(call(name, json.dumps(arguments), number))
        if name == "write_file":
            state[path] = text
            expected.append(f'Successfully wrote to "{path}" ({len(text)} characters written)')
        else:
            missing = f'Error: File not found or is not a regular file: "{path}"'
            expected.append(state.get(path, missing))
    with tempfile.TemporaryDirectory() as directory:
        for result, wanted in zip(run_all(calls, directory), expected, strict=True):
            assert result.content == wanted or (not result.ok and result.content.startswith(wanted))


@given(st.lists(st.sampled_from(["get_dir_info", "search_files", "write_file", "run_python_file", "edit_file"])))
def test_batches_keep_the_order_and_never_put_a_write_beside_another_call(names: list[str]):
    calls = [call(name, {"n": number}, number) for number, name in enumerate(names)]
    split = list(batches(calls, CATALOGUE))
    assert [each for batch in split for each in batch] == calls
    for batch in split:
        assert len(batch) == 1 or all(CATALOGUE[each.name].reads_only for each in batch)


def test_what_is_written_and_run_in_one_turn_runs_as_written(tmp_path: Path):
    calls = [
        call("write_file", {"file_path": "a.py", "content": "print('first')"}, 1),
        call("run_python_file", {"file_path": "a.py"}, 2),
        call("write_file", {"file_path": "a.py", "content": "print('second')"}, 3),
        call("run_python_file", {"file_path": "a.py"}, 4),
    ]
    contents = [result.content for result in run_all(calls, tmp_path)]
    assert contents[1] == "STDOUT:\nfirst"
    assert contents[3] == "STDOUT:\nsecond"


def test_the_dispatcher_uses_a_pool_no_larger_than_its_setting(tmp_path: Path):
    running, most, lock = [], [], threading.Lock()

    def busy(_: object, n: int = 0) -> str:
        with lock:
            running.append(n)
            most.append(len(running))
        time.sleep(0.01)
        with lock:
            running.remove(n)
        return ""

    tool = extra("busy", busy)
    run_all([call("busy", {"n": n}, n) for n in range(24)], tmp_path, tool)
    assert max(most) <= call_functions.MAX_WORKERS


def test_a_call_that_was_written_as_text_is_one_like_any_other(tmp_path: Path):
    (tmp_path / "a.txt").write_text("alpha")
    write = ToolCall("a", "write_file", {"file_path": "new", "content": "x"}, as_text=True)
    read = ToolCall("b", "get_file_content", {"file_path": "a.txt"}, as_text=True)
    results = run_all([write, read], tmp_path)
    assert [result.ok for result in results] == [True, True]
    assert (tmp_path / "new").read_text() == "x"


def test_a_call_that_was_written_as_text_needs_the_persons_word_as_any_other(tmp_path: Path):
    write = ToolCall("a", "write_file", {"file_path": "new", "content": "x"}, as_text=True)
    with Root(tmp_path) as root:
        refused = run_calls([write], run_on(root, approve=lambda call, run: "no"))
    assert [(result.ok, result.content) for result in refused] == [(False, "Error: no")]
    assert not (tmp_path / "new").exists()


def test_half_a_character_is_refused_before_a_tool_sees_it(tmp_path: Path):
    result = run_alone(call("write_file", '{"file_path": "a", "content": "\\ud800"}'), tmp_path)
    assert "lone surrogate" in result.content
    assert not (tmp_path / "a").exists()


def test_what_did_not_run_took_no_time(tmp_path: Path):
    """The same call again in one message, and one that the person did not allow."""
    with Root(tmp_path) as root:
        run = run_on(root, approve=lambda call, run: "no")
        refused = run_calls([call("write_file", {"file_path": "a", "content": "x"})], run)
        twice = run_calls([call("get_dir_info", {}, 1), call("get_dir_info", {}, 2)], run_on(root))
    assert [(result.ok, result.seconds) for result in refused] == [(False, 0.0)]
    assert twice[0].seconds > 0.0
    assert twice[1].seconds == 0.0
    assert twice[0].call is not twice[1].call


def test_a_result_tells_how_long_its_call_took(tmp_path: Path):
    began = time.perf_counter()
    [result] = run_all([call("slow")], tmp_path, extra("slow", lambda root, n=0: time.sleep(0.02) or "done"))
    assert 0.02 <= result.seconds <= time.perf_counter() - began


def test_the_order_of_arguments_makes_no_other_call(tmp_path: Path):
    ran: list[str] = []
    tool = extra("count", lambda root, n=0: ran.append("x") or f"{n} seen")
    calls = [ToolCall("a", "count", {"n": 1}), ToolCall("b", "count", {"n": 1})]
    assert [result.content for result in run_all(calls, tmp_path, tool)] == ["1 seen", "1 seen"]
    ordered = [{"directory": ".", "query": "x"}, {"query": "x", "directory": "."}]
    assert call_functions.key(call("search_files", ordered[0])) == call_functions.key(call("search_files", ordered[1]))
    assert len(ran) == 1


def test_of_a_long_wrong_name_the_beginning_is_said(tmp_path: Path):
    content = run_alone(call("x" * 81), tmp_path).content
    assert f"there is no tool {'x' * 80!r};" in content


@pytest.mark.parametrize("name", ["write_file", "get_dir_info"])
def test_a_call_that_hit_the_token_limit_is_not_run_where_it_would_change_something(tmp_path: Path, name: str):
    arguments = {"file_path": "a", "content": "half of"} if name == "write_file" else {}
    result = run_alone(ToolCall("a", name, arguments, cut=True), tmp_path)
    assert result.ok is (name == "get_dir_info")
    assert ("the reply hit the token limit" in result.content) is not result.ok
    assert not list(tmp_path.iterdir())


def test_ctrl_c_stops_the_call_that_is_under_way_and_reaches_the_caller(tmp_path: Path):
    stopped = threading.Event()
    main = threading.main_thread().ident
    assert main is not None

    def waits(root: Root, n: int = 0) -> str:
        signal.pthread_kill(main, signal.SIGINT)
        if root.cancelled.wait(HANG):
            stopped.set()
        return "stopped"

    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        run_all([call("waits")], tmp_path, extra("waits", waits))
    assert stopped.wait(HANG)
    assert time.monotonic() - began < HANG


def test_everything_that_is_held_and_can_be_stopped_is_told(tmp_path: Path):
    class Held:
        def __init__(self) -> None:
            self.cancelled = threading.Event()

    one, other = Held(), Held()
    call_functions.cancel({"plain": "a path", "one": one, "other": other})
    assert one.cancelled.is_set()
    assert other.cancelled.is_set()
