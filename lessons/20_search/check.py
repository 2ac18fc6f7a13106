"""Lesson 20: texts made of new words each time, in which one thing differs; then a librarian of the learner's parts."""

from __future__ import annotations

import copy
import json
import math
import random
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from lessons.recorded import done_by

NEEDS = ("openai", "offline.wire.server")
GIVEN = Path(__file__).with_name("vectors.json")
K, B, STEADY = 1.2, 0.75, 60
CLOSE = 1.02  # for the real agent: two scores that are nearer than this may stand in either order
SAME = 1 + 1e-9  # for everybody: what floating point makes of a sum in another order
SURE = 1e-4  # by so much two scores must differ that are to tell one formula from another
MOST_DRAWS = 60  # of sixty texts, that are to tell all formulas apart; four or five will do
LENGTHS: dict[str, Any] = {  # formulas that are nearly the page's
    "with B = 0.5": {"b": 0.5},
    "with B = 1": {"b": 1},
    "with a length that counts each word once": {"length": lambda document: len(set(document))},
    "with lengths that count each word once": {
        "length": lambda document: len(set(document)),
        "average": lambda documents, *_: mean(len(set(each)) for each in documents),
    },
    "with lengths in letters": {
        "length": lambda document: len(" ".join(document)),
        "average": lambda documents, *_: mean(len(" ".join(each)) for each in documents),
    },
    "with the average of the texts that hold the word": {
        "average": lambda documents, word, _: mean(len(each) for each in documents if word in each)
    },
    "with the average of the texts that hold any": {
        "average": lambda documents, _, words: mean(len(each) for each in documents if not set(words).isdisjoint(each))
    },
}
REPEATED: dict[str, Any] = {"with K = 2": {"k": 2}, "with K = 0.8": {"k": 0.8}}
RARITIES: dict[str, Any] = {
    name: {"rarity": rarity}
    for name, rarity in {
        "without the halves": lambda count, holding: math.log(1 + (count - holding) / holding),
        "without the first half": lambda count, holding: math.log(1 + (count - holding) / (holding + 0.5)),
        "without the second half": lambda count, holding: math.log(1 + (count - holding + 0.5) / holding),
        'without "1 +"': lambda count, holding: math.log((count - holding + 0.5) / (holding + 0.5)),
        'without "1 +", 0 at least': lambda count, holding: max(0, math.log((count - holding + 0.5) / (holding + 0.5))),
        "without the logarithm": lambda count, holding: 1 + (count - holding + 0.5) / (holding + 0.5),
        "without rarity": lambda count, holding: 1,
    }.items()
}
LIBRARIAN = """
import sys
sys.modules["search"] = module
import library  # given, beside the learner's file
result = library.librarian(ask, question, root)
"""
dice = random.Random()


