"""Lesson 27: conversations that outgrow a window, a model that summarises well and badly, and what must be left."""

from __future__ import annotations

import copy
import json
from typing import Any

from lessons.conversations import begun_anew, orphans

KEEP, CHANGES, READS = 2, ("edit_file", "write_file"), ("read_file", "run_tests", "list_files")
Message = dict[str, Any]
VAGUE = "We looked at the calculator and fixed some problems."


def size(messages: list[Message]) -> int:
    return len(json.dumps(messages)) // 4


def turn(fresh: Any, *steps: tuple[str, str, str]) -> list[Message]:
    """A message of the model with a call for each step, and their results."""
    asked = [
        {"id": fresh.word(), "type": "function", "function": {"name": name, "arguments": json.dumps({"path": path})}}
        for name, path, _ in steps
    ]
    answers = [
        {"role": "tool", "tool_call_id": call["id"], "content": result}
        for call, (_, _, result) in zip(asked, steps, strict=True)
    ]
    return [{"role": "assistant", "content": fresh.sentence(), "tool_calls": asked}, *answers]


def reading(fresh: Any, calls: int = 2, letters: int = 1000) -> list[Message]:
    """A turn that only reads."""
    named = [(fresh.choice(READS), f"{fresh.word()}.py") for _ in range(calls)]
    return turn(fresh, *((*each, f"{fresh.sentence()}\n" + "x" * letters) for each in named))


def beginning(fresh: Any) -> list[Message]:
    return [{"role": "system", "content": fresh.sentence()}, {"role": "user", "content": fresh.sentence()}]


def by_user(text: str) -> Message:
    return {"role": "user", "content": text}


