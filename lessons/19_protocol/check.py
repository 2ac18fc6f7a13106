"""Lesson 19: a client by hand, message by message and through a real pipe; then the real agent on the same server."""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

NEEDS = ("openai", "lessons.services", "doors.api", "main")
PIPE = """
import json, os, threading, server
(theirs, ours), (mine, yours) = os.pipe(), os.pipe()
result = []
with os.fdopen(theirs, encoding="utf-8") as heard, os.fdopen(yours, "w", encoding="utf-8") as out:
    threading.Thread(target=server.serve, args=(heard, out, module.answer), daemon=True).start()
    with os.fdopen(ours, "w", encoding="utf-8") as pipe, os.fdopen(mine, encoding="utf-8") as answers:
        for line in lines:
            print(line, file=pipe, flush=True)
            if "id" in json.loads(line):
                result.append(answers.readline())
"""
dice = random.SystemRandom()
VERSION = "2026-07-28"
META = "io.modelcontextprotocol/"
KEPT = ("ttlMs", "cacheScope")


def meta(version: str | None = VERSION) -> dict[str, Any]:
    """What each request says of its client."""
    about = {"protocolVersion": version, "clientInfo": {"name": "check", "version": "0"}, "clientCapabilities": {}}
    return {"_meta": {f"{META}{name}": value for name, value in about.items() if value is not None}}


def word() -> str:
    return "".join(dice.choices("bcdfghklmnprstvw", k=4)) + dice.choice("aeiou")


def check(lesson: Any) -> None:
    tools, ran = Tools(), []

    def call_tool(name: str, raw_arguments: str) -> str:
        return tools.call(name, raw_arguments, ran)

    lesson.stub("dispatch", TOOLS=tools.functions, ROOT="", call_tool=call_tool)
    lesson.stub("menu", schema=lambda function: tools.schemas[function.__name__])

    def send(method: str, params: Any = None, number: Any = 1, version: str | None = VERSION) -> Any:
        params = {**(params or {}), **meta(version)}
        return lesson.call("answer", {"jsonrpc": "2.0", "id": number, "method": method, "params": params})

    discovery(lesson, send)
    other_versions(lesson, send, tools, ran)
    the_menu(lesson, send, tools)
    the_calls(lesson, send, tools, ran)
    with lesson.case("a method that is not there", "a client tries what is new, and goes on without it"):
        for name in (f"{word()}/{word()}", f"tools/{word()}", f"server/{word()}"):
            known_by(lesson, wrapped(lesson, send(name, {"name": tools.gets}, 7), 7, "error"), -32601)
    with lesson.case("a notification: no answer", "nobody waits for it: the client would take it for another's answer"):
        ran.clear()
        call = {"name": tools.gets, "arguments": {tools.key: word()}, **meta()}
        told = {"notifications/cancelled": {"requestId": "9"}, f"notifications/{word()}": {}, "tools/list": meta()}
        for method, params in (told | {"tools/call": call}).items():
            said = lesson.call("answer", {"jsonrpc": "2.0", "method": method, "params": params})
            lesson.expect(said is None, "None", got=lesson.show(said))
        lesson.expect(not ran, "no tool runs", "what it found would reach nobody", f"calls: {lesson.show(ran)}")
    if lesson.holds:
        through_a_pipe(lesson, tools)
        with_the_real_agent(lesson, tools)


