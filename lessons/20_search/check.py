"""Lesson 20: texts made of new words each time, in which one thing differs; then a librarian of the learner's parts."""

from __future__ import annotations

import copy
import json
import random
import time
from pathlib import Path
from typing import Any

from lessons.recorded import done_by

NEEDS = ("openai", "offline.wire.server")
GIVEN = Path(__file__).with_name("vectors.json")
K, B, STEADY = 1.2, 0.75, 60
CLOSE = 1.02  # two scores that are nearer than this may stand in either order
LIBRARIAN = """
import sys
sys.modules["search"] = module
import library  # given, beside the learner's file
result = library.librarian(ask, question, root)
"""
dice = random.SystemRandom()


def word() -> str:
    return (
        "".join(dice.choices("bkmptvwz", k=2))
        + dice.choice("ao")
        + "".join(dice.choices("bkmptvwz", k=3))
        + dice.choice("bk\u00fc\u00e9")
    )


def text(length: int, *known: str) -> str:
    """A text of so many words: the known ones somewhere among others."""
    words = [*known, *(word() for _ in range(length - len(known)))]
    dice.shuffle(words)
    return " ".join(words)


def check(lesson: Any) -> None:
    one_thing_differs(lesson)
    many_texts(lesson)
    fused(lesson)
    if lesson.holds:
        lesson.picture.append(both_ways(lesson))
        a_librarian(lesson)


def one_thing_differs(lesson: Any) -> None:
    def first(query: str, best: str, other: str, why: str, around: tuple[str, ...] = ()) -> None:
        texts = [other, best, *(text(12) for _ in range(dice.randrange(3, 8))), *around]
        dice.shuffle(texts)
        for each in (texts, texts[::-1]):  # where neither is better, either order may come first
            found = ranking(lesson, query, each)
            wanted = [each.index(best), each.index(other)]
            lesson.expect(
                [number for number in found if number in wanted] == wanted,
                f"text {wanted[0]} before text {wanted[1]}",
                why,
                got=f"{found}. Text {wanted[0]}: {best!r}. Text {wanted[1]}: {other!r}",
            )

    a, b = word(), word()
    with lesson.case("the texts that hold a word of the query, and no others", "the others do not answer it"):
        texts = [text(9), text(9, a), text(9), text(9, b), text(9), text(9, a, b)]
        found = ranking(lesson, f"{a} {b}", texts)
        why = "any word will do, not all of them; and a text without one is no answer"
        lesson.expect(sorted(found) == [1, 3, 5], "1, 3 and 5, best first", why)
        lesson.expect(found[0] == 5, "5 first: it holds both", "the words' scores are summed")
        lesson.expect(ranking(lesson, word(), texts) == [], "[]", "nothing holds it")
    with lesson.case("no texts at all", "an empty folder is no error"):
        lesson.expect(ranking(lesson, a, []) == [], "[]")
    with lesson.case("whole words, whatever their letters", "the reader looks at the first few"):
        texts = [f"{text(5)} {a}{b} {text(5)}", f"{text(5)} {a.upper()}, {text(5)}"]
        lesson.expect(
            ranking(lesson, a.title(), texts) == [1], "[1]", f"{a}{b} is another word, and {a.upper()} is not"
        )
    with lesson.case("a word of any language, and the last of many", "the reader looks at the first few"):
        stem = word()
        texts = [text(9, f"{stem}\u00fc"), text(9, f"{stem}\u00e9"), text(9, b)]
        lesson.expect(ranking(lesson, f"{stem}\u00e9", texts) == [1], "[1]", "a letter that ASCII lacks is one, too")
        query = " ".join([*(word() for _ in range(4)), b, *(word() for _ in range(4))])
        lesson.expect(ranking(lesson, query, texts) == [2], "[2]", "each word of the query is looked for")
        words = [word() for _ in range(6)]
        found = ranking(lesson, " ".join(words), [text(9, each) for each in words])
        lesson.expect(sorted(found) == [0, 1, 2, 3, 4, 5], "all six", "each holds another word of the query")
    with lesson.case("a rare word counts more than a common one", "the reader looks at the first few"):
        common = tuple(text(12, a) for _ in range(7))
        first(f"{a} {b}", text(12, b), text(12, a, a), f"eight texts hold {a!r}, and one holds {b!r}", common)
    with lesson.case("twice is more than once", "the reader looks at the first few"):
        first(a, text(12, a, a), text(12, a), "it says more about it")
    with lesson.case("the sixth time counts less than another word", "the reader looks at the first few"):
        first(f"{a} {b}", text(12, a, b), text(12, *[a] * 6), "one word again and again is not what was asked for")
    with lesson.case("a long text has to share", "the reader looks at the first few"):
        first(a, text(8, a), text(80, a), "in eight words it says more about it than in eighty")


