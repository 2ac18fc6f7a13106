"""The child process in which the learner's own agent works: its parts, the calculator, and a way to ask the model.

Started by real.py inside the sandbox. There is no network here; the walk carries each request to the model.
"""

from __future__ import annotations

import importlib
import json
import sys
import traceback
from pathlib import Path
from typing import Any


def main() -> None:
    here, scratch = Path(__file__).resolve().parent, Path.cwd()
    from checking import Relay  # beside this file, which is where Python looks first

    sys.path[:] = [str(scratch / "parts"), *(path for path in sys.path if Path(path).resolve() != here)]
    provider, prompt = sys.argv[1:]
    relay = Relay(scratch / "relay")

    def ask(messages: list[dict[str, Any]], menu: list[dict[str, Any]]) -> dict[str, Any]:
        if provider == "gemini":
            contents = importlib.import_module("gemini").to_gemini(messages)
            return relay("model", contents=contents, system=messages[0]["content"], menu=menu)
        return relay("model", messages=messages, menu=menu)

    try:
        ended = {"answer": str(importlib.import_module("agent").agent(ask, prompt, "calculator"))}
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        ended = {"problem": f"{type(error).__name__}: {error} ({Path(place.filename).name}, line {place.lineno})"}
    (scratch / "ended.json").write_text(json.dumps(ended), encoding="utf-8")


if __name__ == "__main__":
    main()
