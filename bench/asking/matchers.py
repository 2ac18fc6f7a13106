"""A question of a set, and what its answer is held against."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from config import ConfigError, need

MATCHERS = ("contains", "contains_all", "any_of", "regex", "numeric", "numeric_gt", "numeric_range")
OTHERS = ("question", "class", "folder", "status", "tools", "source", "sources_all", "rubric")
_NUMBER = re.compile(r"(?<![\w.-])-?\d+(?:[.,]\d+)*(?![\w-])")


@dataclass(frozen=True)
class QuestionSet:
    about: str
    questions: list[dict[str, Any]]
    documents: Mapping[str, Any]  # where foreign documentation lies; {} for the shipped library


def read_set(path: Path) -> QuestionSet:
    """Read a set in YAML. Raises ConfigError that names what is wrong."""
    need("yaml", extra="librarian")
    import yaml

    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ConfigError(f"the questions in {path.name} cannot be read: {error}") from None
    questions = data.get("questions") if isinstance(data, dict) else None
    if not isinstance(questions, list) or not questions:
        raise ConfigError(f"{path.name} holds no list named questions.")
    for number, each in enumerate(questions, 1):
        if not isinstance(each, dict) or not each.get("question"):
            raise ConfigError(f"{path.name}: entry {number} has no question.")
        if unknown := each.keys() - {*MATCHERS, *OTHERS}:
            raise ConfigError(
                f"{path.name}: entry {number} has {sorted(unknown)[0]!r}; known are {', '.join(MATCHERS + OTHERS)}."
            )
    return QuestionSet(str(data.get("about", path.stem)), questions, data.get("documents") or {})


def wrong_with(question: Mapping[str, Any], report: Mapping[str, Any]) -> list[str]:
    """What an answer lacks, a line each: in its text, in how it is to be taken, in the tools that it took, in its
    source; [] when it is right."""
    text = report["answer"]
    wrong = [
        f"{name}: {question[name]}" for name in MATCHERS if name in question and not MATCH[name](text, question[name])
    ]
    if question.get("status", report["status"]) != report["status"]:
        wrong.append(f"taken as: {report['status']}")
    used = {call["tool"] for call in report["tool_calls"]}
    wrong += [f"tool not used: {tool}" for tool in question.get("tools", []) if tool not in used]
    named = report["source"].split(", ")
    if "source" in question and not any(covers(each, source) for each in question["source"] for source in named):
        wrong.append(f"source: {report['source'] or 'none'}")
    missing = [each for each in question.get("sources_all", []) if not any(covers(each, source) for source in named)]
    return wrong + [f"source not named: {each}" for each in missing]


def covers(wanted: str, named: str) -> bool:
    """Whether a source is the one that is wanted. A file stands for its sections and lines, a folder for its files."""
    wanted, named = wanted.rstrip("/"), named.rstrip("/")
    return named == wanted or ("#" not in wanted and named.startswith((f"{wanted}#", f"{wanted}:", f"{wanted}/")))


def numbers_in(text: str) -> list[float]:
    return [float(found.replace(",", "")) for found in _NUMBER.findall(text) if found.count(".") <= 1]


def _all(text: str, wanted: Sequence[str]) -> bool:
    return all(each.lower() in text.lower() for each in wanted)


MATCH = {
    "contains": lambda text, wanted: wanted.lower() in text.lower(),
    "contains_all": _all,
    "any_of": lambda text, wanted: any(each.lower() in text.lower() for each in wanted),
    "regex": lambda text, wanted: re.search(wanted, text, re.IGNORECASE) is not None,
    "numeric": lambda text, wanted: wanted in numbers_in(text),
    "numeric_gt": lambda text, wanted: any(each > wanted for each in numbers_in(text)),
    "numeric_range": lambda text, wanted: any(wanted[0] <= each <= wanted[1] for each in numbers_in(text)),
}
