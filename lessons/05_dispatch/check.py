"""Lesson 5: good calls, and bad ones of every kind; each is answered in text, and only the good ones run."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

ERROR = 'text that begins with "Error: "'
RAISED = {each.__name__: each for each in (KeyError, ZeroDivisionError, TypeError, RuntimeError)}
MANY_WAYS = "a call can be wrong in more ways than one; each must end in text"


def check(lesson: Any) -> None:
    fresh = lesson.fresh
    ran: list[tuple[Any, ...]] = []
    names, root, reason = fresh.words(9), fresh.word(), fresh.sentence()
    tools = make_tools(names, ran, reason)
    lesson.put(ROOT=root)
    lesson.run("module.TOOLS.clear()\nmodule.TOOLS.update(tools)", "TOOLS, as it was at the start", tools=tools)
    lister, cleaner, breaker, remover = names[:4]

    with lesson.case(
        "a good call runs the tool and returns its text", "what the model asked for, and nothing else, is done"
    ):
        folder = f"{fresh.word()}\u00fc"
        text = lesson.call("call_tool", lister, json.dumps({"directory": folder}, ensure_ascii=False))
        lesson.expect(text == f"- main.py in {folder}", f"the tool's own text: '- main.py in {folder}'")
        lesson.expect(
            ran == [(lister, root, folder, 1, False)],
            f"the tool called once, with ROOT ({root!r}) first and the model's arguments after it",
            "the tools and the folder are looked up at each call: they are not the same all day",
            got=lesson.show(ran),
        )
    with lesson.case("its text comes whole", "what is missing the model will never know"):
        folder = "\n".join([*(fresh.sentence() for _ in range(60)), "  \n"])
        text = lesson.call("call_tool", lister, json.dumps({"directory": folder}))
        wanted = f"- main.py in {folder}"
        got, expected = (f"{len(str(each))} characters, to {str(each)[-20:]!r}" for each in (text, wanted))
        lesson.expect(text == wanted, f"the tool's own text: {expected}", got=got)
    with lesson.case(
        "numbers and true arrive as what they are", "a tool that counts needs a number, and no text that looks like one"
    ):
        ran.clear()
        depth = fresh.randint(2, 99)
        lesson.call("call_tool", lister, f'{{"depth": {depth}, "hidden": true}}')
        lesson.expect(
            ran == [(lister, root, ".", depth, True)],
            f"the tool called with depth={depth}, hidden=True",
            "it is JSON, not Python: true is not Python's word, and a number is no text",
            got=lesson.show(ran),
        )
        if not lesson.shipped:  # the real agent tells the model that null is no text
            ran.clear()
            lesson.call("call_tool", cleaner, '{"folder": null}')
            wanted = "the tool called with folder=None"
            lesson.expect(ran == [(cleaner, root, None)], wanted, "null is what the model sent", lesson.show(ran))
    sends_none = "some servers send empty text when there are no arguments"
    with lesson.case("empty arguments mean {}", sends_none, "'- main.py in .'"):
        text = lesson.call("call_tool", lister, "")
        lesson.expect(text == "- main.py in .", "'- main.py in .'", sends_none)

    survived = []
    unknown, wrong_name = fresh.words(2)
    all_names = f"an answer that names the model's next step: all the tools that there are ({', '.join(names)})"
    bad = [
        ("a tool that does not exist", unknown, "{}", all_names, names),
        (
            "arguments that break off",
            cleaner,
            f'{{"folder": "{fresh.word()}',
            "an error, and the tool does not run",
            [],
        ),
        ("a list where an object belongs", cleaner, f'["{fresh.word()}"]', "an error that says so", []),
        *((f"{raw} where an object belongs", cleaner, raw, "an error", []) for raw in ("null", "[]", "0", "false")),
        ("a parameter that does not exist", cleaner, json.dumps({wrong_name: "x"}), "an error naming it", [wrong_name]),
        ("the model sends root itself", cleaner, '{"root": "/"}', "an error: ROOT is yours alone to choose", []),
        ("a tool that raises", breaker, '{"kind": "RuntimeError"}', f"what the tool ran into: {reason}", [reason]),
    ]
    hardly = [
        *((title, name, "{}", all_names, names) for title, name in near(cleaner).items()),
        *((title, cleaner, raw, "an error, and the tool does not run", []) for title, raw in nearly(fresh).items()),
        ("a parameter that is missing", remover, "{}", "an error, and the tool does not run", []),
        *(
            (f"a tool that raises {kind}", breaker, json.dumps({"kind": kind}), f"what it ran into: {reason}", [reason])
            for kind in RAISED
        ),
    ]
    for title, name, raw, expected, must_say in (*bad, *hardly):
        with lesson.case(title, MANY_WAYS, ERROR):
            ran.clear()
            text = lesson.call("call_tool", name, raw)
            lesson.expect(
                not ran,
                expected,
                "a call that is not understood is never run: nobody asked for what it would do",
                got=f"{lesson.show(text)}, and the tool ran: {lesson.show(ran)}",
            )
            lesson.expect(isinstance(text, str) and text.startswith("Error: "), ERROR)
            for word in must_say:
                lesson.expect(word in text, expected, "an error is the only thing the model has to go by")
            survived.append(f"{name} {raw}\n  -> {lesson.show(text)}")
    lesson.picture.append("\n".join(["Bad calls, and what the model reads instead of a crash:", *survived[: len(bad)]]))


def near(name: str) -> dict[str, str]:
    return {
        "a tool's name in capitals": name.upper(),
        "the beginning of a tool's name": name[:-2],
        "a tool's name with a letter more": f"{name}s",
        "a tool's name and a space": f"{name} ",
    }


def nearly(fresh: Any) -> dict[str, str]:
    """Texts that somebody might mend; what was meant by them nobody knows."""
    whole = json.dumps({"folder": fresh.word()})
    return {
        "two objects where one belongs": f"{whole} {whole}",
        "an object after a sentence": f"I do it: {whole}",
        "an object in a fence": f"```json\n{whole}\n```",
        "an object without its last brace": whole[:-1],
        "an object as Python writes it": whole.replace('"', "'"),
        "an object in a list": f"[{whole}]",
        "an object in a text": json.dumps(whole),
    }


def make_tools(names: list[str], ran: list[tuple[Any, ...]], reason: str) -> dict[str, Callable[..., str]]:
    """One that lists, two that delete, one that raises, and others, under names that the check has drawn."""
    lister, cleaner, _, remover = names[:4]

    def list_files(root: str, directory: str = ".", depth: int = 1, hidden: bool = False) -> str:
        ran.append((lister, root, directory, depth, hidden))
        return f"- main.py in {directory}"

    def clean_up(root: str, folder: str = ".") -> str:
        ran.append((cleaner, root, folder))
        return f"deleted everything in {folder}"

    def run_python(root: str, kind: str) -> str:
        raise RAISED[kind](f"{reason} ({kind})")

    def remove(root: str, folder: str) -> str:
        ran.append((remover, root, folder))
        return f"removed {folder}"

    def other(number: int) -> Callable[..., str]:
        return lambda root: str(ran.append((number, root)))

    made = (list_files, clean_up, run_python, remove, *map(other, range(len(names) - 4)))
    tools = dict(zip(names, made, strict=True))
    for name, tool in tools.items():
        tool.__name__ = tool.__qualname__ = name
    return tools