def word() -> str:
    return (
        "".join(dice.choices("bkmptvwz", k=2))
        + dice.choice("ao")
        + "".join(dice.choices("bkmptvwz", k=dice.randrange(3, 10)))
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
    with lesson.case("sixty texts of all lengths, in the order of BM25", "the reader looks at the first few"):
        for words, documents in telling((0.4,), LENGTHS):
            in_order(lesson, words, documents)
    if lesson.shipped:
        return  # SQLite has a rarity of its own
    with lesson.case("five words in sixty texts, in the order of BM25", "each number in the formulas has its share"):
        for words, documents in telling((0.6, 0.6, 0.2, 0.2, 0.04), LENGTHS | REPEATED | RARITIES):
            in_order(lesson, words, documents)


def in_order(lesson: Any, words: list[str], documents: list[list[str]]) -> None:
    scores = scores_of(words, documents)
    found = ranking(lesson, " ".join(words), [" ".join(each) for each in documents])
    lesson.expect(set(found) == set(scores), f"the {len(scores)} texts that hold any of them, each once")
    near = CLOSE if lesson.shipped else SAME
    for better, worse in pairs(found):
        if scores[better] * near < scores[worse]:
            sums = [f"{scores[each]:.4f} ({told(documents[each], words)})" for each in (worse, better)]
            lesson.expect(
                False,
                f"text {worse} before text {better}",
                f"its sum of rarity times part is {sums[0]}, and that of {better} only {sums[1]}",
                got=f"{better} stands before {worse}{looks_like(found, words, documents)}",
                called=f"by_words({' '.join(words)!r}, sixty texts)",
            )


def telling(shares: tuple[float, ...], others: dict[str, Any]) -> Iterator[tuple[list[str], list[list[str]]]]:
    """Words, and texts of which such a share holds each: drawn until each of the other formulas has put two texts in
    another order than the page's. What tells no more of them apart is left out."""
    left = others
    for _ in range(MOST_DRAWS):
        words, pool = [word() for _ in shares], [word() for _ in range(200)]
        documents = [several(pool, words, shares) for _ in range(60)]
        right = scores_of(words, documents)
        alike = {name: other for name, other in left.items() if not differ(right, scores_of(words, documents, **other))}
        if len(alike) < len(left):
            yield words, documents
        left = alike
        if not left:
            return


def several(pool: list[str], words: list[str], shares: tuple[float, ...]) -> list[str]:
    """A text with some of the words, once or again and again, and with another that comes again, too."""
    held = [each for each, share in zip(words, shares, strict=True) if dice.random() < share]
    known = [each for each in held for _ in range(dice.randrange(1, 7))]
    again = [dice.choice(pool)] * dice.randrange(30)
    document = [*known, *again, *dice.choices(pool, k=dice.randrange(3, 40 if held else 120))]
    dice.shuffle(document)
    return document


def scores_of(
    words: list[str],
    documents: list[list[str]],
    rarity: Callable[[int, int], float] = lambda count, holding: math.log(
        1 + (count - holding + 0.5) / (holding + 0.5)
    ),
    k: float = K,
    b: float = B,
    length: Callable[[list[str]], int] = len,
    average: Callable[[list[list[str]], str, list[str]], float] = lambda documents, *_: mean(map(len, documents)),
) -> dict[int, float]:
    """The sum of each text that holds one of the words, by the page's formulas or by others."""
    scores: dict[int, float] = {}
    for each in words:
        counts = {number: count for number, document in enumerate(documents) if (count := document.count(each))}
        usual = average(documents, each, words) if counts else 1
        for number, count in counts.items():
            part = count * (k + 1) / (count + k * (1 - b + b * length(documents[number]) / usual))
            scores[number] = scores.get(number, 0.0) + rarity(len(documents), len(counts)) * part
    return scores


def mean(numbers: Iterable[int]) -> float:
    listed = [*numbers]
    return sum(listed) / len(listed)


def differ(right: dict[int, float], other: dict[int, float]) -> bool:
    return any(
        other[better] > other[worse] + SURE and right[worse] > right[better] + SURE
        for better, worse in pairs(sorted(other, key=other.__getitem__, reverse=True))
    )


def looks_like(found: list[int], words: list[str], documents: list[list[str]]) -> str:
    """Which of the other formulas give this order."""
    names = []
    for name, other in (LENGTHS | REPEATED | RARITIES).items():
        scores = scores_of(words, documents, **other)
        if all(scores[better] > scores[worse] - 1e-9 for better, worse in pairs(found)):
            names.append(name)
    return f", as {' or '.join(names)}" if names else ""


def pairs(found: list[int]) -> Iterator[tuple[int, int]]:
    return zip(found, found[1:], strict=False)


def told(document: list[str], words: list[str]) -> str:
    return f"{' + '.join(str(document.count(each)) for each in words)} times in {len(document)} words"


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
        far = dice.sample(range(100, 400), 122)
        why = "1 / (60 + 61) + 1 / (60 + 62) is more than 1 / (60 + 1), and 1 / (60 + 62) + 1 / (60 + 63) is less"
        for place, (better, worse) in {61: (b, a), 62: (a, b)}.items():
            found = together([a, *far[: place - 2], b], [*far[place - 2 : 2 * place - 2], b])
            lesson.expect(
                found.index(better) < found.index(worse),
                f"{better} before {worse}: STEADY is 60, and the first place is 1",
                f"{a} is first once, {b} stands at place {place} and at {place + 1}: {why}",
                got=f"{worse} before {better}",
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