def many_texts(lesson: Any) -> None:
    with lesson.case("forty texts of all lengths, in the order of BM25", "the reader looks at the first few"):
        for _ in range(3):
            asked = word()
            texts = [text(dice.randrange(12, 90), *[asked] * dice.randrange(0, 6)) for _ in range(40)]
            found = ranking(lesson, asked, texts)
            parts = part_of(asked, texts)
            lesson.expect(set(found) == set(parts), f"the {len(parts)} texts that hold it, each once")
            for better, worse in zip(found, found[1:], strict=False):
                lesson.expect(
                    parts[better] * CLOSE >= parts[worse],
                    f"text {worse} before text {better}",
                    f"its part is {parts[worse]:.3f} ({told(texts[worse], asked)}), and that of {better} only "
                    f"{parts[better]:.3f} ({told(texts[better], asked)})",
                    got=f"{better} stands before {worse}",
                    called=f"by_words({asked!r}, forty texts)",
                )


def part_of(asked: str, texts: list[str]) -> dict[int, float]:
    lengths = [len(each.split()) for each in texts]
    average = sum(lengths) / len(lengths)
    counts = [each.split().count(asked) for each in texts]
    return {
        number: count * (K + 1) / (count + K * (1 - B + B * lengths[number] / average))
        for number, count in enumerate(counts)
        if count
    }


def told(one: str, asked: str) -> str:
    return f"{one.split().count(asked)} times in {len(one.split())} words"


def ranking(lesson: Any, query: str, texts: list[str]) -> list[int]:
    shown = (
        f"by_words({query!r}, {lesson.show(texts)})" if len(texts) < 8 else f"by_words({query!r}, {len(texts)} texts)"
    )
    found = lesson.call("by_words", query, list(texts), shown=shown)
    good = isinstance(found, list) and all(isinstance(number, int) and 0 <= number < len(texts) for number in found)
    lesson.expect(good and len(set(found)) == len(found), "a list of numbers of texts, each once")
    return found


def fused(lesson: Any) -> None:
    def together(*rankings: list[int]) -> list[int]:
        found = lesson.call("fuse", *[list(each) for each in rankings])
        lesson.expect(isinstance(found, list), "a list of numbers, best first")
        everyone = {number for each in rankings for number in each}
        lesson.expect(
            sorted(found) == sorted(everyone),
            "each number that stands in any of them, once",
            "what one way alone finds counts",
        )
        return found

    numbers = dice.sample(range(100), 9)
    a, b, c, d, e = numbers[:5]
    with lesson.case("one ranking alone stays as it is", "there is nothing to weigh it against"):
        lesson.expect(together(numbers) == numbers, f"{numbers}", "there is nothing to weigh it against")
        lesson.expect(together(numbers, []) == numbers, f"{numbers}", "where meaning finds nothing, words decide")
    with lesson.case("what both find comes before what one finds", "two that agree are a good sign"):
        found = together([a, b, c], [d, b, e])
        lesson.expect(found[0] == b, f"{b} first: both put it second", "two that agree are a good sign")
        found = together([*numbers[1:4], a], [*numbers[4:7], a])
        lesson.expect(
            found[0] == a,
            f"{a} first: both put it fourth",
            "1 / (60 + 4) twice is more than 1 / (60 + 1) once; without STEADY the first place would decide alone",
        )
        far = dice.sample(range(100, 400), 120)
        found = together([a, *far[:59], b], [*far[59:], b])
        lesson.expect(
            found[0] == b,
            f"{b} first: one puts it at place 61, the other at 62",
            "1 / (60 + 61) and 1 / (60 + 62) are more than 1 / (60 + 1) once: the first place is 1",
            got=f"{found[:3]} first",
        )
    with lesson.case("many rankings, in the order of their sums", "each way has its say"):
        for _ in range(6):
            rankings = [dice.sample(range(30), dice.randrange(3, 14)) for _ in range(dice.randrange(2, 5))]
            found, sums = together(*rankings), sums_of(rankings)
            for better, worse in zip(found, found[1:], strict=False):
                lesson.expect(
                    sums[better] >= sums[worse] - 1e-12,
                    f"{worse} before {better}",
                    f"its sum is {sums[worse]:.5f}, and that of {better} {sums[better]:.5f}",
                )


