"""Lesson 11: budgets that fit, budgets that do not, and no call without its result."""

from __future__ import annotations

import copy
import json
from typing import Any

from lessons.conversations import begun_anew, orphans

HEAD = [
    {"role": "system", "content": "You are a careful coding agent."},
    {"role": "user", "content": "fix the bug"},
]


STEP = 4  # turns that go at a time
TWENTY = "read twenty chapters, one after the other"
LINE = " And so it went on, line after line."
NEW = "result = module.trim(given, budget) is not given"


def size(messages: list[dict[str, Any]]) -> int:
    return len(json.dumps(messages)) // 4


def turn(number: int, calls: int = 2, letters: int = 4000) -> list[dict[str, Any]]:
    files = {f"call_{number}_{index}": f"chapter_{number}{'abcdefgh'[index]}.txt" for index in range(calls)}
    asked = [
        {
            "id": name,
            "type": "function",
            "function": {"name": "read_file", "arguments": json.dumps({"file_path": file})},
        }
        for name, file in files.items()
    ]
    answers = [
        {"role": "tool", "tool_call_id": name, "content": f"{file}: " + "x" * letters} for name, file in files.items()
    ]
    return [{"role": "assistant", "content": f"Turn {number}.", "tool_calls": asked}, *answers]


def conversation(turns: int, **shape: int) -> list[dict[str, Any]]:
    return [*copy.deepcopy(HEAD), *(message for number in range(1, turns + 1) for message in turn(number, **shape))]


def uneven(fresh: Any, letter: str) -> list[dict[str, Any]]:
    """A conversation with a task, a length, and turns of a size of its own: short ones, long ones, the newest long. Its
    first two messages are of a length from which rounding takes so much that the sizes of the messages, added up, are
    less than that of the list."""
    head = [{"role": "system", "content": fresh.sentence()}, {"role": "user", "content": fresh.sentence()}]
    for message in head:
        message["content"] += "." * (3 - len(json.dumps([message])) % 4)
    count = fresh.randint(9, 12)
    lengths = [fresh.randint(200, 3000) if left % 2 else fresh.randint(4200, 6000) for left in range(count)]
    shapes = [(count - left, fresh.randint(1, 3), lengths[left]) for left in reversed(range(count))]
    whole = [*head, *(message for shape in shapes for message in turn(*shape))]
    whole[-1]["content"] = whole[-1]["content"].replace("x", letter)
    return whole


