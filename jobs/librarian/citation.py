"""A gate: an answer names where it is from, and what it names and quotes is there and was read in this run. And what
comes of it: how an answer is to be taken, and the sources that hold."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from agent.contracts import Reply, ToolCall
from agent.gates import Gate
from agent.run import Run
from jobs.first_look import COMMON
from jobs.librarian.citing import (
    FORGED,
    INVENTED,
    Cited,
    Seen,
    cited,
    endpoint_of,
    invented,
    objection,
    problem,
    seen_in,
)
from jobs.librarian.tools.read_file import place_of

ENOUGH = "not run: {most} calls are allowed for a question, and they are used. Answer from what you have seen"
SILENT = ("no answer", "do not know", "don't know", "cannot answer", "can't answer", "not find", "found nothing")
MOST_WORDS = 0.5  # of an answer's, that must stand in the places that it has its source from
SOME_WORDS = 0.25  # that must where all its exact names do
MOST_PLACES, MORE = 3, 0.2  # such places; the share of the words that each adds
# Numbers that are none of the text's: of a list, or of the line that a thing stands in.
NUMBERED = re.compile(r"^[ \t]*\d+[.)]|\blines? \d+(?:(?: ?- ?| to | and )\d+)?", re.MULTILINE | re.IGNORECASE)
EXACT = re.compile(r"`[^`\s]+`|\b\w*[a-z0-9]_\w+\b|\b[A-Z][a-z]+[A-Z]\w+|(?<![\w.])\d+(?:\.\d+)?(?![\w.]*\w)")
HEDGED = ("not sure", "unsure", "not certain", "gave no answer")


class Citation(Gate):
    """The model is told once what is wrong with its sources; after that the answer is taken with a warning."""

    def __init__(self, most_calls: int) -> None:
        self._most_calls = most_calls
        self._told = False

    def action(self, call: ToolCall, run: Run) -> str | None:
        """Several calls in one turn may go beyond the limit that the turn began below: those are not run."""
        earlier = sum(entry["status"] != "called" for entry in run.trajectory)
        waiting = [entry["id"] for entry in run.trajectory if entry["status"] == "called"]
        place = earlier + (waiting.index(call.id) if call.id in waiting else 0)
        return ENOUGH.format(most=self._most_calls) if place >= self._most_calls else None

    def reply(self, reply: Reply, run: Run, *, last: bool) -> str | None:
        if reply.calls and not last:
            return None
        due = last and bool(run.answer_due)
        if due and run.partial_answer == run.answer_due:
            return None  # nothing is said: what was found is the answer, and names its source
        split = cited(run.partial_answer if due else reply.text, seen_by(run))
        if not split.sources and _says(split.answer, SILENT + HEDGED, run):
            return None  # it says that it has none
        wrong = wrong_with(split, run)
        if not wrong:
            return None
        if last and not split.sources and (place := rests_on(split, run)):
            run.notice(f"The answer names no source; most of its words stand in {place}.")
            run.partial_answer = f"{split.answer}\n\nSource: {place}"
            return None
        if last or self._told:
            run.warn(f"The source was not confirmed. In the words for the model: {wrong}")
            return None
        self._told = True
        run.notice("The source does not hold; the model is told so.")
        return f"Your answer was not taken. {wrong} Then answer again, whole."


def wrong_with(split: Cited, run: Run) -> str:
    """Why an answer's sources and quotations do not hold, as a sentence to the model; "" when they do."""
    told = objection(split.sources, seen_by(run), run.root)
    if split.forged:
        told += f" {FORGED.format(line=split.forged)}"
    if words := _invented(split, run):
        told += f" {INVENTED.format(words=words)}"
    return told.strip()


def rests_on(split: Cited, run: Run) -> str:
    """The places that were read, or endpoints that were asked, where an answer has it from: those that hold what it
    adds to its question, all of its exact names and figures where it has such, else most of its words; and those whose
    files it or the question names. "" where nothing holds that, or the answer quotes what is in none."""
    shown: dict[str, str] = {}
    for entry in run.trajectory:
        if entry["status"] == "completed" and (place := place_asked(entry["name"], entry["arguments"])):
            shown[place] = f"{shown.get(place, '')} {entry['result']}".lower()
    answer, asked = split.answer.lower(), run.prompt.lower()
    files = {place: place_of(place)[0].lower() for place in shown}
    added = _words(answer) - _words(asked) - COMMON
    words = {word for word in added if len(word) > 2 or word.isdigit()} or _words(answer)
    exact = {name.strip("`").lower() for name in EXACT.findall(NUMBERED.sub("", split.answer).replace("()", ""))}
    exact = {name for name in exact if name not in asked and name not in files.values()}
    in_words = {place: words & _words(text) for place, text in shown.items()}
    if exact:
        held = {place: {name for name in exact if name in text} for place, text in shown.items()}
        holding = _together(held, exact, 1)
        enough = len(words & {word for place in holding for word in in_words[place]}) >= SOME_WORDS * len(words)
    else:
        holding = _together(in_words, words, MOST_WORDS)
        enough = bool(holding)
    if not (holding and enough) or _invented(split, run):
        return ""
    named = [place for place in shown if files[place] in answer or files[place] in asked]
    return ", ".join(dict.fromkeys([*holding, *named]))


def _together(held: Mapping[str, set[str]], wanted: set[str], least: float) -> list[str]:
    """The few places that hold this share of what is wanted between them, each a part of its own; [] if none do."""
    chosen: list[str] = []
    left = set(wanted)
    while left and len(chosen) < MOST_PLACES:
        best = max(held, key=lambda place: len(held[place] & left), default="")
        if not best or len(held[best] & left) < max(1, MORE * len(wanted)):
            break
        chosen.append(best)
        left -= held[best]
    return chosen if len(wanted) - len(left) >= least * len(wanted) else []


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))


def place_asked(name: str, arguments: Any) -> str:
    """A call's place as an answer names its source; "" of one that reads no place."""
    if name == "query_api":
        return endpoint_of(arguments["method"], arguments["path"])
    return str(arguments["path"]) if name == "read_file" else ""


def taken(split: Cited, run: Run) -> tuple[str, tuple[str, ...]]:
    """How an answer is to be taken, and the sources of it that hold: `answered` with all of them and no doubt,
    `refused` where it says that it has none, else `unsure`. An answer that quotes what was not read has no source."""
    seen = seen_by(run)
    holding = tuple(source for source in split.sources if not problem(source, seen, run.root))
    if not split.sources and _says(split.answer, SILENT, run):
        return "refused", ()
    if not holding or _invented(split, run):
        return "unsure", ()
    doubt = wrong_with(split, run) or _says(split.answer.partition("\n")[0], HEDGED + SILENT, run)
    return ("unsure" if doubt else "answered"), holding


def seen_by(run: Run) -> Seen:
    """What the calls of a run showed, by their tools' own account."""
    return seen_in(place for drawn in run.drawn for place in drawn)


def _invented(split: Cited, run: Run) -> str:
    read = (str(entry["result"]) for entry in run.trajectory if entry["status"] == "completed")
    return invented(split.answer, (run.prompt, *read))


def _says(text: str, words: tuple[str, ...], run: Run) -> bool:
    """Whether a text says one of these that its question does not: who asks what gives no answer is told of that."""
    return any(each in text.lower() and each not in run.prompt.lower() for each in words)