class Tools:
    """Two tools with names, parameters and answers that are new each time."""

    def __init__(self) -> None:
        self.noun, self.key, self.fails = word(), word(), f"break_{word()}"
        self.gets = f"get_{self.noun}"
        others = [f"see_{word()}" for _ in range(3)]
        self.stock = {word(): dice.randrange(100, 999) for _ in range(3)}
        self.lines = [f"  {word()} \u00fc {dice.randrange(10**6)}" for _ in range(99)]
        self.functions = {name: self.function(name) for name in (self.gets, self.fails, *others)}
        said = dict.fromkeys(others, f"See {word()}.") | {
            self.gets: f"Get the {self.noun} by its {self.key}.",
            self.fails: f"Fail {word()}.",
        }
        properties = {self.key: {"type": "string"}, "limit": {"type": "integer"}}
        parameters = {"type": "object", "properties": properties, "required": [self.key]}
        self.schemas = {
            name: {"name": name, "description": said[name], "parameters": parameters} for name in self.functions
        }

    def function(self, name: str) -> Callable[..., str]:
        tool = lambda root, **arguments: ""  # noqa: E731 - it is known by its name
        tool.__name__ = name
        return tool

    def call(self, name: str, raw: str, ran: list[tuple[str, Any]]) -> str:
        if not isinstance(raw, str):
            return f"Error: the arguments are a {type(raw).__name__}, and call_tool takes text"
        if name not in self.functions:
            return f"Error: there is no tool {name!r}; the tools are {', '.join(self.functions)}"
        arguments = json.loads(raw)
        ran.append((name, arguments))
        if self.key not in arguments or name == self.fails:
            return "\n".join([f"Error: {name} does not work with {', '.join(arguments) or 'nothing'}", *self.lines])
        wanted = arguments[self.key]
        if wanted not in self.stock:
            return self.all_but(wanted)
        return json.dumps({"name": wanted, "count": self.stock[wanted]})

    def all_but(self, wanted: str) -> str:
        """A text of many lines, with room around them; it begins as an error nearly does, and one of its lines as one."""
        return "\n".join(["Errors are none of these:", "", *self.lines, f"Error: {wanted}", "  \n"])


def discovery(lesson: Any, send: Callable[..., Any]) -> None:
    with lesson.case("server/discover: which versions, and what it can do", "a client asks this first"):
        number = dice.randrange(2, 999)
        result = wrapped(lesson, send("server/discover", number=number), number, "result")
        lesson.expect(
            result.get("supportedVersions") == [VERSION],
            f'"supportedVersions": ["{VERSION}"]',
            "both must speak the same",
        )
        capable = isinstance(result.get("capabilities"), dict) and "tools" in result["capabilities"]
        lesson.expect(capable, '"capabilities": {"tools": {}}', "a client asks only for what a server says that it has")
        may_be_kept(lesson, result)
    with lesson.case("the id comes back as it came", "by it the client knows which question is answered"):
        for number in (0, dice.randrange(10**6), word()):
            wrapped(lesson, send("server/discover", number=number), number, "result")


def other_versions(lesson: Any, send: Callable[..., Any], tools: Tools, ran: list[tuple[str, Any]]) -> None:
    asked = {"tools/call": {"name": tools.gets, "arguments": {tools.key: word()}}}
    newer, older = f"{dice.randrange(2030, 2040)}-01-01", f"2026-07-{dice.randrange(10, 28)}"
    with lesson.case("another version: an error that says which there are", "a client then speaks one of those"):
        for method in ("server/discover", "tools/list", "tools/call"):
            for version in (newer, older, "2025-11-25", f"{VERSION}-{word()}", None):
                ran.clear()
                reply = send(method, asked.get(method), 5, version)
                why = f"{version or 'no version'} is not {VERSION}: nobody knows what such a client means"
                refused = isinstance(reply, dict) and "error" in reply
                lesson.expect(refused, '"error": {"code": -32022, "message": "..."}', why)
                problem = wrapped(lesson, reply, 5, "error")
                lesson.expect(not ran, "no tool runs", "it was refused", f"calls: {lesson.show(ran)}")
                if version is None and problem.get("code") == -32602:
                    continue  # what the protocol's own library says where a key of _meta is not there
                known_by(lesson, problem, -32022)
                data = {"supported": [VERSION], "requested": version}
                said = problem.get("data")
                right = isinstance(said, dict) and {"requested": None, **said} == data
                lesson.expect(right, f'"data": {json.dumps(data)}', "it says the versions that there are")


def known_by(lesson: Any, problem: dict[str, Any], code: int) -> None:
    good = problem.get("code") == code and isinstance(problem.get("message"), str)
    wanted = f'"error": {{"code": {code}, "message": "..."}}'
    lesson.expect(good, wanted, "by this number a client knows what it is")


def may_be_kept(lesson: Any, result: dict[str, Any]) -> None:
    kept = type(result.get("ttlMs")) is int and result.get("cacheScope") in ("private", "public")
    lesson.expect(kept, '"ttlMs": 0, "cacheScope": "private"', "a client must know how long it may keep a list")


