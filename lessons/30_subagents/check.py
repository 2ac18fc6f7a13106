"""Lesson 30: agents below agents: what they see, what they may, what they cost, and how they end. Each is a model that
says what a case's script says; whose turn it is, its task tells."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

READS, WRITES = (
    ("list_files", "read_file", "search"),
    ("write_file", "run_python", "comment_on_issue", "search_and_replace"),
)
MOST_TURNS, DEEPEST = 8, 3
TOGETHER = 2.0  # seconds within which others must have begun, too
Message = dict[str, Any]
Script = Callable[[str, list[Message]], Message]


class Model:
    """What all agents of a case ask: it records each request, and says what the script says."""

    def __init__(self, script: Script) -> None:
        self.script, self.lock = script, threading.Lock()
        self.requests: list[tuple[str, list[Message], list[str]]] = []

    def __call__(self, messages: list[Message], names: list[str]) -> Message:
        task = next((str(each["content"]) for each in messages if each["role"] == "user"), "")
        with self.lock:
            self.requests.append((task, messages, names))
        return self.script(task, messages)


def says(text: str) -> Message:
    return {"role": "assistant", "content": text}


def calls(name: str, **arguments: Any) -> Message:
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"role": "assistant", "content": "", "tool_calls": [{"id": "c1", "type": "function", "function": function}]}


def results_in(messages: list[Message]) -> list[str]:
    return [str(each["content"]) for each in messages if each["role"] == "tool"]


class Case:
    """One conversation with the learner's tool: its model, what the tools were called with, and what it costs."""

    def __init__(self, lesson: Any, script: Script, turns: int = 50) -> None:
        self.lesson, self.model, self.budget = lesson, Model(script), {"turns": turns}
        self.ran: list[tuple[str, str]] = []
        self.tools = {name: self.tool(name) for name in lesson.fresh.sample([*READS, *WRITES], 7)}

    def tool(self, name: str) -> Callable[..., str]:
        def run(file_path: str = "") -> str:
            self.ran.append((name, file_path))
            return f"{name} {file_path}: {'x' * 40}"

        return run

    def ask(self, task: str, what: str, depth: int = 0) -> str:
        shown = f"delegate({task!r}, a model that {what}, {len(self.tools)} tools, {self.budget}, depth={depth})"
        given = (task, self.model, self.tools, self.budget, depth)
        before = sorted(self.tools)
        said = self.lesson.call("delegate", *given, shown=shown)
        why, got = "the caller goes on with them", f"tools: {sorted(self.tools)}"
        self.lesson.expect(sorted(self.tools) == before, "the caller's tools as they were", why, got=got)
        self.lesson.expect(isinstance(said, str), "a text", "a tool returns text")
        return said

    def ask_all(self, tasks: list[str], what: str, depth: int = 0) -> list[str]:
        shown = f"delegate_all({tasks}, a model that {what}, {len(self.tools)} tools, {self.budget}, depth={depth})"
        return self.lesson.call("delegate_all", tasks, self.model, self.tools, self.budget, depth, shown=shown)

    def refused(self, said: str, requests: int, why: str, *wanted: str) -> None:
        named = "".join(f", with {each!r} in it" for each in wanted)
        self.lesson.expect(
            said.startswith("Error: ") and all(each in said for each in wanted), f'text from "Error: " on{named}', why
        )
        self.counted(requests, why)

    def counted(self, requests: int, why: str) -> None:
        got = f"{len(self.model.requests)} requests"
        self.lesson.expect(len(self.model.requests) == requests, f"{requests} requests to the model", why, got=got)


