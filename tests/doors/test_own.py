"""A person's own tools, answers as values, agents below agents, and what AgentConfig refuses."""

from __future__ import annotations

import enum
import json
import re
import threading
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel

from doors.answers import Answer
from doors.api import Agent, AgentConfig, ConfigError, Job, Root, Tool, ToolError, subagent, tool
from functions.schema import check_arguments, check_schema
from jobs import coder
from offline.script import Call, Step, call, ends, say
from offline.scripted import ScriptedServer, serving


class Size(enum.Enum):
    SMALL = "s"
    LARGE = "l"


@dataclass
class Item:
    name: str
    size: Size = Size.SMALL
    tags: list[str] = field(default_factory=list)
    price: float | None = None


@dataclass
class Task:
    title: str
    due: str | None
    items: list[Item]


class Order(BaseModel):
    items: list[str]
    note: str | None = None


@tool(reads_only=False)
def pack(root: Root, item: Item, to: Annotated[str, "where it goes"], way: Literal["air", "sea"] = "sea") -> Any:
    """Pack an item.

    More of what it does.

    Args:
        item: what is packed,
            with its tags
        way (str): how it travels
    """
    return {"in": root.path.name, "item": item, "to": to, "way": way}


def test_hints_and_docstring_become_a_schema_that_the_validator_knows():
    check_schema(pack.parameters, "pack")
    assert isinstance(pack, Tool)
    assert (pack.name, pack.resource, pack.reads_only) == ("pack", "root", False)
    assert pack.schema["description"] == "Pack an item.\n\nMore of what it does."
    assert pack.parameters["required"] == ["item", "to"]
    parts = pack.parameters["properties"]
    assert parts["to"] == {"type": "string", "description": "where it goes"}
    assert parts["way"] == {
        "type": "string",
        "enum": ["air", "sea"],
        "description": "how it travels",
        "default": "sea",
    }
    assert parts["item"]["description"] == "what is packed, with its tags"
    assert parts["item"]["required"] == ["name"]
    assert parts["item"]["properties"]["size"] == {"type": "string", "enum": ["s", "l"]}


def test_the_function_gets_values_of_its_types_and_what_it_returns_becomes_text(tmp_path: Path):
    sent = {"item": {"name": "tea", "size": "l", "price": 3}, "to": "Oslo"}
    with Root(tmp_path) as root:
        said = json.loads(pack.function(root, **check_arguments(sent, pack.parameters)))
    assert said["item"] == {"name": "tea", "size": "l", "tags": [], "price": 3.0}
    assert said["way"] == "sea"


def test_a_coroutine_and_a_pydantic_model_will_do():
    @tool(reads_only=True)
    async def count(order: Order) -> int:
        """Count the items of an order."""
        return len(order.items)

    assert count.function(order={"items": ["a", "b"]}) == "2"
    assert count.parameters["properties"]["order"]["required"] == ["items"]


def no_docstring(text: str) -> str:
    return text


def no_hint(text) -> str:  # noqa: ANN001
    """Do it."""
    return text


def of_any_kind(value: object) -> str:
    """Do it."""
    return str(value)


def two_kinds(value: int | str) -> str:
    """Do it."""
    return str(value)


def any_number(*values: int) -> str:
    """Do it."""
    return str(values)


def directory_last(text: str, root: Root) -> str:
    """Do it."""
    return text