def the_menu(lesson: Any, send: Callable[..., Any], tools: Tools) -> None:
    with lesson.case("tools/list: your menu, in the protocol's words", "a client offers to a model what stands there"):
        result = wrapped(lesson, send("tools/list"), 1, "result")
        may_be_kept(lesson, result)
        listed = result.get("tools")
        names = [each.get("name") for each in listed] if isinstance(listed, list) else listed
        lesson.expect(names == list(tools.functions), f"the tools {', '.join(tools.functions)}", "what is in TOOLS now")
        for each, wanted in zip(listed, tools.schemas.values(), strict=True):
            lesson.expect(
                each.get("description") == wanted["description"],
                f"the description {wanted['description']!r}",
                "it is all that a model knows of the tool",
            )
            lesson.expect(
                each.get("inputSchema") == wanted["parameters"],
                f'"inputSchema": {json.dumps(wanted["parameters"])}',
                "the protocol has another name for parameters",
                got=lesson.show(each),
            )
            lesson.expect("parameters" not in each, "inputSchema in place of parameters", "it needs it once")


def the_calls(lesson: Any, send: Callable[..., Any], tools: Tools, ran: list[tuple[str, Any]]) -> None:
    def called(name: str, arguments: Any, number: int = 3) -> dict[str, Any]:
        ran.clear()
        params = {"name": name} if arguments is None else {"name": name, "arguments": arguments}
        result = wrapped(lesson, send("tools/call", params, number), number, "result")
        content = result.get("content")
        good = isinstance(content, list) and len(content) == 1 and isinstance(content[0], dict)
        good = good and content[0].get("type") == "text" and isinstance(content[0].get("text"), str)
        lesson.expect(
            good, '"content": [{"type": "text", "text": "..."}]', "a result may hold pictures, too: so a list"
        )
        why = "by ASK_AGAIN a list may be asked for again; a call is not to run again"
        lesson.expect(not set(KEPT) & set(result), "a call's result without ASK_AGAIN", why)
        return result

    def whole(result: dict[str, Any], wanted: str) -> None:
        """The real agent leaves Error: out, since isError says it."""
        text = result["content"][0]["text"]
        same = text.removeprefix("Error: ") == wanted.removeprefix("Error: ")
        got, expected = (f"{len(each)} characters, from {each[:20]!r} to {each[-20:]!r}" for each in (text, wanted))
        lesson.expect(same, f"the tool's text, whole: {expected}", "what is missing the model will never know", got)

    with lesson.case("tools/call: the tool runs, and its text is the result", "the model waits for it"):
        wanted, count = dice.choice(list(tools.stock.items()))
        result = called(tools.gets, {tools.key: wanted})
        lesson.expect(
            ran == [(tools.gets, {tools.key: wanted})],
            f"{tools.gets} called once, with {tools.key}={wanted}",
            got=f"{lesson.show(result)}; calls: {lesson.show(ran)}",
        )
        whole(result, json.dumps({"name": wanted, "count": count}))
        lesson.expect(result.get("isError", False) is False, '"isError": false', "it worked")
        odd = {tools.key: f"{word()}\u00fc", "limit": dice.randrange(99)}
        result = called(tools.gets, odd)
        lesson.expect(ran == [(tools.gets, odd)], f"the arguments as they came: {odd}", got=lesson.show(ran))
        why = "only a text that begins with Error: is one"
        lesson.expect(result.get("isError", False) is False, '"isError": false', why)
        whole(result, tools.all_but(odd[tools.key]))
    why = "the model reads it and tries again; an error of the protocol it never sees"
    failing = (
        ("a tool that fails is a result with isError", tools.fails, {tools.key: word()}),
        ("a tool that is not there is one, too", f"get_{word()}", {}),
        ("a call without arguments", tools.gets, None),
    )
    for title, name, arguments in failing:
        with lesson.case(title, why):
            result = called(name, arguments)
            lesson.expect(result.get("isError") is True, '"isError": true', why)
            if lesson.shipped and name != tools.fails:  # the real agent looks at a call before the tool does
                text = result["content"][0]["text"]
                lesson.expect(bool(text.removeprefix("Error: ")), "what went wrong, as text", why)
            else:
                whole(result, tools.call(name, json.dumps(arguments or {}), []))


