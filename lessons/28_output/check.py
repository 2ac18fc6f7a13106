"""Lesson 28: answers that fit a schema and those that do not, in every way; models that are cut off or refuse."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

NEEDS = ("openai", "google.genai")
Schema = dict[str, Any]
ANSWER = """
try:
    result = {"value": module.answer(ask, messages, schema, wrong)}
except ValueError as error:
    result = {"raised": str(error)}
result["messages"] = messages
"""
OTHERS = {  # what is of no such type
    "string": (5, True, None, ["a"], {"a": 1}),
    "integer": ("5", True, False, None, 5.5, [5]),
    "boolean": ("true", 1, 0, None),
    "array": ("a, b", 5, None, {"a": 1}, True),
}
MISSING = ("miss", "lack", "absent", "not ", "n't", "no ", "without", "need", "requir", "omit", "left out", "gone")
TOLD = "from it the model knows what to write instead"


def check(lesson: Any) -> None:
    fresh = lesson.fresh
    real = lesson.real("FIRST_IN_WORDS")

    def judge(data: Any, schema: Schema, *parts: str, raw: str | None = None) -> None:
        """The sentence on an answer holds these parts; without any, there is none."""
        text = raw if raw is not None else json.dumps(data, ensure_ascii=False)
        shown = f"problem({text!r}, a schema of {', '.join(schema['properties'])})"
        said = lesson.call("problem", text, schema, shown=shown)
        lesson.expect(isinstance(said, str), "text", "it is a sentence, or empty")
        if not parts:
            lesson.expect(said == "", "'': it fits", "a good answer that is refused costs a request")
            return
        wanted = f"a sentence with {', '.join(map(repr, parts))} in it"
        lesson.expect(said != "", wanted)
        lesson.expect(all(part in said for part in parts), wanted, TOLD)

    with lesson.case("an answer that fits", "nothing is wrong with it"):
        for _ in range(4):
            schema = new_schema(fresh)
            judge(fits(fresh, schema), schema)
            judge(None, schema, raw=json.dumps(fits(fresh, schema), indent=2))
            empty = {"string": "", "integer": 0, "boolean": False, "array": []}
            plain = {name: field["type"] for name, field in schema["properties"].items() if "enum" not in field}
            judge(fits(fresh, schema) | {name: empty[kind] for name, kind in plain.items()}, schema)
    with lesson.case("no JSON, or no object", "nobody has forced it into anything"):
        for raw in (fresh.sentence(), "", '{"file": "main.py", "line"', "[1, 2]", "5", '"text"', "null"):
            judge(None, new_schema(fresh), "JSON", raw=raw)
    with lesson.case("a field is missing", "what is not there your program would look for"):
        for name in (schema := new_schema(fresh))["properties"]:
            data = fits(fresh, schema)
            del data[name]
            judge(data, schema, name)
            said = lesson.call(
                "problem", json.dumps(data), schema, shown=f"problem(an answer without {name}, its schema)"
            )
            right = any(word in said.lower().replace(name, "") for word in MISSING)
            lesson.expect(right, f"a sentence that says that it is missing: '{name} is missing'", TOLD)
    with lesson.case("a field of another type", "in Python, True is an int"):
        for kind, values in OTHERS.items():
            for value in values:
                schema = new_schema(fresh)
                plain = {name: field["type"] for name, field in schema["properties"].items() if "enum" not in field}
                name = next(name for name, each in plain.items() if each == kind)
                judge({**fits(fresh, schema), name: value}, schema, name, *([] if real else [kind]))
    with lesson.case("a choice that there is not", "the right type, and still no choice"):
        for _ in range(2):
            schema = new_schema(fresh)
            for name, field in schema["properties"].items():
                if "enum" in field:
                    other = max(field["enum"]) + 1 if field["type"] == "integer" else fresh.word()
                    judge({**fits(fresh, schema), name: other}, schema, name, *map(str, field["enum"]))
                    if field["type"] == "string" and not real:
                        written = lesson.call(
                            "problem", json.dumps(fits(fresh, schema) | {name: field["enum"][0].upper()}), schema
                        )
                        lesson.expect(name in written, f"a sentence with {name!r} in it", "a choice counts as written")
    requests(lesson, real)
    if lesson.holds:
        for_real(lesson)


def requests(lesson: Any, real: Any) -> None:
    fresh = lesson.fresh

    def play(replies: Sequence[Any], schema: Schema, what: str, wrong: Any = lambda data: "") -> tuple[Any, list[Any]]:
        """What answer() comes to, and the messages of each request. A reply is data, or one that is told whole."""
        left, heard, judged = [reply(each) for each in replies], [], []
        messages = [{"role": "system", "content": fresh.sentence()}, {"role": "user", "content": fresh.sentence()}]

        def ask(messages: Any, held: Any) -> Any:
            heard.append((messages, held))
            if not left:
                raise RuntimeError(f"it was asked {len(heard)} times: {len(replies)} attempts were all")
            return left.pop(0)

        def look(data: Any) -> str:
            judged.append(data)
            return str(wrong(data))

        shown = f"answer(ask, messages, a schema, wrong), where the model {what}"
        said = lesson.run(ANSWER, shown=shown, ask=ask, messages=messages, schema=schema, wrong=look)
        why = "it is your record of the conversation"
        lesson.expect(said.pop("messages") == messages, "the list that came in as it was", why, got="another")
        for number, (_, held) in enumerate(heard):
            if not real or number:
                told = held if isinstance(held, dict) else {}
                asked = told.get("json_schema", {}).get("schema", {})
                right = told.get("type") == "json_schema" and asked.get("properties") == schema["properties"]
                why = "without it the model writes what it likes"
                lesson.expect(right, "response_format(schema) beside each request", why, got=lesson.show(held))
        why = "wrong() looks at data of the right shape: it has no words for another"
        odd = [data for data in judged if not isinstance(data, dict) or data.keys() != schema["properties"].keys()]
        lesson.expect(not odd, "wrong() called with whole answers alone", why, got=lesson.show(odd))
        begins = [sent[: len(messages)] == messages for sent, _ in heard]
        lesson.expect(all(begins), "the messages, at the beginning of each request", "that is the task", got="others")
        return said, [sent[len(messages) :] for sent, _ in heard]

    def value(said: Any, wanted: Any, sent: list[Any], count: int) -> None:
        lesson.expect(said.get("value") == wanted, lesson.show(wanted), "that is the answer", got=lesson.show(said))
        lesson.expect(len(sent) == count, f"{count} requests", "it fits: no other is needed", got=f"{len(sent)}")

    def told(said: Any, sent: list[Any], text: str, part: str) -> None:
        """The second request holds what was answered, and a sentence on it."""
        lesson.expect(len(sent) == 2, "2 requests", "one more attempt", got=f"{len(sent)}, then {said}")
        roles = [each.get("role") for each in sent[1]]
        lesson.expect(
            roles == ["assistant", "user"], "the answer, and then your sentence, behind the messages", TOLD, str(roles)
        )
        lesson.expect(sent[1][0]["content"] == text, f"its own answer: {text!r}", TOLD, got=sent[1][0]["content"])
        words = sent[1][1]["content"]
        lesson.expect(part in words, f"a sentence with {part!r} in it", TOLD, got=words)
        if not real:
            again = lesson.run("result = getattr(module, 'AGAIN', '')")
            right = all(piece.strip() in words for piece in again.split("{problem}"))
            lesson.expect(right, f"AGAIN, filled in: {again!r}", "it asks for the whole object once more", got=words)

    with lesson.case("it fits at once: one request", "and the dictionary is your answer"):
        for _ in range(2):
            schema = new_schema(fresh)
            data = fits(fresh, schema)
            said, sent = play([data], schema, "answers rightly")
            value(said, data, sent, 1)
    with lesson.case("once more, with a sentence that says what was wrong", TOLD):
        for count in range(3):
            schema = new_schema(fresh)
            name, data = fresh.choice(list(schema["properties"])), fits(fresh, schema)
            bad = ("", fresh.sentence(), {key: each for key, each in data.items() if key != name})[count]
            said, sent = play([bad, data], schema, "answers rightly at the second attempt")
            told(said, sent, reply(bad)["text"], "JSON" if count < 2 else name)
            value(said, data, sent, 2)
    with lesson.case("the right shape, and a wrong value", "a schema does not know how long your file is"):
        for _ in range(2):
            schema, sentence = new_schema(fresh), fresh.sentence()
            first, second = fits(fresh, schema), fits(fresh, schema)
            said, sent = play(
                [first, second], schema, "is wrong at first", lambda data: sentence if data == first else ""
            )
            told(said, sent, reply(first)["text"], sentence)
            value(said, second, sent, 2)
    with lesson.case("cut off by the token limit", "the end of it is missing, not its form"):
        for most in (fresh.randint(9, 30), *([] if real else [None])):
            schema = new_schema(fresh)
            data = fits(fresh, schema)
            cut = {"text": json.dumps(data)[:most], "finish_reason": "length", "refusal": None}
            said, sent = play([cut, data], schema, "is cut off")
            told(said, sent, cut["text"], "JSON" if real else lesson.run("result = module.CUT"))
            value(said, data, sent, 2)
    with lesson.case("two attempts, and an end that says why", "a loop without an end is a bill without one"):
        for _ in range(2):
            schema = new_schema(fresh)
            names, data = list(schema["properties"]), fits(fresh, schema)
            bad = [{key: each for key, each in data.items() if key != name} for name in (names[0], names[-1])]
            said, sent = play(bad, schema, "never answers rightly")
            got = f"returned {lesson.show(said.get('value'))}"
            lesson.expect("raised" in said, "ValueError is raised", "what does not fit is no answer", got=got)
            lesson.expect(names[-1] in said["raised"], f"with the last problem: {names[-1]!r}", "", got=said["raised"])
            if not real:
                lesson.expect("2" in said["raised"], "and with 2, the number of attempts", got=said["raised"])
            told(said, sent, json.dumps(bad[0], ensure_ascii=False), names[0])
            sentence = fresh.sentence()
            said, _ = play([data, data], schema, "is wrong twice", lambda data, sentence=sentence: sentence)
            lesson.expect(sentence in said.get("raised", ""), f"ValueError with {sentence!r}", got=lesson.show(said))
        if not real:
            lesson.put(ATTEMPTS=5)
            names = list((schema := new_schema(fresh))["properties"])
            said, sent = play([fits(fresh, schema) | {names[0]: {}}] * 5, schema, "never fits, with ATTEMPTS = 5")
            right = len(sent) == 5 and "5" in said.get("raised", "")
            lesson.expect(right, "5 requests, and ValueError", "ATTEMPTS says how many", f"{len(sent)}: {said}")
            lesson.expect(len(sent[-1]) == 8, "all that was said before, in the last", TOLD, got=f"{len(sent[-1])}")
            lesson.put(ATTEMPTS=2)
    if real:
        lesson.skip("a refusal", "the real agent takes it for a reply without text")
        return
    with lesson.case("a refusal is an answer", "asked again, it is the same"):
        for count in range(2):
            schema, refusal = new_schema(fresh), fresh.sentence()
            text = json.dumps(fits(fresh, schema)) if count else ""
            refused = {"text": text, "finish_reason": "stop", "refusal": refusal}
            said, sent = play([*[{}] * count, refused, fits(fresh, schema)], schema, "refuses")
            lesson.expect(len(sent) == count + 1, "no request after it", got=f"{len(sent)} requests")
            right = refusal in said.get("raised", "")
            lesson.expect(right, f"ValueError with {refusal!r}", "a person must know why", got=lesson.show(said))
            advice = lesson.run("result = getattr(module, 'GIVEN_UP', '')").rpartition("}")[2].strip(" .")
            right = not advice or advice not in said["raised"]
            why = "to ask for less does not change it"
            lesson.expect(right, "its text, not the end of an answer that did not fit", why, got=said["raised"])


def reply(said: Any) -> dict[str, Any]:
    if isinstance(said, dict) and "finish_reason" in said:
        return said
    text = said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)
    return {"text": text, "finish_reason": "stop", "refusal": None}


def new_schema(fresh: Any) -> Schema:
    """A field of each kind, and two with choices, in any order."""
    low = fresh.randint(1, 50)
    kinds: list[dict[str, Any]] = [
        *({"type": kind} for kind in OTHERS),
        {"type": "string", "enum": [f"{word}_\u00fc" for word in fresh.words(fresh.randint(2, 4))]},
        {"type": "integer", "enum": [low, low + 1, low + 7]},
    ]
    kinds = [kind | {"items": {"type": "string"}} if kind["type"] == "array" else kind for kind in kinds]
    fresh.shuffle(kinds)
    properties = {fresh.word(): kind for kind in kinds}
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def fits(fresh: Any, schema: Schema) -> dict[str, Any]:
    made = {
        "string": fresh.sentence,
        "integer": lambda: fresh.randint(-9, 999),
        "boolean": lambda: fresh.random() < 0.5,
        "array": lambda: fresh.words(fresh.randint(0, 3)),
    }
    return {
        name: fresh.choice(field["enum"]) if "enum" in field else made[field["type"]]()
        for name, field in schema["properties"].items()
    }


BUG = {
    "type": "object",
    "properties": {
        "file": {"type": "string"},
        "line": {"type": "integer"},
        "kind": {"type": "string", "enum": ["syntax", "logic"]},
    },
    "required": ["file", "line", "kind"],
    "additionalProperties": False,
}


def for_real(lesson: Any) -> None:
    """Over HTTP: a model that knows the shape and not the file, and the same request on Gemini's wire."""
    replies = [{"file": "main.py", "line": 99, "kind": "logic"}, {"file": "main.py", "line": 11, "kind": "logic"}]
    bodies: list[Any] = []
    with lesson.case("for real: over HTTP", "the request is as OpenAI's SDK sends it"):

        def ask(messages: Any, held: Any) -> dict[str, Any]:
            text = json.dumps(replies[len(bodies)])
            heard = lesson.ask_walk("openai", messages=messages, replies=[{"text": text}], response_format=held)
            bodies.extend(heard["requests"])
            return {"text": heard["reply"]["content"], "finish_reason": "stop", "refusal": None}

        def wrong(data: Any) -> str:
            return "" if data["line"] <= 40 else f"main.py has 40 lines, and no line {data['line']}"

        messages = [{"role": "user", "content": "Where is the bug?"}]
        shown = "answer(ask, messages, schema, wrong), over HTTP"
        said = lesson.run(ANSWER, shown=shown, ask=ask, messages=messages, schema=BUG, wrong=wrong)
        lesson.expect(said.get("value") == replies[1], lesson.show(replies[1]), "the line that there is")
        lesson.expect(len(bodies) == 2, "2 requests", "main.py has 40 lines", got=str(len(bodies)))
        contents = [{"role": "user", "parts": [{"text": "Where is the bug?"}]}]
        config = {"response_mime_type": "application/json", "response_json_schema": BUG}
        google = lesson.ask_walk("gemini", contents=contents, replies=[{"text": "{}"}], config=config)
    if not lesson.holds:
        return
    lines = [f"{each['role']:10}{each['content'][:130]}" for each in bodies[-1]["messages"]]
    lines += [f"returned  {json.dumps(said['value'])}", "", "Beside the messages, on OpenAI's wire:"]
    lines += [json.dumps(bodies[-1]["response_format"]), "", "The same on Gemini's:"]
    lesson.picture.append("\n".join([*lines, json.dumps(google["requests"][0]["generationConfig"])]))
