"""A gate: an answer names where it is from, and what it names is there and was read or called in this run."""

from __future__ import annotations

from agent.contracts import Reply, ToolCall
from agent.gates import Gate
from agent.run import Run
from jobs.librarian.citing import Seen, cited, objection, seen_in

ENOUGH = "not run: {most} calls are allowed for a question, and they are used. Answer from what you have seen"
UNSURE = ("not sure", "no answer", "do not know", "don't know", "cannot answer", "can't answer", "not find")


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
        split = cited(reply.text)
        if not split.sources and any(words in split.answer.lower() for words in UNSURE):
            return None  # it says that it has none
        wrong = objection(split.sources, seen_by(run), run.root)
        if not wrong:
            return None
        if last or self._told:
            run.warn(f"The source was not confirmed: {wrong}")
            return None
        self._told = True
        run.notice("The source does not hold; the model is told so.")
        return f"Your answer was not taken. {wrong} Then answer again, whole."


def seen_by(run: Run) -> Seen:
    """What the calls of a run showed, by their tools' own account."""
    return seen_in(place for drawn in run.drawn for place in drawn)
