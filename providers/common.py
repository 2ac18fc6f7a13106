"""What both wires share beside their loops: results and calls that stand in text, and texts that no wire can carry."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from agent.contracts import TEXT_RESULTS, Reply, TokenUsage, ToolCall, ToolResult, is_cut

if TYPE_CHECKING:
    from agent.run import Run

OPEN, CLOSE = "<think", "</think"
EMPTY = "(empty)"  # a model's message without anything is refused by some prompt templates
HINT = re.compile(r"<[|｜]|</?[\w:]*(?:think|tool|func|invoke)|\[T(?:OOL|HINK)|functools\[", re.IGNORECASE)
MOST_CALLS = 128  # of one reply; what is more is no plan
LONGEST_NAME = 1_000  # characters of a call's name; no tool has such a one
REPEATED = 2_000  # characters at a text's end that are one piece, said at least four times over
NEARLY, NEW = 6_000, 0.08  # characters at a text's end that pack into so small a share of them: hardly a word is new
MOST_TOKENS = 10**15  # that a server can have counted

Message = dict[str, Any]


def reply_of(
    text: str, calls: Sequence[ToolCall], usage: TokenUsage, finish_reason: str, message: Message, run: Run, fault: str
) -> Reply:
    """Return a reply, with the calls that stand in its text where it came with none. They stay text in the history."""
    if not HINT.search(text) and not any(name in text for name in run.catalogue):
        return Reply(text.strip(), tuple(calls), usage, finish_reason, message, "" if calls else fault)
    from providers.enforced import UNREAD, UNREAD_AND_CUT
    from providers.text_calls import text_calls

    found = text_calls(text, run.catalogue)
    last = len(found.calls) if is_cut(finish_reason) else 0
    calls = calls or [
        ToolCall(f"text_{run.turns}_{number}", name, arguments, as_text=True, cut=number == last)
        for number, (name, arguments) in enumerate(found.calls, 1)
    ]
    if found.unread:
        fault = UNREAD_AND_CUT if is_cut(finish_reason) else UNREAD
    return Reply(found.said, tuple(calls), usage, finish_reason, message, "" if calls else fault)


class Thoughts:
    """The characters that a model has thought in one reply: beside its text, or in a block that its text begins with.
    Raises Passing at the one that is too many (0 is no limit), and where they say the same again and again; `repeats`
    tells that the text does. Seen with Qwen2.5-Coder 1.5B, which went on for seven minutes, and for five with another
    word in each round."""

    def __init__(self, most: int, run: Run) -> None:
        self._most, self._run = most, run
        self._thought, self._begun, self._end = 0, "", ""
        self._last, self._new, self.repeats = "", 0, False

    def add(self, piece: str) -> None:
        self._thought += len(piece)
        too_long = 0 < self._most < self._thought
        if too_long or self._says_the_same(piece):
            from providers.enforced import thought_too_long

            raise thought_too_long(self._run, self._most if too_long else self._thought)

    def add_text(self, piece: str) -> None:
        if len(self._begun) < len(OPEN):
            self._begun = (self._begun + piece).lstrip()
        if self._begun.startswith(OPEN) and CLOSE not in self._end:
            self._end = (self._end + piece)[-len(CLOSE) - len(piece) :]
            self.add(piece)
        else:
            self.repeats = self.repeats or self._says_the_same(piece)

    def _says_the_same(self, piece: str) -> bool:
        """Looked at four times in so many characters: a piece of the text is a few of them."""
        self._last, self._new = (self._last + piece)[-NEARLY:], self._new + len(piece)
        if self._new < REPEATED // 4 or len(self._last) < REPEATED:
            return False
        self._new = 0
        return period(self._last) > 0 or nothing_new(self._last)


def period(text: str) -> int:
    """After how many characters the end of a text begins anew, the last REPEATED of them over; 0 where it does not."""
    end = text[-REPEATED:]
    found = end.rfind(end[-60:], 0, -1)
    back = len(end) - 60 - found
    return back if found >= 0 and 4 * back <= len(end) and end[back:] == end[:-back] else 0


def nothing_new(text: str) -> bool:
    """Whether the last NEARLY characters of a text say the same with a word changed here and there. Documents and data
    do not: the most monotonous of this repository's pack into 0.087."""
    end = text[-NEARLY:].encode(errors="replace")
    return len(text) >= NEARLY and len(zlib.compress(end)) < NEW * len(end)


def said_once(text: str, run: Run) -> str:
    """A text that was stopped because it says the same again and again, with that said once."""
    run.notice("The model says the same again and again; its reply was stopped there.")
    back, last = period(text), len(text) - 1
    while back and last >= back and text[last] == text[last - back]:
        last -= 1
    return text[: last + 1]


def minted(ids: Sequence[str], turn: int) -> list[str]:
    """The ids of a reply's calls: those that are missing or stand twice are made, and are like no other."""
    unique: list[str] = []
    for number, id in enumerate(ids, 1):
        made = f"call_{turn}_{number}"
        while not id or id in unique:
            id, made = (made if made not in ids else ""), f"{made}_"
        unique.append(id)
    return unique


def too_many(calls: Sequence[Any]) -> str:
    """What the model is told of a reply with more calls than any reply needs; "" for any other."""
    if len(calls) <= MOST_CALLS:
        return ""
    from providers.enforced import TOO_MANY

    return TOO_MANY.format(count=len(calls), most=MOST_CALLS)


def tokens(counted: Any) -> int | None:
    """A number of tokens as a server says it; None for what is none."""
    plausible = isinstance(counted, int) and not isinstance(counted, bool) and 0 <= counted < MOST_TOKENS
    return counted if plausible else None


def result_texts(results: Sequence[ToolResult], remark: str) -> list[str]:
    """The contents of a turn's results as they can be sent; a remark follows the last."""
    contents = [encodable(result.content) for result in results]
    if remark:
        contents[-1] = f"{contents[-1]}\n\n{remark}"
    return contents


def text_results(results: Sequence[ToolResult], contents: Sequence[str]) -> str:
    named = [f"{result.call.name}:\n{content}" for result, content in zip(results, contents, strict=True)]
    return "\n\n".join([TEXT_RESULTS, *named])


def encodable(text: str) -> str:
    """Replace lone surrogates, which JSON can spell and UTF-8 cannot carry. Two that came in two pieces of a reply are
    one character: servers that count as JavaScript does cut there (openclaw#115536)."""
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    return whole.encode("utf-8", "replace").decode("utf-8")


def native(entry: Mapping[str, Any], wire: str, calls_in: Callable[[Message], Any]) -> Message | None:
    """The message as it came over this wire; None when it came over another, or holds other calls than were made."""
    kept = entry.get("native") or {}
    message: Message | None = kept["message"] if kept.get("wire") == wire else None
    return message if message and len(calls_in(message) or ()) == len(entry["calls"]) else None
