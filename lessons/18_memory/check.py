"""Lesson 18: lines that find room and lines that do not; long runs, measured in tokens, with one memory and the other."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

from lessons.checking import cut

dice = random.SystemRandom()


def word() -> str:
    return "".join(dice.choices("bcdfghklmnprstvw", k=5)) + dice.choice("\u00fc\u6e2c\u00e9")


def size(messages: list[dict[str, Any]]) -> int:
    return len(json.dumps(messages)) // 4


def beginning() -> list[dict[str, Any]]:
    return [
        {"role": "system", "content": f"You audit a table. {word()}."},
        {"role": "user", "content": f"Audit the table {word()}."},
    ]


def turn(number: int, calls: int = 1, letters: int = 3000) -> list[dict[str, Any]]:
    names = [f"call_{number}_{index}" for index in range(calls)]
    asked = [
        {"id": name, "type": "function", "function": {"name": "get_stats", "arguments": json.dumps({"field": word()})}}
        for name in names
    ]
    answers = [{"role": "tool", "tool_call_id": name, "content": f"{name} {word()} " + "x" * letters} for name in names]
    return [{"role": "assistant", "content": f"Turn {number}.", "tool_calls": asked}, *answers]


def run(turns: int, **shape: int) -> list[dict[str, Any]]:
    return [*beginning(), *(message for number in range(1, turns + 1) for message in turn(number, **shape))]


def newest(lines: list[str], room: int) -> tuple[list[str], int]:
    """The lines that fit, and how many do not."""
    kept: list[str] = []
    for line in reversed(lines):
        room -= len(line) + 1
        if room < 0:
            break
        kept.insert(0, line)
    return kept, len(lines) - len(kept)


def check(lesson: Any) -> None:
    lines_that_fit(lesson)
    what_is_sent(lesson)
    with lesson.case(
        "measured: the fiftieth request costs what the fifth did", "what is sent is all that the model knows"
    ):
        rows = bill(lesson)
        fifth, last = rows[4][1], rows[-1][1]
        lesson.expect(
            last <= 1.25 * fifth,
            f"about {fifth:,} tokens at turn 50, as at turn 5",
            "that is what this memory is for",
            got=f"{fifth:,} tokens at turn 5, and {last:,} at turn {len(rows)}",
            called="to_send(messages, '\\n'.join(fit(lines, 600))), at each of 50 turns",
        )
        lesson.picture.append(picture(rows))


def lines_that_fit(lesson: Any) -> None:
    def fitted(lines: list[str], room: int, title: str = "") -> None:
        given = list(lines)
        found = lesson.call("fit", given, room, shown=f"fit({title or lesson.show(lines)}, {room})")
        kept, left = newest(lines, room)
        lesson.expect(isinstance(found, list), "a list of lines")
        own = [line for line in found if line in lines]
        lesson.expect(own == kept, lesson.show(kept), "the newest, as many as find room, and the oldest of them first")
        notes = [line for line in found if line not in lines]
        if left:
            why = "what is left out without a word, the model takes for all there is"
            lesson.expect(found[:1] == notes and len(notes) == 1, f"(+ {left} earlier) before the others", why)
            numbers = "".join(letter if letter.isdigit() else " " for letter in notes[0]).split()
            lesson.expect(str(left) in numbers, f"(+ {left} earlier): so many are left out", why)
        else:
            lesson.expect(not notes, "no note: nothing is left out", "it would say what is not so", lesson.show(found))
        lesson.expect(given == lines, "the list that came in as it was", "it is the agent's own record")

    lines = [f"{number}. {word()} {word() * dice.randrange(1, 4)}" for number in range(dice.randrange(8, 14))]
    whole = sum(len(line) + 1 for line in lines)
    with lesson.case("all lines fit: all stay, and no note", "what is sent is all that the model knows"):
        fitted(lines, whole)
        fitted([], 10)
    with lesson.case("one character too few: the oldest goes", "what is sent is all that the model knows"):
        fitted(lines, whole - 1)
    with lesson.case("the newest stay, in their order", "what is sent is all that the model knows"):
        for _ in range(4):
            fitted(lines, dice.randrange(len(lines[-1]) + 1, whole))
    with lesson.case(
        "a long line ends it, even where an older one would fit", "what is sent is all that the model knows"
    ):
        fitted([word(), word() * 9, word(), word()], 30)
    with lesson.case("no room for a single line", "what is sent is all that the model knows"):
        fitted(lines[:3], 2)
    with lesson.case("the same line again is another line", "what is sent is all that the model knows"):
        again = [*[word()] * 7, word()]
        fitted([again[0] + word(), *again], sum(len(line) + 1 for line in again))
        fitted(again, 3 * (len(again[0]) + 1))


def what_is_sent(lesson: Any) -> None:
    def send(messages: list[dict[str, Any]], state: str) -> list[dict[str, Any]]:
        given = copy.deepcopy(messages)
        shown = f"to_send({len(messages)} messages: {outline(messages)}; state={cut(state, 80)})"
        sent = lesson.call("to_send", given, state, shown=shown)
        flat = isinstance(sent, list) and all(isinstance(message, dict) for message in sent)
        lesson.expect(flat and bool(sent), "a list of messages")
        why = "it is your record of the run: the next request would find the state in it twice"
        lesson.expect(given == messages, "messages as they were", why, got=f"they are now: {lesson.show(given[:2])}")
        lesson.expect(
            sent[0] == messages[0],
            "the system message first, as it was",
            "it is the same for the whole run",
            outline(sent),
        )
        prompts = [str(each["content"]) for each in sent[1:] if each["role"] == "user"]
        told = "\n".join(prompts)
        lesson.expect(
            messages[1]["content"] in told,
            f"the task in a user message: {messages[1]['content']!r}",
            "without the task the agent does not know what it is there for",
            got=outline(sent),
        )
        lesson.expect(
            told.count(state) == 1,
            "the state, once, in a user message below the task",
            "it is all that the model knows of the earlier turns",
            got=lesson.show(prompts),
        )
        _, _, below = told.partition(messages[1]["content"])
        holds = state in below and "\n" in below.partition(state)[0]
        wanted = f"{messages[1]['content']!r}, and below it, in lines of its own, the state"
        why = "the task comes first, and what was done for it in lines of its own"
        lesson.expect(holds, wanted, why, got=lesson.show(prompts))
        return sent

    with lesson.case(
        "before the first turn: the system message, and the task with the state",
        "what is sent is all that the model knows",
    ):
        messages = beginning()
        sent = send(messages, f"nothing {word()} yet")
        lesson.expect(all(each["role"] in ("system", "user") for each in sent), "no turn", got=outline(sent))
    for title, messages, last in (
        ("after the first turn", run(1), 2),
        ("after many turns: the last one, and none before it", run(dice.randrange(6, 12)), 2),
        ("three calls in the last turn: their results stay with them", [*run(4), *turn(5, calls=3)], 4),
        ("twenty calls in the last turn: all of it stays", [*run(3), *turn(4, calls=20, letters=30)], 21),
    ):
        with lesson.case(title, "it must hear what it asked for"):
            state = "\n".join(f"- {word()}: {dice.randrange(99)} wrong" for _ in range(dice.randrange(80, 120)))
            sent = send(messages, state)
            lesson.expect(
                [each for each in sent if each["role"] in ("assistant", "tool")] == messages[-last:],
                f"of the turns the last one, whole: {outline(messages[-last:])}",
                "a result without its call is refused by the server; and what it asked last the model must hear",
                got=outline(sent),
            )
    with lesson.case(
        "a word from you after the model's answer is part of the last turn", "the model has not read it yet"
    ):
        pushed = {"role": "user", "content": f"You have looked at {word()} alone."}
        messages = [*run(3), {"role": "assistant", "content": "Done."}, pushed]
        sent = send(messages, f"- {word()}")
        whole = sent[-2:] == messages[-2:] and not any(each["role"] in ("assistant", "tool") for each in sent[:-2])
        lesson.expect(
            whole, "after the task the answer, though it calls nothing, and what you said to it", got=outline(sent)
        )


def bill(lesson: Any) -> list[tuple[int, int]]:
    """Tokens of each request over fifty turns: with the transcript, with the learner's state."""
    messages, lines, rows = beginning(), [], []
    for number in range(1, 51):
        messages += turn(number)
        lines.append(f"- turn {number}: {word()} looked at, {dice.randrange(9)} values are wrong")
        state = "\n".join(lesson.call("fit", lines, 600, shown="fit(lines, 600)"))
        rows.append((size(messages), size(lesson.call("to_send", messages, state, shown="to_send(messages, state)"))))
    return rows


def picture(rows: list[tuple[int, int]]) -> str:
    lines = ["Fifty turns, in tokens: the transcript, and your state:"]
    for number in (1, 5, 10, 20, 30, 40, 50):
        whole, state = rows[number - 1]
        lines.append(f"turn {number:>2} {whole:>7,} {'#' * (whole // 1500):28} {state:>6,} {'#' * (state // 1500)}")
    together = [sum(row[which] for row in rows) for which in (0, 1)]
    lines.append(f"together {together[0]:,} tokens, or {together[1]:,}: {together[0] / together[1]:.0f} times less.")
    return "\n".join([*lines, "At turn 1 the transcript is the smaller: there is nothing yet to leave out."])


def outline(messages: list[dict[str, Any]]) -> str:
    named = [each.get("tool_call_id") or each.get("content") if each["role"] == "assistant" else each["role"]
             for each in messages]  # fmt: skip
    shown = [str(name) for name in named]
    return ", ".join(shown if len(shown) < 9 else [*shown[:3], "...", *shown[-4:]])