def check(lesson: Any) -> None:
    fresh = lesson.fresh

    def reading(turns: int, answers: dict[str, str]) -> Script:
        """A model that reads files for some turns, each another one, and then answers its task."""

        def script(task: str, messages: list[Message]) -> Message:
            done = len(results_in(messages))
            return calls("read_file", file_path=fresh.word()) if done < turns else says(answers.get(task, "What task?"))

        return script

    with lesson.case("a conversation of its own", "it begins with an empty desk"):
        first, second = fresh.sentence(), fresh.sentence()
        case = Case(lesson, reading(2, {first: "Yes.", second: "No."}))
        for task in (first, second):
            before = len(case.model.requests)
            case.ask(task, "reads 2 files and answers")
            begun = next((each for _, each, _ in case.model.requests[before:]), [])
            roles = [each["role"] for each in begun]
            wanted, got = "system, user: the task, and no more", lesson.show(begun)
            lesson.expect(roles == ["system", "user"] and begun[1]["content"] == task, wanted, "", got=got)
    with lesson.case("the answer comes back, and nothing else", "the caller's window is what this saves"):
        for turns in (0, 1, fresh.randint(3, 6)):
            task, answer = fresh.sentence(), fresh.sentence()
            case = Case(lesson, reading(turns, {task: answer}))
            said = case.ask(task, f"reads {turns} files and answers")
            lesson.expect(said == answer, repr(answer), "its answer is all that the caller sees")
            case.counted(turns + 1, "one for each reply, until there is an answer")
            lesson.expect(len(case.ran) == turns, f"{turns} files read", "its tools are run", got=str(case.ran))
    fewer_tools(lesson)
    with lesson.case("an empty task", "it knows nothing but what is written to it"):
        for task in ("", "  \n"):
            case = Case(lesson, reading(0, {"": "What?", task: "What?"}))
            case.refused(case.ask(task, "answers"), 0, "there is nothing to be done, and a request costs")
    deeper(lesson)
    limits(lesson, reading)
    failures(lesson)
    together(lesson, reading)
    if lesson.holds:
        for_real(lesson)


def fewer_tools(lesson: Any) -> None:
    fresh = lesson.fresh
    with lesson.case("only what reads, and ask", "two agents that write at once undo each other's work"):
        for name in WRITES:
            heard: list[str] = []

            def script(task: str, messages: list[Message], name: str = name, heard: list[str] = heard) -> Message:
                heard[:] = results_in(messages)
                return says("Done.") if heard else calls(name, file_path="a.py")

            case = Case(lesson, script)
            case.ask(fresh.sentence(), f"calls {name}")
            offered = case.model.requests[0][2] if case.model.requests else []
            wanted = sorted([*READS, "ask"])
            lesson.expect(sorted(offered) == wanted, f"offered: {wanted}", "", got=f"offered: {sorted(offered)}")
            lesson.expect(not case.ran, f"{name} is not run", "it was never given to it", got=f"run: {case.ran}")
            lesson.expect(
                bool(heard) and heard[0].startswith("Error: "), "it hears Error: there is no such tool", got=str(heard)
            )
        case = Case(lesson, lambda task, messages: says("Yes."))
        case.tools = {name: case.tools[name] for name in ("read_file", "write_file")}
        case.ask(fresh.sentence(), "answers")
        wanted, got = ["ask", "read_file"], sorted(case.model.requests[0][2])
        lesson.expect(got == wanted, f"offered: {wanted}", "the caller has no more to give", got=f"offered: {got}")


def deeper(lesson: Any) -> None:
    fresh = lesson.fresh

    def script(task: str, messages: list[Message]) -> Message:
        """An agent that hands everything on, and answers what it heard."""
        heard = results_in(messages)
        return says(f"{task} heard: {heard[0]}") if heard else calls("ask", task=f"{task}+")

    why = "without a bound, one sentence starts agents until the money ends"
    with lesson.case(f"no deeper than {DEEPEST}", why):
        for depth in range(DEEPEST):
            task = fresh.word()
            case = Case(lesson, script)
            said = case.ask(task, "hands on all that it is asked", depth)
            agents = sorted({asked for asked, *_ in case.model.requests})
            wanted = [task + "+" * below for below in range(DEEPEST - depth)]
            rest = f", and {len(agents) - 4} more" * (len(agents) > 4)
            got = f"{len(agents)} agents: {', '.join(map(repr, agents[:4]))}{rest}"
            lesson.expect(agents == wanted, f"{len(wanted)} agents: {', '.join(map(repr, wanted))}", why, got)
            told = [results_in(each)[0] for asked, each, _ in case.model.requests if results_in(each)]
            lesson.expect(
                bool(told) and told[0].startswith("Error: "),
                "the last hears a sentence from Error: on",
                "what it asked for was not done",
                got=str(told[:1]),
            )
            lesson.expect(said.startswith(f"{task} heard: {task}+ heard: ") or len(wanted) < 2, "each one's answer", "")
    with lesson.case("its own ask, also where its caller has one", why):
        heard: list[str] = []
        case = Case(lesson, script)
        case.tools["ask"] = lambda task="": heard.append(task) or "Yes."
        if not lesson.shipped:  # the real agent allows no two tools of one name
            case.ask(fresh.word(), "hands on all that it is asked")
        got = f"run: ask {heard}"
        lesson.expect(not heard, "the caller's ask is not run: each agent has its own ask, one deeper", why, got)
    for depth in (DEEPEST, DEEPEST + fresh.randint(1, 9)):
        with lesson.case(f"called at depth {depth}", why):
            case = Case(lesson, lambda task, messages: says("Yes."))
            case.refused(case.ask(fresh.sentence(), "answers", depth), 0, why)