def wrapped(lesson: Any, reply: Any, number: Any, kind: str) -> dict[str, Any]:
    """What stands in a reply under "result" or "error"; ends the case when it is no reply to that message."""
    good = isinstance(reply, dict) and reply.get("jsonrpc") == "2.0" and isinstance(reply.get(kind), dict)
    lesson.expect(good, f'{{"jsonrpc": "2.0", "id": {json.dumps(number)}, "{kind}": {{...}}}}')
    same = reply.get("id") == number and type(reply.get("id")) is type(number)
    lesson.expect(same, f"the id {number!r}", "by it the client knows which question is answered")
    complete = kind == "error" or reply[kind].get("resultType") == "complete"
    lesson.expect(complete, '"resultType": "complete"', "another kind asks the client for more before it goes on")
    return reply[kind]


def through_a_pipe(lesson: Any, tools: Tools) -> None:
    """Serve where the learner's code is, with two pipes between."""
    wanted, count = dice.choice(list(tools.stock.items()))
    call = {"name": tools.gets, "arguments": {tools.key: wanted}, **meta()}
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": meta()},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": meta()},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 9}},
        {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": call},
    ]
    with lesson.case(
        "through a pipe: discover, list, call",
        "this is how a client talks",
        "an answer to each message that has an id",
    ):
        lines = lesson.run(PIPE, "serve(lines, out, answer)", lines=[json.dumps(message) for message in messages])
        story = []
        for message in messages:
            story.append(f"> {json.dumps(message)}")
            if "id" in message:
                reply = lines.pop(0) if lines else ""
                story.append(f"< {reply.strip()}")
                wrapped(lesson, json.loads(reply or "null"), message["id"], "result")
        lesson.expect(str(count) in story[-1], f"the tool's answer, with {count} in it", got=story[-1])
        lesson.picture.append("\n".join(["What went through the pipe:", *story]))


def with_the_real_agent(lesson: Any, tools: Tools) -> None:
    """The real agent, in the walk, starts a bridge as its server; what it writes comes here and is answered here."""
    bridge = lesson.work / "bridge"
    bridge.mkdir()
    heard: list[str] = []
    ended = threading.Event()
    answering = threading.Thread(target=answer_bridge, args=(lesson, bridge, heard, ended), daemon=True)
    answering.start()
    wanted, count = dice.choice(list(tools.stock.items()))
    task = f"get the {tools.noun} {wanted}"
    with lesson.case("for real: the agent of this project, with your server", "any client could be it"):
        called = f'python main.py --job operator --mcp "python my_agent/server.py" "{task}"'
        try:
            said = lesson.ask_walk("operator", bridge=str(bridge), task=task)
        except RuntimeError as problem:
            lesson.expect(False, "a server that the agent can use", "a client has to go on", str(problem), called)
        finally:
            ended.set()
            answering.join(2)
        if "missing" in said:
            lesson.cases.pop()
            lesson.skip("the agent of this project, with your server", said["missing"])
            return
        lesson.expect(
            str(count) in said["answer"],
            f"an answer with {count} in it, which only your tool knows",
            called=called,
            got=f"{said['answer']} (it sent {', '.join(dict.fromkeys(heard)) or 'nothing'})",
        )
        lines = ["The real agent, with your server:", f"task       {task}", *said["story"], *said["answer"].split("\n")]
        lesson.picture.append("\n".join(lines))


def answer_bridge(lesson: Any, bridge: Path, heard: list[str], ended: threading.Event) -> None:
    number = 1
    while not ended.is_set():
        asked = bridge / f"{number}.in"
        if not asked.exists():
            time.sleep(0.002)
            continue
        message = json.loads(asked.read_text(encoding="utf-8"))
        heard.append(str(message.get("method")))
        reply = lesson.call("answer", message)
        draft = bridge / f"{number}.draft"
        draft.write_text("" if reply is None else json.dumps(reply), encoding="utf-8")
        draft.rename(bridge / f"{number}.out")
        number += 1