def sums_of(rankings: list[list[int]]) -> dict[int, float]:
    sums: dict[int, float] = {}
    for each in rankings:
        for place, number in enumerate(each, 1):
            sums[number] = sums.get(number, 0.0) + 1 / (STEADY + place)
    return sums


def both_ways(lesson: Any) -> str:
    """Real texts and real vectors: where the answer stands by words, by meaning, and fused."""
    given = json.loads(GIVEN.read_text(encoding="utf-8"))
    lines = ["Where the right text stands, of ten: by words, by meaning, fused:"]
    for question in given["questions"]:
        words = lesson.call("by_words", question["text"], given["texts"], shown="by_words(question, texts)")
        meaning = lesson.call("by_meaning", question["vector"], given["vectors"], shown="by_meaning(...)")
        right = question["answer"]
        places = [
            each.index(right) + 1 if right in each else "-"
            for each in (words, meaning, lesson.call("fuse", words, meaning))
        ]
        lines.append("".join(f"{place:>4}" for place in places) + f"   {question['text']}")
    return "\n".join(lines)


def a_librarian(lesson: Any) -> None:
    """Pages that nobody has seen, a question, and the built-in model behind the learner's own parts."""
    root, answers = lesson.work / "docs", {word(): (word(), dice.randrange(11, 99)) for _ in range(8)}
    for number, (thing, (how, drops)) in enumerate(answers.items()):
        page = root / f"{'guide' if number % 2 else 'notes'}" / f"{thing}.md"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(
            f"# The {thing}\n\nA {thing} is kept in a dry place.\n\n## Cleaning the {thing}\n\n"
            f"Take {drops} drops of {how}, and a soft cloth.\n\n## Storing the {thing}\n\nBelow {drops + 7} degrees.\n",
            encoding="utf-8",
        )
    thing, (how, drops) = dice.choice(list(answers.items()))
    began, turns = time.monotonic(), []

    def ask(messages: list[dict[str, Any]], menu: list[dict[str, Any]]) -> dict[str, Any]:
        asked = time.monotonic() - began
        heard(turns, messages, asked)
        reply = lesson.ask_walk("built_in", messages=messages, tools=menu)
        sent = copy.deepcopy(messages)
        times = {"at": asked, "replied_at": time.monotonic() - began}
        turns.append({**times, "sent": sent, "tools": menu, "reply": reply, "calls": []})
        return reply

    question = f"How do you clean the {thing}?"
    with lesson.case("for real: your librarian answers from pages that nobody has seen", "this is what it is for"):
        answer = lesson.run(LIBRARIAN, ask=ask, question=question, root=str(root))
        shown = {"called": f"librarian(ask, {question!r}, {len(answers)} pages)", "got": answer}
        lesson.expect(f"{drops} drops of {how}" in answer, f"{drops} drops of {how}: it stands in the pages", **shown)
        place = f"{thing}.md#cleaning-the-{thing}"
        lesson.expect(place in answer, f"Source: .../{place}", "an answer that says where it stands", **shown)
        who = done_by("The given library.py", "the built-in model", f"What it searches with is {lesson.file}.")
        lesson.recording = {"prompt": question, "answer": answer, "turns": turns, **who}
        lesson.picture.append(story(question, turns, answer))


def heard(turns: list[dict[str, Any]], messages: list[dict[str, Any]], now: float) -> None:
    """Note at the turn before what its calls gave: a request brings the results."""
    if not turns:
        return
    results = {each["tool_call_id"]: each["content"] for each in messages if each["role"] == "tool"}
    turns[-1]["calls"] = [
        {
            "id": call["id"],
            "start": turns[-1]["replied_at"],
            "end": now,
            "content": results[call["id"]],
            "ok": not results[call["id"]].startswith("Error: "),
        }
        for call in turns[-1]["reply"].get("tool_calls") or ()
    ]


def story(question: str, turns: list[dict[str, Any]], answer: str) -> str:
    calls = [call["function"] for turn in turns for call in turn["reply"].get("tool_calls") or ()]
    return "\n".join(
        [
            "A librarian made of your parts, with the built-in model:",
            f"question   {question}",
            *(f"call       {call['name']} {call['arguments']}" for call in calls),
            *answer.split("\n"),
            "",
            'Now over your own: python -m lessons ask path/to/your/docs "a question"',
        ]
    )