@pytest.mark.parametrize(
    ("function", "options", "said"),
    [
        (of_any_kind, {}, "does not say whether it changes anything.*reads_only=True"),
        (no_docstring, {"reads_only": True}, "no docstring"),
        (no_hint, {"reads_only": True}, "'text' of the tool 'no_hint' has no hint.*dataclass"),
        (of_any_kind, {"reads_only": True}, "has the type object.*It may be str"),
        (two_kinds, {"reads_only": True}, "has the type.*It may be str"),
        (any_number, {"reads_only": True}, "cannot be sent by name"),
        (directory_last, {"reads_only": True}, "first parameter or none"),
        (of_any_kind, {"reads_only": True, "name": "a name"}, "cannot be named 'a name'"),
        (len, {"reads_only": True}, "is no function"),
    ],
)
def test_what_cannot_be_a_tool_is_said_where_it_is_defined(function: Any, options: dict[str, Any], said: str):
    with pytest.raises(ConfigError, match=said):
        tool(function, **options)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"skills": "samples/operator/skills"}, "skills.*a list of paths"),
        ({"mcp": "python server.py"}, "mcp.*a list of texts"),
        ({"tools": [print]}, "tools.*@tool"),
        ({"max_iters": "3"}, "max_iters is '3'.*whole number"),
        ({"max_calls": -1}, "max_calls is -1"),
        ({"max_seconds": True}, "max_seconds is True"),
        ({"job": 5}, "job is 5.*a Job"),
        ({"approve": "yes"}, "'yes' where a function is needed"),
        ({"settings": {"lmstudio_temperature": "hot"}}, "lmstudio_temperature.*from 0 to 2"),
        ({"settings": {"nope": 1}}, "'nope', which is no setting"),
        ({"job": "nope"}, "no job 'nope'. It may be coder"),
    ],
)
def test_a_config_that_cannot_be_is_a_sentence(wrong: dict[str, Any], said: str):
    with pytest.raises(ConfigError, match=said):
        Agent(AgentConfig(**wrong))


def test_settings_are_taken_as_the_environment_would_have_them():
    agent = Agent(AgentConfig(settings={"lmstudio_temperature": 1, "verify": False, "without": ("idle", "done")}))
    assert agent._settings.lmstudio_temperature == 1.0
    assert agent._settings.verify is False
    assert agent._settings.without == ("idle", "done")


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "tea"}',
        'Here it is:\n```json\n{"name": "tea", "price": null}\n```',
        'It is {"name": "tea", "tags": []} as you see.',
    ],
)
def test_an_answer_is_found_in_what_models_write_around_it(text: str):
    assert Answer(Item).read(text) == Item("tea")


def test_null_is_taken_where_the_type_has_none_and_nowhere_else():
    text = '{"title": "buy", "due": null, "items": [{"name": "tea", "price": null}]}'
    assert Answer(Task).read(text) == Task("buy", None, [Item("tea")])
    with pytest.raises(ValueError, match="'title' is null"):
        Answer(Task).read(text.replace('"buy"', "null"))

    @tool(reads_only=True)
    def tasks_of(day: str | None) -> str:
        """List the tasks of a day, or of all days."""
        return day or "all"

    assert tasks_of.function(**check_arguments({"day": None}, tasks_of.parameters)) == "all"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("tea", "no JSON object"),
        ('{"name": "tea",}', "no JSON"),
        ('{"name": 5}', "'name' is a number"),
        ('{"name": "x", "size": "m"}', "one of s, l"),
        ("[1]", "no JSON object"),
    ],
)
def test_an_answer_that_does_not_fit_is_told_what_is_wrong(text: str, said: str):
    with pytest.raises(ValueError, match=said):
        Answer(Item).read(text)


def test_an_answer_is_an_object():
    with pytest.raises(ConfigError, match="dataclass"):
        Answer(list[str])


def config(model: ScriptedServer, folder: Path, **more: Any) -> AgentConfig:
    model_at = {"provider": "lmstudio", "base_url": f"{model.address}/v1", "model": "scripted-model"}
    return AgentConfig(working_directory=folder, settings={"model_size": "large"}, **{**model_at, **more})


def lead(*tools: Tool) -> Job:
    return Job("lead", "asks others", "", "You ask others.", tools=lambda resources: list(tools))


def test_a_server_that_knows_no_response_format_is_asked_without(calculator: Path):
    def script(wire: str, body: dict[str, Any]) -> Step:
        if "response_format" in body:
            from offline.script import fail

            return fail(400, "unknown field response_format")
        return say('{"name": "tea"}' if len(body["messages"]) > 2 else "tea")

    with serving(script=script) as model:
        result = Agent(config(model, calculator)).run("what is it?", output=Item)
    assert result.output == Item("tea")
    assert result.errors == ()


