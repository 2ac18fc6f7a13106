"""A conversation as a mind reads it, whichever wire it came over."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

REMARK = "[Glassbox]"  # begins a user message that the agent wrote itself: a gate's objection is no wish of a person


@dataclass(frozen=True)
class Step:
    """A tool call that was made: what was said with it, what was asked, what came back."""

    said: str
    name: str
    arguments: Mapping[str, Any]
    result: str

    @property
    def failed(self) -> bool:
        return self.result.startswith("Error: ")


@dataclass(frozen=True)
class Exchange:
    """What a person asked for, the steps that it led to, the last text that was said ("" before there is one), and
    what the agent itself remarked in between."""

    prompt: str = ""
    steps: tuple[Step, ...] = ()
    answer: str = ""
    remarks: tuple[str, ...] = ()

    def results_of(self, name: str) -> list[Step]:
        return [step for step in self.steps if step.name == name]


@dataclass(frozen=True)
class Conversation(Exchange):
    """The exchange that is under way, and what else the request held.

    `tools` are the names of those that may be called now: none on the last turn. `schemas` are all that were offered,
    by name, each {"name", "description", "parameters"}. `body` is the request as it came.
    """

    tools: frozenset[str] = frozenset()
    system: str = ""
    schemas: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    earlier: tuple[Exchange, ...] = ()
    body: Mapping[str, Any] = field(default_factory=dict)

    @property
    def objection(self) -> str:
        """What the agent remarked last, "" when it did not."""
        return self.remarks[-1] if self.remarks else ""

    @property
    def known(self) -> frozenset[str]:
        """The names of the tools that are offered or were called at any time: what kind of work this is."""
        called = (step.name for exchange in (*self.earlier, self) for step in exchange.steps)
        return frozenset((*self.schemas, *called))


@dataclass(frozen=True)
class Message:
    """A message without its wire: of a person (or the agent's remark), or of the model with the steps it led to."""

    is_person: bool
    text: str
    steps: tuple[Step, ...] = ()


def conversation_of(
    messages: Iterable[Message],
    schemas: Iterable[Mapping[str, Any]],
    *,
    may_call: bool = True,
    system: str = "",
    body: Mapping[str, Any],
) -> Conversation:
    """Sort messages into exchanges. A person's message begins a new one; an empty one, or a remark, does not."""
    exchanges = [Exchange()]
    for message in messages:
        last = exchanges[-1]
        if message.is_person and message.text.startswith(REMARK):
            remark = message.text.removeprefix(REMARK).strip()
            exchanges[-1] = Exchange(last.prompt, last.steps, last.answer, (*last.remarks, remark))
        elif message.is_person and message.text:
            exchanges.append(Exchange(message.text))
        elif not message.is_person:
            steps = (*last.steps, *message.steps)
            exchanges[-1] = Exchange(last.prompt, steps, message.text or last.answer, last.remarks)
    *earlier, now = exchanges
    offered = {schema["name"]: schema for schema in schemas}
    return Conversation(
        **vars(now),
        tools=frozenset(offered) if may_call else frozenset(),
        system=system,
        schemas=offered,
        earlier=tuple(exchange for exchange in earlier if exchange.prompt or exchange.steps),
        body=body,
    )


@dataclass(frozen=True)
class Call:
    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class Decision:
    """The next message: a text, and the calls that go with it (none: the text is the answer)."""

    text: str
    calls: tuple[Call, ...] = field(default=())
    cut: bool = False  # at the token limit


@dataclass(frozen=True)
class Wanted:
    """What a request asks for beside an answer: at most so many tokens (None: any number), a call whatever happens, a
    count of the tokens at the end of a stream."""

    most: int | None = None
    must_call: bool = False
    counted: bool = True

    def of(self, decision: Decision) -> Decision:
        """The decision as it is wanted, at four characters a token. Raises ValueError where that cannot be."""
        if self.must_call and not decision.calls:
            raise ValueError(f"a call was demanded, and there is none to make: {decision.text[:300]}")
        if self.most is None or size_of(decision) // 4 < self.most:
            return decision
        return Decision(decision.text[: 4 * self.most], cut=True)


def size_of(decision: Decision) -> int:
    """How many characters were written."""
    return len(decision.text) + sum(len(json.dumps(dict(call.arguments))) for call in decision.calls)


def limit_in(name: str, value: Any) -> int | None:
    """A number of tokens. Raises ValueError for what is none."""
    if value is None or isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return value
    raise ValueError(f"{name} is {value!r}, but it must be a whole number, 1 or more")


def refuse_several(name: str, value: Any) -> None:
    if value not in (None, 1):
        raise ValueError(f"{name} is {value!r}, but this model gives one answer to one request")


def refuse_missing(name: str, named: Iterable[str], tools: Iterable[Mapping[str, Any]]) -> None:
    """Raise ValueError for the name of a tool that is not among those that were given."""
    if missing := sorted(set(named) - {str(tool.get("name")) for tool in tools}):
        raise ValueError(f"{name} names {missing[0]!r}, which is not among the tools")


def refuse_shape(name: str) -> None:
    raise ValueError(f"{name} cannot be held: this model writes plain text. Ask for it in the prompt of another model")


Think = Callable[[str], None]  # told a line about what is being tried


def fields_of(line: str) -> list[str]:
    """The fields of a line of a result that has ` | ` between them; a bar within a field has a backslash."""
    return [re.sub(r"(?:(?<= )|^)\\\|(?= |$)", "|", field) for field in line.split(" | ")]
