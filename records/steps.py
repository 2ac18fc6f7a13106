"""The steps of a run, as its page counts them: what was said, what the model replied, each call, each notice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from agent.contracts import NOTE

PERSON, GLASSBOX, MODEL, CALL, NOTICE = "person", "glassbox", "model", "call", "notice"


@dataclass(frozen=True)
class Step:
    """`turn` is the last that had begun, 0 before the first. `calls` is how many of its calls had been asked for up to
    here, this one included."""

    kind: str
    turn: int
    text: str
    calls: int = 0


def steps_of(events: Iterable[Mapping[str, Any]]) -> list[Step]:
    """The steps in their order. records/trace.html counts the same, and a test compares the two."""
    steps: list[Step] = []
    turn, asked, model = 0, 0, -1
    for event in events:
        kind = event["kind"]
        if kind == "asking":
            turn, asked, model = int(event["turn"]), 0, len(steps)
            steps.append(Step(MODEL, turn, "was cut off here"))
        elif kind == "message" and not event.get("only_sent"):
            text = said(event["message"])
            if text is not None:
                steps.append(Step(GLASSBOX if text.startswith(NOTE) else PERSON, turn, text, asked))
        elif kind == "replied" and model >= 0:  # else the line that asked is lost
            steps[model] = Step(MODEL, turn, str(event["text"]))
            for asked, call in enumerate(event["calls"], 1):
                steps.append(Step(CALL, turn, str(call["name"]), asked))
        elif kind in ("notice", "error"):
            steps.append(Step(NOTICE, turn, str(event["text"]), asked))
    return steps


def first_line(events: Iterable[Mapping[str, Any]]) -> Mapping[str, Any]:
    """What a run's record begins with: the prompt, the settings, what it is a fork of. Empty where it has none."""
    return next((event for event in events if event["kind"] == "run"), {})


def forked_from(run: Mapping[str, Any]) -> str:
    """The name of the run that this one was forked from, or ""; `run` as records/page.py's `run_data` has it."""
    return str((first_line(run["events"]).get("forked") or {}).get("from", ""))


def said(message: Mapping[str, Any]) -> str | None:
    """The text of a message in the person's role, on either wire; None for any other, and for one with results."""
    if message.get("role") in ("system", "assistant", "model", "tool"):
        return None
    if any("functionResponse" in part for part in message.get("parts") or ()):
        return None
    return text_of(message)


def text_of(message: Mapping[str, Any]) -> str:
    """The text of a message of either wire; "" for one that carries results."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    texts = (part.get("text") for part in message.get("parts") or content or () if isinstance(part, dict))
    return "".join(text for text in texts if isinstance(text, str))
