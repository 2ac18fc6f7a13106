"""The child process in which the learner's own librarian answers: their parts, their documents, a way to the model.

Started by own_docs.py inside the sandbox, with the provider, and a JSON file that says what is asked, and where.
"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from agent_child import among_the_parts, asking, ended  # beside this file, which is where Python looks first


def main() -> None:
    provider, job = sys.argv[1], json.loads(Path("job.json").read_text(encoding="utf-8"))
    relay = among_the_parts()
    ended(lambda: answer(job, relay, provider))


def answer(job: dict[str, Any], relay: Any, provider: str) -> str:
    sys.modules["wire"] = wire = ModuleType("wire")  # there is no network here: the walk sends, to that one address
    vars(wire)["send"] = lambda method, address, headers: sent(relay, method, address, headers)
    library = importlib.import_module("library")
    if job["embeds"]:
        library.embed = lambda texts: relay("embed", texts=texts)
    if job["api"]:
        api = importlib.import_module("api")
        api.BASE, api.KEY = job["api"], job["key"]
        library.query_api.__doc__ += f" Endpoints:\n{job['endpoints']}"
        library.TOOLS["query_api"] = library.query_api
    return library.librarian(asking(relay, provider), job["question"], job["folder"])


def sent(relay: Any, method: str, address: str, headers: dict[str, str]) -> tuple[int, str]:
    try:
        return tuple(relay("send", method=method, address=address, headers=headers))
    except RuntimeError as error:
        raise OSError(str(error)) from None


if __name__ == "__main__":
    main()
