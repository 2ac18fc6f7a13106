"""Clients that offer no tools: files that stand whole in the messages, and commands in a block of their own."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass

from offline.coder.phrases import read_wish
from offline.wire.conversation import Conversation, Step

FILE = re.compile(
    r"^(?P<path>[\w.-]+(?:/[\w.-]+)*\.\w+)\n(?P<fence>`{3,}|<source>)\w*\n(?P<text>.*?)^(?P=fence)$", re.M | re.S
)
FENCE = re.compile(r"^```(\w*(?:bash|shell)\w*|sh)\n(.*?)\n```", re.MULTILINE | re.DOTALL)
LABEL = re.compile(r"(?:task|issue|request|question|problem)s?:\s*(.+?)\s*(?:\n\s*\n|\Z)", re.IGNORECASE | re.DOTALL)
TEXT_CALLS = re.compile(r"Calling tools:\s*(\[.*\])\s*\Z", re.DOTALL)
AROUND = re.compile(r"\A(?:\s*<(\w+)>.*?</\1>)+", re.DOTALL)
BLOCKS = "SEARCH/REPLACE"


@dataclass(frozen=True)
class Spoken:
    """What was asked for first, what was done by text since, the files that were shown, and what a block of commands is
    called ("" where there are none)."""

    task: str
    steps: tuple[Step, ...]
    files: Mapping[str, str]
    fence: str = ""


def spoken_in(conversation: Conversation) -> Spoken:
    """Read the conversation of a client whose tools, or whose results, are text."""
    exchanges = (*conversation.earlier, conversation)
    prompts = [exchange.prompt for exchange in exchanges]
    found = FENCE.search(conversation.system)
    fence = found[1] if found and not conversation.schemas and BLOCKS not in conversation.system else ""
    steps: list[Step] = []
    begun = len(exchanges) - 1
    for index, exchange in enumerate(exchanges[:-1]):
        made = steps_in(exchange.answer, prompts[index + 1], fence)
        begun = min(begun, index) if made else begun
        steps += made
    files = {
        match["path"]: match["text"]
        for prompt in prompts
        for match in FILE.finditer(prompt)
        if not match["path"].startswith("path/to/")
    }
    return Spoken(task_in(prompts[begun]), tuple(steps), files, fence)


def steps_in(answer: str, following: str, fence: str) -> list[Step]:
    """The steps that an earlier message of the model led to, where calls or commands are told as text."""
    if fence:
        found = [match for match in FENCE.finditer(answer) if match[1] == fence]
        said = answer[: found[0].start()].removeprefix("THOUGHT:").strip() if found else ""
        return [Step(said, fence, {"command": found[0][2]}, following)] if found else []
    told = TEXT_CALLS.search(answer)
    try:
        calls = ast.literal_eval(told[1]) if told else []
    except (ValueError, SyntaxError):
        return []
    said = answer[: told.start()].strip() if told else ""
    results = following.removeprefix("Observation:\n").strip("\n")
    return [Step(said, call["function"]["name"], call["function"]["arguments"], results) for call in calls]


def task_in(prompt: str) -> str:
    """What a person asks for, without what a client puts before it in tags and the instructions around it: what is
    called the task; the first paragraph; or, where neither says anything, the whole. Never what stands further down."""
    prompt = AROUND.sub("", prompt).strip() or prompt
    for told in (*(match[1] for match in [LABEL.search(prompt)] if match), prompt.strip().split("\n\n")[0]):
        if read_wish(told).kind != "unknown":
            return told
    return prompt