def check(lesson: Any) -> None:
    whole = conversation(6)
    whole[1]["content"] = lesson.fresh.sentence()
    head = copy.deepcopy(whole[:2])

    def play(messages: list[dict[str, Any]], budget: int) -> Any:
        shown = f"trim({len(messages)} messages of {size(messages):,} tokens, budget={budget:,})"
        trimmed = lesson.call("trim", messages, budget, shown=shown)
        flat = isinstance(trimmed, list) and all(isinstance(message, dict) for message in trimmed)
        lesson.expect(flat, "a flat list of messages", "sum(turns, []) makes one list of a list of lists")
        return trimmed

    with lesson.case("when all fits, all stays", "what is dropped without need, the model asks for again"):
        for spare in (100,) if lesson.shipped else (100, 0):
            trimmed = play(copy.deepcopy(whole), size(whole) + spare)
            lesson.expect(trimmed == whole, "the same messages: nothing has to go", got=outline(trimmed))
    with lesson.case("the system message and the task stay", "without them it knows neither what it is nor what for"):
        trimmed = play(copy.deepcopy(whole), 5000)
        lesson.expect(
            trimmed[:2] == head,
            "the first two messages, as they were: the system message and the task",
            "without the task the agent does not know what it is there for",
            got=outline(trimmed),
        )
    with lesson.case(
        "no call without its result, no result without its call", "the server answers 400, and the run ends there"
    ):
        for budget in range(2500, 12000, 5000):
            trimmed = play(copy.deepcopy(whole), budget)
            problem = orphans(trimmed)
            lesson.expect(
                not problem,
                "whole turns: no orphan",
                "the server answers 400, and the whole run ends there",
                got=f"{outline(trimmed)}; {problem}",
            )
    with lesson.case("the budget is met", "beyond it the server answers 400"):
        for budget in (3500, 5000, lesson.fresh.randint(7000, 9000)):
            trimmed = play(copy.deepcopy(whole), budget)
            lesson.expect(
                size(trimmed) <= budget,
                f"at most {budget:,} tokens",
                "a token is about four letters: size(...) counts tokens, len(...) letters or messages",
                got=f"{size(trimmed):,} tokens: {outline(trimmed)}",
            )
    with lesson.case("the newest stay", "what the model has just read is what it works with"):
        trimmed = play(copy.deepcopy(whole), size([*head, *whole[-12:]]))
        kept = [message["content"] for message in trimmed if message["role"] == "assistant"]
        lesson.expect(
            kept[-2:] == [f"Turn {number}." for number in (5, 6)],
            "the newest two turns at least: of six, four do not fit, and four go",
            "what the model has just read is what it works with",
            got=outline(trimmed),
        )
    with lesson.case("a conversation that has only begun", "every conversation begins like that"):
        trimmed = play(copy.deepcopy(head), 50)
        lesson.expect(trimmed == head, "the system message and the task: there is no turn yet", got=outline(trimmed))
    with lesson.case("the newest turn stays whole, whatever the budget", "it would ask again, for ever"):
        trimmed = play(copy.deepcopy(whole), 50)
        last = [message.get("tool_call_id") for message in trimmed if message["role"] == "tool"][-2:]
        lesson.expect(
            last == ["call_6_0", "call_6_1"],
            "the newest turn: its call and both results",
            "it asked, and now it would not hear the answer: it would ask again, for ever",
            got=outline(trimmed),
        )
        lesson.expect(
            bool(lesson.shipped) or trimmed == [*head, *whole[-3:]],
            "the newest turn alone, behind system message and task",
            "it is over the budget already: there is no room for an older one",
            got=outline(trimmed),
        )
    with lesson.case("the list that came in is as it was", "it is your record of the run"):
        given = copy.deepcopy(whole)
        play(given, 5000)
        lesson.expect(
            given == whole,
            "the list that came in as it was; trim returns another",
            "it is your record of the run: what is cut there is lost",
            got=f"it has {len(given)} messages now, and had {len(whole)}",
        )
        if not lesson.shipped:
            shown = "trim(messages, budget) is messages, where all of them fit"
            another = lesson.run(NEW, shown, given=copy.deepcopy(whole), budget=size(whole))
            wanted = "False: a new list, also where nothing has to go"
            lesson.expect(another is True, wanted, "whoever appends to the one changes the other, too", got="True")
    with lesson.case("three results in one turn, and a turn without a call", "a turn is as long as it is"):
        mixed = [*copy.deepcopy(head), *turn(1, calls=3), {"role": "assistant", "content": "Hm."}, *turn(2, calls=1)]
        problem = orphans(play(mixed, 2500))
        lesson.expect(not problem, "whole turns: no orphan", got=problem)
        trimmed = play(mixed, size(mixed) + 100)
        why = "what the model says without a call is a turn, too, and belongs to what it knows"
        lesson.expect(trimmed == mixed, f"{outline(mixed)}: nothing has to go", why, got=outline(trimmed))
    if lesson.real("LEAVES_OUT_OUTPUTS"):
        lesson.skip("four turns at a time", "the real agent leaves out outputs, and keeps all turns")
    else:
        with lesson.case("a request begins as the one before did", "a server keeps what it has read"):
            same_beginning(lesson, play)
        with lesson.case("turns of any length, budgets of any size", "no two turns are of one length"):
            for letter in "x\u00fc" * 2:
                any_length(lesson, play, uneven(lesson.fresh, letter))
        with lesson.case("a push-back stays with the answer that it sends back", "it begins no turn of its own"):
            pushed_back(lesson, play)
    if lesson.holds:
        lesson.picture.append(bill(lesson))


def any_length(lesson: Any, play: Any, messages: list[dict[str, Any]]) -> None:
    """For a budget in which all turns but four, and another number of the newest, fit exactly, or lack one token: those
    that four at a time leave."""
    begins = [index for index, message in enumerate(messages) if message["role"] == "assistant"]
    firsts = (begins[STEP], lesson.fresh.choice(begins[1:]))
    exact = [size([*messages[:2], *messages[first:]]) for first in firsts]
    for budget in (each - less for each in exact for less in (0, 1)):
        trimmed, wanted = play(copy.deepcopy(messages), budget), what_stays(messages, budget)
        lesson.expect(
            trimmed == wanted,
            f"{outline(wanted)}, to the letter: of {len(begins)} turns, four turns go at a time until it fits; "
            f"these are {size(wanted):,} tokens",
            "turns differ in length: the budget says how many may stay, and no other number does. size(...) of the "
            "whole list is what counts",
            got=f"{outline(trimmed)}: {size(trimmed):,} tokens",
        )
        lesson.expect(not orphans(trimmed), "whole turns: no orphan", got=f"{outline(trimmed)}; {orphans(trimmed)}")