def limits(lesson: Any, reading: Any) -> None:
    fresh = lesson.fresh
    why = "who hands work on does not get more to spend"
    with lesson.case(f"at most {MOST_TURNS} turns each", "one that never ends would take all that there is"):
        case = Case(lesson, reading(99, {}))
        case.refused(case.ask(fresh.sentence(), "reads for ever"), MOST_TURNS, "it had its turns, and gave no answer")
        spent(case, 50 - MOST_TURNS, why)
        task = fresh.sentence()
        case = Case(lesson, reading(MOST_TURNS - 1, {task: "Yes."}))
        said = case.ask(task, f"answers in its turn {MOST_TURNS}")
        lesson.expect(said == "Yes.", "'Yes.'", "that turn is the last one, and it is still one")
    with lesson.case("never more turns than the caller has left", why):
        for turns in (0, 1, fresh.randint(2, MOST_TURNS - 1)):
            case = Case(lesson, reading(99, {}), turns)
            case.refused(case.ask(fresh.sentence(), "reads for ever"), turns, f"{turns} are left, of all together")
            spent(case, 0, why)
        tasks = [fresh.sentence() for _ in range(3)]
        case = Case(lesson, reading(1, dict.fromkeys(tasks, "Yes.")), 5)
        said = [case.ask(task, "reads a file and answers") for task in tasks]
        lesson.expect(said[:2] == ["Yes.", "Yes."], "two answers", "four turns are enough for two", got=str(said))
        case.refused(said[2], 5, "one turn was left for the third")
    if lesson.shipped:
        return  # each agent of the real one gets what is left when it begins, though others work beside it
    with lesson.case("also with agents below agents, and several at once", why):

        def script(task: str, messages: list[Message]) -> Message:
            return calls("ask", task=f"{task}+") if len(task) < 12 else calls("read_file", file_path=fresh.word())

        case = Case(lesson, script, 20)
        case.refused(case.ask(fresh.word(), "hands on, and those below read for ever"), 20, "of all together, 20")
        case = Case(lesson, reading(99, {}), 13)
        for said in case.ask_all([fresh.sentence() for _ in range(3)], "reads for ever"):
            case.refused(said, 13, "of all together, 13")


def spent(case: Case, left: int, why: str) -> None:
    case.lesson.expect(
        case.budget == {"turns": left}, f"budget: {{'turns': {left}}}", why, got=f"budget: {case.budget}"
    )


def failures(lesson: Any) -> None:
    fresh = lesson.fresh
    with lesson.case("a failure is a sentence", "the caller can go on without it, and must know why"):
        for kind in (ConnectionError, ValueError, RuntimeError, KeyError, TypeError):
            text = fresh.word()

            def script(task: str, messages: list[Message], error: Exception = kind(text)) -> Message:
                raise error

            case = Case(lesson, script)
            case.refused(
                case.ask(fresh.sentence(), f"raises {kind.__name__}({text!r})"),
                1,
                "it says why; to try again is the loop's, as in lesson 23",
                text,
            )
    with lesson.case("no answer is a failure, too", "an empty text tells the caller nothing"):
        case = Case(lesson, lambda task, messages: says(""))
        said = case.ask(fresh.sentence(), "says nothing at all")
        lesson.expect(said.startswith("Error: "), 'text from "Error: " on', "an empty text tells the caller nothing")
    with lesson.case("what fails below is a result above", "one failure leaves the rest"):
        task, text = fresh.word(), fresh.word()

        def script(asked: str, messages: list[Message]) -> Message:
            if asked != task:
                raise OSError(text)
            heard = results_in(messages)
            return says(f"I heard: {heard[0]}") if heard else calls("ask", task=fresh.sentence())

        case = Case(lesson, script)
        said = case.ask(task, "hands on, and below the server is gone")
        lesson.expect(said.startswith("I heard: Error: ") and text in said, f"I heard: Error: ... {text}", "")