def asks(task: str = "look") -> Any:
    """A model that as the lead asks once, and as the reader reads until it is told to answer."""

    def script(wire: str, body: dict[str, Any]) -> Step:
        names = [each["function"]["name"] for each in body.get("tools", ())]
        if "ask_coder" in names:
            told = body["messages"][-1]
            return say(told["content"]) if told["role"] == "tool" else call(Call("ask_coder", {"task": task}))
        if body.get("tool_choice") == "none":
            return say("that is all")
        return call(Call("get_file_content", {"file_path": "main.py", "start_line": len(body["messages"])}))

    return script


def test_a_subagent_has_what_is_left_of_the_limits_and_stands_in_the_trace(calculator: Path, tmp_path: Path):
    with serving(script=asks()) as model:
        job = lead(subagent("coder", reads_only=True))
        agent = Agent(config(model, calculator, job=job, max_iters=5, runs_directory=tmp_path / "runs"))
        result = agent.run("go")
        assert result.answer == "that is all"
        assert len(model.requests) == 6  # two of the lead, four of the reader
    assert result.kept is not None
    below = [line["event"] for line in result.kept.trace() if line["kind"] == "subagent"]
    assert below[0]["kind"] == "started"
    assert below[-1]["kind"] == "finished"
    assert below[-1]["result"]["stop_reason"] == "max_iters"
    assert "{" in result.kept.page().read_text(encoding="utf-8")


def test_agents_below_agents_end_somewhere(calculator: Path):
    tools: list[Tool] = []
    job = Job("coder", "asks itself", "", "You ask.", tools=lambda resources: tools)
    tools.append(subagent(job, reads_only=True))

    def script(wire: str, body: dict[str, Any]) -> Step:
        told = body["messages"][-1]
        return say(told["content"]) if told["role"] == "tool" else call(Call("ask_coder", {"task": "go"}))

    with serving(script=script) as model:
        assert "3 below one another" in Agent(config(model, calculator, job=job)).run("go").answer


def test_a_subagent_ends_with_the_run_that_asked_it(calculator: Path):
    def script(wire: str, body: dict[str, Any]) -> Step:
        names = [each["function"]["name"] for each in body["tools"]]
        if names == ["ask_coder"]:
            return call(Call("ask_coder", {"task": "go"}))
        return ends(say("one\ntwo\nthree\n"), "stall", 2)

    stop = threading.Event()
    hears = [lambda event: stop.set() if event.kind == "subagent" and event.event["kind"] == "text" else None]
    with serving(script=script) as model:
        agent = Agent(config(model, calculator, job=lead(subagent("coder", reads_only=True)), listeners=hears))
        threading.Thread(target=lambda: (model.wait_for_requests(2), stop.set()), daemon=True).start()
        assert agent.run("go", stop=stop).stop_reason == "interrupted"


def test_what_a_subagent_changes_is_asked_about_and_undone(calculator: Path, tmp_path: Path):
    def script(wire: str, body: dict[str, Any]) -> Step:
        names = [each["function"]["name"] for each in body.get("tools", ())]
        told = body["messages"][-1]["role"] == "tool"
        if names == ["ask_coder"]:
            return say("done") if told else call(Call("ask_coder", {"task": "write"}))
        return say("done") if told else call(Call("write_file", {"file_path": "new.md", "content": "x"}))

    asked: list[str] = []
    with serving(script=script) as model:
        agent = Agent(
            config(
                model,
                calculator,
                job=lead(subagent("coder", reads_only=False)),
                runs_directory=tmp_path / "runs",
                approve=lambda call: asked.append(call.name),
            )
        )
        result = agent.run("go")
    assert asked == ["ask_coder", "write_file"]
    assert (calculator / "new.md").exists()
    assert result.kept is not None
    assert result.kept.undo().paths == ["new.md"]
    assert not (calculator / "new.md").exists()


def test_an_own_tools_failure_is_one_result(calculator: Path):
    @tool(reads_only=True)
    def fails(kindly: bool) -> str:
        """Fail."""
        if kindly:
            return ToolError("there is nothing; ask for something else")
        raise LookupError("nothing")

    with serving(call(Call("fails", {"kindly": True}), Call("fails", {"kindly": False})), say("so")) as model:
        calls = Agent(config(model, calculator, tools=[fails])).run("go").tool_calls
    assert [each["status"] for each in calls] == ["error", "error"]
    assert calls[0]["result"] == "Error: there is nothing; ask for something else"
    assert "LookupError: nothing" in calls[1]["result"]