def pushed_back(lesson: Any, play: Any) -> None:
    """Twelve turns, the second, the sixth and the eleventh an answer that was pushed back, each number of them to stay."""
    whole = copy.deepcopy(HEAD)
    for number in range(1, 13):
        whole += turn(number, calls=0 if number in (2, 6, 11) else 1, letters=400)
        if number in (2, 6, 11):
            whole.append({"role": "user", "content": f"You have run no test. {lesson.fresh.sentence()}"})
    begins = [index for index, message in enumerate(whole) if message["role"] == "assistant"]
    for first in begins[1:]:
        budget = size([*whole[:2], *whole[first:]])
        trimmed, wanted = play(copy.deepcopy(whole), budget), what_stays(whole, budget)
        kept = [message["content"] for message in whole[2:] if message["role"] == "user" and message in wanted[2:]]
        lost = [text for text in kept if text not in [message["content"] for message in trimmed]]
        lesson.expect(not lost, f"{kept} still there", "a push-back is a message like any other", got=f"lost: {lost}")
        why = "a push-back begins no turn: it belongs to the message of the model that it sends back"
        lesson.expect(trimmed == wanted, outline(wanted), why, got=outline(trimmed))


def what_stays(messages: list[dict[str, Any]], budget: int) -> list[dict[str, Any]]:
    begins = [index for index, message in enumerate(messages) if message["role"] == "assistant"]
    ways = [[*messages[:2], *messages[begin:]] for begin in [*begins[::STEP], begins[-1]]]
    return next((way for way in ways if size(way) <= budget), ways[-1])


def same_beginning(lesson: Any, play: Any) -> None:
    """Request after request of a run that grows, with room for five to seven turns."""
    whole, fit = conversation(16, calls=1), lesson.fresh.randint(5, 7)
    begins = [index for index, message in enumerate(whole) if message["role"] == "assistant"]
    budget = size([*whole[:2], *whole[begins[-fit] :]])
    ends = [2, *begins[1:], len(whole)]
    most = begun_anew([what_stays(whole[:end], budget) if end > 2 else whole[:2] for end in ends])
    times = begun_anew([play(copy.deepcopy(whole[:end]), budget) for end in ends])
    lesson.expect(
        times <= most,
        f"of 16 requests all but {most} begin as the one before did: four turns go at a time",
        "a server keeps what it has read; what begins otherwise it must read anew, and you pay for it",
        got=f"{times} of 16 requests begin with something else",
    )


def outline(messages: list[dict[str, Any]]) -> str:
    names = {"system": "system", "user": "user"}  # and for the model what it says, such as Turn 3.
    return ", ".join(
        names.get(each["role"]) or (f"result of {each['tool_call_id']}" if each["role"] == "tool" else each["content"])
        for each in messages
    )


def bill(lesson: Any) -> str:
    """Twenty turns of 1,500 tokens, with and without the learner's trim at 8,000."""
    lines = ["Twenty turns of 1,500 tokens: sent whole, and through your trim with a budget of 8,000:"]
    messages = [dict(HEAD[0]), {"role": "user", "content": TWENTY}]
    pad(messages, messages[0], 200)
    totals, cached, last = [0, 0], 0, []
    turns: list[dict[str, Any]] = []
    for number in range(1, 21):
        trimmed = lesson.call("trim", messages, 8000, shown="trim(messages, 8000)")
        sent = (size(messages), size(trimmed))
        totals = [total + each for total, each in zip(totals, sent, strict=True)]
        cached += size(last) if trimmed[: len(last)] == last else 0
        last = trimmed
        lines.append(
            f"turn {number:>2} {sent[0]:>7,} {'#' * (sent[0] // 1000):28} {sent[1]:>6,} {'#' * (sent[1] // 1000)}"
        )
        added = turn(number, calls=1, letters=0)
        messages += added
        pad(messages, added[-1], 200 + 1500 * number)
        ran = {"id": added[0]["tool_calls"][0]["id"], "ok": True, "content": added[-1]["content"]}
        turns.append({"sent": trimmed, "reply": copy.deepcopy(added[0]), "calls": [ran]})
    reply = {"role": "assistant", "content": "That was the twentieth chapter."}
    sent = lesson.call("trim", messages, 8000, shown="trim(messages, 8000)")
    turns.append({"sent": sent, "reply": reply, "calls": []})
    lesson.recording = {"prompt": TWENTY, "answer": reply["content"], "turns": turns, **done_by(lesson.file)}
    together = f"together {totals[0]:,} tokens, or {totals[1]:,}, of which a prompt cache knows {cached:,}"
    return "\n".join([*lines, together])


def done_by(file: str) -> dict[str, Any]:
    """Of each kind of step who did it, for the trace player."""
    script = "The check wrote this"
    told = {
        "you": f"{script}, as all that is said here. What trim() in {file} leaves of it is what a model would be sent.",
        "model": f"{script}. Before it, trim() in {file} cut the list to 8,000 tokens: Context shows what it left.",
        "call": f"{script}: each turn adds 1,500 tokens to the list, so that it outgrows the budget.",
    }
    return {"model": "a script of the check's", "told": told}


def pad(messages: list[dict[str, Any]], message: dict[str, Any], tokens: int) -> None:
    count = 4 * tokens - len(json.dumps(messages))
    message["content"] += (LINE * (count // len(LINE) + 1))[:count]