def together(lesson: Any, reading: Any) -> None:
    fresh = lesson.fresh
    with lesson.case("several at the same time", "five that only read need not wait for each other"):
        tasks = [fresh.sentence() for _ in range(5)]  # a pool has five threads on every machine
        meeting = threading.Barrier(len(tasks))

        def script(task: str, messages: list[Message]) -> Message:
            try:
                meeting.wait(TOGETHER)
            except threading.BrokenBarrierError:
                return says("I was alone.")
            return says(f"answer to {task}")

        said = Case(lesson, script).ask_all(tasks, "waits until all five are at work")
        wanted = {f"answer to {task}" for task in tasks}
        lesson.expect(isinstance(said, list) and {*said} == wanted, "an answer to each, and not 'I was alone.'", "")
    with lesson.case("results in the order of the tasks, and a failure alone", "the first result is the first task's"):
        tasks = [fresh.sentence() for _ in range(5)]
        last = threading.Event()

        def slow(task: str, messages: list[Message]) -> Message:
            if task == tasks[-1]:
                last.set()
            if task == tasks[0]:
                last.wait(TOGETHER)
            if task == tasks[1]:
                raise ConnectionError("gone")
            return says(f"answer to {task}")

        case = Case(lesson, slow)
        said = case.ask_all(tasks, "fails at the second and is late with the first")
        wanted = [f"answer to {task}" for task in tasks]
        good = [each for number, each in enumerate(said) if number != 1] == [wanted[0], *wanted[2:]]
        lesson.expect(good and said[1].startswith("Error: "), f"{wanted}, but Error: for the second", "")
    with lesson.case("also several stand below the same depth and the same rules"):
        said = Case(lesson, reading(0, {})).ask_all([], "answers")
        lesson.expect(said == [], "[]", "there were no tasks")
        tasks = [fresh.sentence()] * 2
        case = Case(lesson, reading(0, {tasks[0]: "Yes."}))
        said = case.ask_all(tasks, "answers")
        lesson.expect(said == ["Yes."] * 2, "an answer to each", "one agent for each task, also where two are alike")
        if not lesson.shipped:  # the real agent gives the same answer to the same question
            case.counted(2, "one agent for each task, also where two are alike")
        for script in (reading(99, {}), reading(0, dict.fromkeys(tasks, ""))):
            said = Case(lesson, script, 4).ask_all(tasks, "gives no answer")
            why = "a result for each: the caller must know which failed"
            lesson.expect([each[:7] for each in said] == ["Error: "] * 2, "two errors", why)
        tasks = [fresh.sentence(), " "]
        case = Case(lesson, reading(0, {tasks[0]: "Yes."}))
        said = case.ask_all(tasks, "answers")
        lesson.expect(
            said[0] == "Yes." and said[1].startswith("Error: "), "an answer, and an error", "one task is empty"
        )
        same = "delegate_all() adds nothing to the depth: each of its agents stands where one agent would"
        tasks = fresh.words(2)
        said = Case(lesson, reading(0, dict.fromkeys(tasks, "Yes."))).ask_all(tasks, "answers", DEEPEST - 1)
        lesson.expect(said == ["Yes."] * 2, "an answer to each", same)
        case = Case(lesson, reading(0, dict.fromkeys(tasks, "Yes.")))
        said = case.ask_all(tasks, "answers", DEEPEST)
        lesson.expect(all(each.startswith("Error: ") for each in said), f"an error each: {DEEPEST} is too deep", same)
        case.counted(0, same)


def for_real(lesson: Any) -> None:
    """Six files of 4,000 characters: read by one agent, and by three below it."""
    files = [f"{word}.py" for word in lesson.fresh.words(6)]

    def script(task: str, messages: list[Message]) -> Message:
        left = task.split(": ")[1].split()[len(results_in(messages)) :]
        return calls("read_file", file_path=left[0]) if left else says("Nothing of it is wrong.")

    def read(tasks: list[str]) -> tuple[int, int]:
        case = Case(lesson, script)
        case.tools["read_file"] = lambda file_path="": f"# {file_path}\n" + "x = 1  \n" * 500
        said = case.ask_all(tasks, "reads all that it is told to")
        lesson.expect(said == ["Nothing of it is wrong."] * len(tasks), "an answer to each", "each has read its files")
        sizes = [len(json.dumps(messages)) // 4 for _, messages, _ in case.model.requests]
        return max(sizes), sum(sizes)

    with lesson.case("for real: six files, read by one agent and by three"):
        alone = read([f"look for mistakes in: {' '.join(files)}"])
        three = read([f"look for mistakes in: {' '.join(files[place : place + 2])}" for place in (0, 2, 4)])
        lesson.expect(three[0] < alone[0], "smaller requests", "each has a third of the files in its window")
    lines = ["Six files of 1,000 tokens each, in tokens:", f"{'':26}largest request  all requests"]
    rows = {"one agent reads all six": alone, "three agents read two each": three}
    lines += [f"{title:26}{largest:15,} {every:13,}" for title, (largest, every) in rows.items()]
    lesson.picture.append("\n".join([*lines, "", "Their caller reads three sentences in place of six files."]))