def test_two_tools_of_one_name_are_a_sentence(calculator: Path):
    @tool(reads_only=True)
    def edit_file(file_path: str) -> str:
        """Edit."""
        return file_path

    with pytest.raises(ConfigError, match="two tools have the name 'edit_file'"):
        Agent(AgentConfig(working_directory=calculator, tools=[edit_file])).run("go")


def test_a_conversation_that_somebody_else_went_on_with_is_not_overwritten(calculator: Path, tmp_path: Path):
    with serving(say("yes")) as model:
        agent = Agent(config(model, calculator, runs_directory=tmp_path / "runs"))
        one, other = agent.conversation("talk"), agent.conversation("talk")
        one.run("first")
        with pytest.raises(ConfigError, match="somebody else"):
            other.run("second")
        assert [entry["text"] for entry in agent.conversation("talk").entries] == ["first", "yes"]
        assert [entry["text"] for entry in other.entries] == ["second", "yes"]


def test_a_conversations_name_leads_nowhere_else(calculator: Path, tmp_path: Path):
    agent = Agent(AgentConfig(working_directory=calculator, runs_directory=tmp_path / "runs"))
    for name in ("../x", "a/b", ".hidden", "x" * 81):
        with pytest.raises(ConfigError, match=re.escape(repr(name))):
            agent.conversation(name)
    with pytest.raises(ConfigError, match="runs_directory"):
        Agent(AgentConfig(working_directory=calculator)).conversation("talk")


def test_the_built_in_model_uses_tools_it_has_never_seen_or_says_which_it_was_given(tmp_path: Path):
    @tool(reads_only=True)
    def list_articles() -> list[str]:
        """List the articles of the shop."""
        return ["tea", "salt"]

    agent = Agent(AgentConfig(job=lead(list_articles), working_directory=tmp_path))
    assert "salt" in agent.run("list the articles").answer
    unable = agent.run("fix the bug")
    assert unable.tool_calls == ()
    assert "The tools are: list_articles." in unable.answer


class Breaks:
    """A gate and hook of somebody's own that fails at one place."""

    def __init__(self, where: str) -> None:
        self.where = where

    def __getattr__(self, name: str) -> Any:
        def asked(*_: Any, **__: Any) -> Any:
            if name == self.where:
                raise ZeroDivisionError("its own defect")
            return _[0] if name == "after_call" else None

        if name.startswith("__"):
            raise AttributeError(name)
        return asked


@pytest.mark.parametrize("provider", ["lmstudio", "gemini"])
@pytest.mark.parametrize("where", ["before_request", "after_call", "reply", "action", "ended", "report"])
def test_a_defect_of_a_job_s_own_parts_is_one_line_and_what_was_done_is_kept(where: str, provider: str, tmp_path: Path):
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "a.txt").write_text("alpha")
    breaks = Breaks(where)
    own = replace(
        coder.JOB,
        gates=lambda *_, **__: [breaks] if where in ("reply", "action") else [],
        hooks=lambda *_, **__: [breaks] if where in ("before_request", "after_call", "ended") else [],
        report=lambda *_, **__: getattr(breaks, "report")(),  # noqa: B009
    )
    script = [call(Call("get_file_content", {"file_path": "a.txt"})), say("It says alpha.")]
    with serving(*script) as server:
        config = AgentConfig(
            working_directory=tmp_path / "work", job=own, provider=provider, runs_directory=tmp_path / "runs",
            base_url=f"{server.address}{'/v1' if provider == 'lmstudio' else ''}", api_key="x",
        )  # fmt: skip
        agent = Agent(config)
        result = agent.run("What does it say?")
    [told] = [error for error in result.errors if "its own defect" in error]
    assert "ZeroDivisionError: its own defect (test_own.py, line " in told
    assert "\n" not in told
    assert result.stop_reason == ("answered" if where in ("ended", "report") else "provider_error")
    assert result.kept
    assert result.kept.trace()[-1]["kind"] == "finished"