def check(lesson: Any) -> None:
    fresh = lesson.fresh
    real = lesson.real("ASKS_NO_MODEL")
    words = lesson.run("result = [module.MARK, module.FACTS, module.ORDER]") if not real else ["", "", ""]
    if not real:
        what_is_known(lesson, words)

    def compacted(messages: list[Message], budget: int, text: str | None = None) -> tuple[list[Message], list[Any]]:
        """What compact() returns, and each request for a summary; the model says `text`."""
        heard: list[Any] = []

        def ask(messages: Any) -> str:
            heard.append(messages)
            return fresh.sentence() if text is None else text

        given = copy.deepcopy(messages)
        shown = f"compact({len(messages)} messages of {size(messages):,} tokens, {budget:,}, ask)"
        left = lesson.call("compact", given, budget, ask, shown=shown)
        flat = isinstance(left, list) and all(isinstance(message, dict) for message in left)
        lesson.expect(flat, "a flat list of messages")
        why = "it is your record of the run: what is cut there is lost"
        lesson.expect(given == messages, "the list that came in as it was", why, got=f"now: {outline(given)}")
        return left, heard

    with lesson.case("what fits stays, and nobody is asked", "a summary costs a request, and loses something"):
        whole = [*beginning(fresh), *(each for _ in range(6) for each in reading(fresh))]
        for budget in (size(whole), size(whole) + fresh.randint(1, 900)):
            left, heard = compacted(whole, budget)
            lesson.expect(left == whole, "the same messages: it fits", got=outline(left))
            lesson.expect(not heard, "no request", "there is nothing to summarise", got=f"{len(heard)} requests")
    with lesson.case("nothing in the middle: nobody is asked", "a summary of nothing saves nothing, each turn anew"):
        for turns in range(KEEP + 1):
            short = [*beginning(fresh), *(each for _ in range(turns) for each in reading(fresh, letters=150))]
            left, heard = compacted(short, 20)
            lesson.expect(left == short, f"the same messages: {turns} turns stay in any case", got=outline(left))
            lesson.expect(not heard, "no request", got=f"{len(heard)} requests")
    with lesson.case("the beginning and the last turns stay, whole", "it is what the model is at work with"):
        for turns in (KEEP + 4, fresh.randint(KEEP + 5, 12)):
            whole = [*beginning(fresh), *(each for _ in range(turns) for each in reading(fresh, fresh.randint(1, 3)))]
            budget = size(whole) - 1 if turns == KEEP + 4 else size(whole) * 2 // 3
            left, _ = compacted(whole, budget)
            lesson.expect(left[:2] == whole[:2], "the system message and the task first", got=outline(left))
            last = whole[begins(whole)[-KEEP] :]
            lesson.expect(left[-len(last) :] == last, f"at the end the last {KEEP} turns", got=outline(left))
            lesson.expect(not orphans(left), "no call without its result", "the server answers 400", orphans(left))
            lesson.expect(size(left) <= budget, f"at most {budget:,} tokens", got=f"{size(left):,}")
    with lesson.case("what the person said stays, word for word", "who writes 'leave the tests alone' means it"):
        for _ in range(2):
            whole, said = beginning(fresh), [by_user(fresh.sentence()) for _ in range(fresh.randint(4, 6))]
            for each in (*said, None):
                whole += [*reading(fresh), *reading(fresh), *([each] if each else [])]
            left, _ = compacted(whole, size(whole) * 2 // 3)
            kept = [each for each in left if each in said]
            lesson.expect(kept == said, f"{len(said)} messages of the person, in order", got=f"{len(kept)}: {kept}")
            if not real:
                lesson.expect(left[2 : 2 + len(said)] == said, "below the task, before the summary", got=outline(left))
    with lesson.case("a request begins as the one before did", "what a server has read before costs a tenth"):
        requests = conversation(lesson, lambda messages: compacted(messages, 5_000)[0], 24)
        anew = begun_anew(requests)
        most = 8 if real else begun_anew(conversation(lesson, lambda messages: reference(messages, 5_000, words), 24))
        told = f"{anew} of {len(requests)} requests begin with something else"
        lesson.expect(0 < anew <= most, f"at most {most}: one for each compaction", got=told)
    if real:
        lesson.skip("the summary", "the real agent leaves outputs out, and asks no model")
    else:
        summaries(lesson, compacted, words)
    if lesson.holds:
        lesson.picture.append(picture(lesson, compacted, real))


def what_is_known(lesson: Any, words: list[str]) -> None:
    fresh = lesson.fresh

    def known(messages: list[Message], wanted: list[str], why: str) -> None:
        said = lesson.call("facts", messages, shown=f"facts({outline(messages)})")
        lesson.expect(said == wanted, lesson.show(wanted), why)

    with lesson.case("facts: what changed, what failed, and nothing else", "what a program knows no model need guess"):
        known(beginning(fresh), [], "there was no step")
        known([*beginning(fresh), *reading(fresh)], [], "reading changes nothing")
        for name in CHANGES:
            path = file_name(fresh)
            for result in (f"Done. Before it: Error: {fresh.word()}", "Errors: none"):
                done = turn(fresh, (name, path, result))
                known([*beginning(fresh), *done], [f"changed {path}"], f"{name} has changed it")
        for name in (*CHANGES, *READS):
            path, error = file_name(fresh), f"Error: {fresh.sentence()}"
            failed = turn(fresh, (name, path, f"{error}\n{fresh.sentence()}"))
            wanted = [f"failed {name} {path}: {error}"]
            known([*beginning(fresh), *failed], wanted, "it failed, and would be tried again")
    with lesson.case("many steps, in their order, none of them twice", "a list that repeats itself is no summary"):
        for _ in range(2):
            messages, wanted = work(fresh, 6)
            known([*messages, *copy.deepcopy(messages[2:])], wanted, "each line once, where it stood first")
    with lesson.case("an earlier summary: its facts come first", "its calls are gone, and nothing else holds them"):
        before = [f"changed {file_name(fresh)}", f"failed run_tests tests: Error: {fresh.sentence()}"]
        messages, wanted = work(fresh, 2)
        for text in (VAGUE, f"{fresh.sentence()}\n{words[1]}\nchanged nothing at all"):
            summary = by_user("\n".join([words[0], text, words[1], *before]))
            known(
                [*messages[:2], summary, *messages[2:]], [*before, *wanted], "those below the last FACTS, then its own"
            )
        summary = by_user("\n".join([words[0], VAGUE, words[1]]))
        known([*messages[:2], summary, *messages[2:]], wanted, "that summary held no facts")
        summary = by_user("\n".join([words[0], VAGUE, words[1], wanted[2], *before]))
        again = [wanted[2], *before, *wanted[:2], *wanted[3:]]
        known([*messages[:2], summary, *messages[2:]], again, "no line twice, also where the earlier facts hold it")


def summaries(lesson: Any, compacted: Any, words: list[str]) -> None:
    fresh = lesson.fresh
    mark, below, order = words

    def one_summary(left: list[Message], text: str, known: list[str]) -> Message:
        found = [each for each in left if each["role"] == "user" and str(each["content"]).startswith(mark)]
        why = "it must not pass for the person's own words"
        lesson.expect(len(found) == 1, "one message of the user that begins with MARK", why, got=outline(left))
        lesson.expect(text in found[0]["content"], f"the model's text in it: {text!r}", got=found[0]["content"])
        at = left.index(found[0])
        behind = left[at + 1] if at + 1 < len(left) else {"role": "nothing"}
        lesson.expect(behind["role"] == "assistant", "the last turns behind it", "that is their order", outline(left))
        lines = [line for line in found[0]["content"].rpartition(below)[2].split("\n") if line]
        why = "the facts of the old messages are lost otherwise; those of the last turns stand in the turns"
        lesson.expect(lines == known, f"below FACTS: {known}", why, got=found[0]["content"])
        exact = "\n".join([mark, text, below, *known])
        why = 'joined with "\\n": MARK, the model\'s text, FACTS and the facts'
        lesson.expect(found[0]["content"] == exact, repr(exact), why, got=repr(found[0]["content"]))
        return found[0]

    with lesson.case("a summary, marked, and the facts with it", "what the model forgets, the program knows"):
        for text in (fresh.sentence(), VAGUE, f"{fresh.sentence()}\n- {fresh.sentence()}", ""):
            messages, known = work(fresh, 5)
            whole = [*messages, *work(fresh, KEEP)[0][2:]]
            left, heard = compacted(whole, size(whole) - 1, text)
            lesson.expect(len(heard) == 1, "one request for a summary", got=f"{len(heard)} requests")
            one_summary(left, text, known)
            lesson.expect(len(left) == 3 + len(whole) - begins(whole)[-KEEP], "nothing else", got=outline(left))
    with lesson.case("how the summary is asked for", "what a server has read before costs a tenth"):
        messages, _ = work(fresh, 5)
        whole = [*messages, by_user(fresh.sentence()), *reading(fresh), *reading(fresh)]
        _, heard = compacted(whole, size(whole) - 1)
        [asked] = heard
        old = whole[: begins(whole)[-KEEP]]
        lesson.expect(asked[: len(old)] == old, "a request that begins as the last one did", got=outline(asked))
        last = asked[-1]
        lesson.expect(
            last["role"] == "user" and order in last["content"], "ORDER, by the user, at its end", "", str(last)
        )
        rest = asked[len(old) : -1]
        lesson.expect(rest in ([], whole[len(old) :]), "nothing between", got=outline(rest))
    with lesson.case(
        "the second compaction: one summary, and all facts", "what the first one saved, the next may lose"
    ):
        known: list[str] = []
        left, earlier = beginning(fresh), ""
        said: list[Message] = []
        for _ in range(3):
            messages, more = work(fresh, 3)
            newest, later = work(fresh, KEEP)
            left = [*left, *messages[2:], by_user(fresh.sentence()), *newest[2:]]
            said.append(left[begins(left)[-KEEP] - 1])
            known, text = [*known, *more], fresh.sentence()
            left, heard = compacted(left, size(left) - 1, text)
            [asked] = heard
            one_summary(left, text, known)
            known += later
            seen = not earlier or any(earlier in str(each["content"]) for each in asked)
            lesson.expect(seen, "the earlier summary in the request for the next", "it tells of what is gone already")
            kept = [each for each in left if each in said]
            lesson.expect(kept == said, "what the person said, still", "it stays, word for word", got=outline(left))
            earlier = text
            again, heard = compacted(left, 20)
            lesson.expect(
                again == left and not heard, "as it is: only a summary is old", "nothing is left to leave out"
            )


def work(fresh: Any, turns: int) -> tuple[list[Message], list[str]]:
    """A beginning and turns that read, change and fail, four steps each; and the facts of it."""
    messages, known = beginning(fresh), []
    for _ in range(turns):
        changed, failed, again = file_name(fresh), file_name(fresh), file_name(fresh)
        error, name = f"Error: {fresh.sentence()}", fresh.choice((*CHANGES, *READS))
        steps = [
            (fresh.choice(CHANGES), changed, "Done."),
            (name, failed, f"{error}\nTry another text."),
            (fresh.choice(READS), file_name(fresh), fresh.sentence() + "x" * 400),
            (fresh.choice(CHANGES), again, "Done."),
        ]
        messages += turn(fresh, *steps)
        known += [f"changed {changed}", f"failed {name} {failed}: {error}", f"changed {again}"]
    return messages, known


def file_name(fresh: Any) -> str:
    folder = fresh.choice(("", "src/", "gr\u00f6\u00dfe/"))
    return f"{folder}{fresh.word()}_\u00fc.py"


def conversation(lesson: Any, compact: Any, turns: int) -> list[list[Message]]:
    """What is sent, turn for turn: each request is made of the one before."""
    messages, requests = beginning(lesson.fresh), []
    for _ in range(turns):
        messages = compact(messages)
        requests.append(copy.deepcopy(messages))
        messages = [*messages, *reading(lesson.fresh, 1, 2400)]
    return requests


def reference(messages: list[Message], budget: int, words: list[str]) -> list[Message]:
    first = begins(messages)[-KEEP:]
    if size(messages) <= budget or len(begins(messages)) <= KEEP:
        return messages
    return [*messages[:2], by_user("\n".join([words[0], "x" * 60, words[1]])), *messages[first[0] :]]


def begins(messages: list[Message]) -> list[int]:
    return [index for index, message in enumerate(messages) if message["role"] == "assistant"]


def outline(messages: Any) -> str:
    kinds = [str(each.get("role")) for each in messages if isinstance(each, dict)]
    named = {"assistant": "model", "tool": "result"}
    shown = [named.get(kind, kind) for kind in kinds]
    return ", ".join(shown if len(shown) < 16 else [*shown[:6], f"... {len(shown) - 12} more ...", *shown[-6:]])


def picture(lesson: Any, compacted: Any, real: Any) -> str:
    """Thirty turns, and a model that forgets all that matters."""
    fresh = lesson.fresh
    lines = ["Thirty turns, a window of 6,000 tokens, and a model that forgets what matters:"]
    messages: list[Message] = [by_user("You repair programs."), by_user("fix the bug")]
    messages[0]["role"] = "system"
    whole, last, told = list(messages), [], ""
    for number in range(1, 31):
        name, result = ("edit_file", "Done.") if number % 9 == 4 else ("read_file", "x" * 2000)
        result = f"Error: nothing matches in step {number}" if number % 9 == 7 else result
        added = turn(fresh, (name, f"part_{number}.py", result))
        whole += added
        messages, _ = compacted([*messages, *added], 6_000, f"{VAGUE} Next: finish the task.")
        new = messages[: len(last)] != last
        lines.append(f"turn {number:>2} {size(whole):>7,} {size(messages):>6,} {'#' * (size(messages) // 200)}"
                     f"{'  <- room made' if new else ''}")  # fmt: skip
        last = messages
        told = messages[2]["content"] if messages[2]["role"] == "user" else told
    if real:
        return "\n".join(lines)
    return "\n".join([*lines, "", "What the model finds in the middle's place now:", *told.split("\n")])
