"""The child process in which the learner's own agent works: its parts, the calculator, and a way to ask the model.

Started by real.py inside the sandbox. There is no network here; the walk carries each request to the model.
"""

from __future__ import annotations

import importlib
import json
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from checking import Relay  # beside this file, which is where Python looks first

Ask = Callable[[list[dict[str, Any]], list[dict[str, Any]]], dict[str, Any]]


def main() -> None:
    provider, prompt = sys.argv[1:]
    relay = among_the_parts()
    ended(lambda: importlib.import_module("agent").agent(asking(relay, provider), prompt, "calculator"))


def among_the_parts() -> Relay:
    """Let imports find the learner's parts, and nothing of the course. Returns the way to the walk."""
    here, scratch = Path(__file__).resolve().parent, Path.cwd()
    sys.path[:] = [str(scratch / "parts"), *(path for path in sys.path if Path(path).resolve() != here)]
    return Relay(scratch / "relay")


def asking(relay: Relay, provider: str) -> Ask:
    """The model as the learner's code knows it: ask(messages, menu) returns the model's message."""

    def ask(messages: list[dict[str, Any]], menu: list[dict[str, Any]]) -> dict[str, Any]:
        if provider == "gemini":
            contents = importlib.import_module("gemini").to_gemini(messages)
            return relay("model", contents=contents, system=messages[0]["content"], menu=menu)
        return relay("model", messages=messages, menu=menu)

    return ask


def ended(work: Callable[[], object]) -> None:
    """Do the work, and leave its answer, or what went wrong and where, for the walk."""
    try:
        end = {"answer": str(work())}
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        end = {"problem": f"{type(error).__name__}: {error} ({Path(place.filename).name}, line {place.lineno})"}
    Path("ended.json").write_text(json.dumps(end), encoding="utf-8")


if __name__ == "__main__":
    main()
