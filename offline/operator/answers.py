"""What the operator's mind says where it has done something, or does not do what it is told."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from offline.operator.menu import Offered, short_of
from offline.operator.words import words_of
from offline.wire.conversation import Call, Step

Plan = Generator[list[Call], list[Step], str]  # calls to make out, their results in, a sentence at the end

CANNOT = (
    "I can't do that with the tools that I have: {why}. I am Glassbox's built-in model, a small program that matches "
    "words with tools. The tools are: {tools}. Say it with the words of one of them, or ask a language model: start LM "
    "Studio, or set GEMINI_API_KEY."
)
ASKED = (
    "I changed nothing, because {why}. I change something only for a plain order of which I understand every word, one "
    'a sentence, such as "{example}". What shall I do? {tools}'
)
NONE_FITS = "None of them fits, so nothing was changed."


def told(step: Step) -> str:
    arguments = ", ".join(f"{name}={value}" for name, value in step.arguments.items())
    return f"- {short_of(step.name)}({arguments}): {' '.join(step.result.split())[:400]}"


def asked(why: str, menu: Sequence[Offered]) -> str:
    tools = ", ".join(tool.short for tool in menu)
    tool = next((tool for tool in menu if not tool.looks and tool.entity), None)
    example = " ".join(words_of(tool.short)).capitalize() if tool else "Restart service"
    return ASKED.format(why=why, example=f"{example} NAME", tools=f"The tools are: {tools}." if tools else "")


def cannot(why: str, menu: Sequence[Offered]) -> str:
    return CANNOT.format(why=why, tools=", ".join(tool.short for tool in menu) or "none")
