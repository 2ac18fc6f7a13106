"""One question, asked once: the work of one task. The index and the backend are opened once for each process."""

from __future__ import annotations

import contextlib
import functools
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bench.asking.evidence import unsaid
from bench.asking.judge import judged
from bench.asking.matchers import wrong_with
from bench.record import Line
from config import Settings, load_settings, whole_environment

_open = contextlib.ExitStack()  # as long as the process lives


@dataclass(frozen=True)
class Librarian:
    """The job, open on a folder of documents, and whom it asks."""

    job: Any
    resources: Any
    root: Any
    provider: str
    loop: Any
    settings: Settings


def attempt(data: Line) -> Line:
    """Ask one question; what the answer lacks, the tools that were used, and what it took."""
    librarian = opened(data["folder"], data["provider"], data["wire"], tuple(data["environment"].items()))
    job, settings = librarian.job, librarian.settings
    began, question = time.perf_counter(), data["question"]
    begun = job.begin(librarian.provider, librarian.root, settings, resources=librarian.resources)
    result = librarian.loop(question["question"], settings, begun)
    seconds = time.perf_counter() - began
    wrong = [*wrong_with(question, result.report), *result.errors]
    if "rubric" in question:
        wrong = judged(question, result.report["answer"], wrong, settings)
    return {
        "type": question.get("class", "all"),
        "provider": librarian.provider,
        "model": result.model,
        "tokens": {"input": result.tokens.input, "output": result.tokens.output},
        "seconds": round(seconds, 4),
        "used": [[each["name"], json.dumps(each["arguments"], sort_keys=True)] for each in result.tool_calls],
        "answer": result.answer,
        "report": result.report,
        "sourced": bool(result.report["source"]),
        "unsaid": unsaid(question["question"], result.report, Path(data["folder"])),
        "solved": not wrong,
        "cause": "; ".join(wrong),
    }


@functools.cache
def opened(folder: str, provider: str, wire: str, environment: tuple[tuple[str, str], ...]) -> Librarian:
    """The librarian on a folder. A wire means the built-in model behind it, "" the provider."""
    from jobs.job import job_named
    from sandbox.files.root import Root

    around = {**whole_environment(), **dict(environment)}
    settings = replace(load_settings({"working_directory": folder}, around), keep_runs=0)
    job = job_named("librarian")
    root = _open.enter_context(Root(Path(folder)))
    name, loop, settings = _open.enter_context(model(settings, provider, wire))
    resources = _open.enter_context(job.opens(settings, root, lambda line: print(line, file=sys.stderr)))
    return Librarian(job, resources, root, name, loop, settings)


@contextlib.contextmanager
def model(settings: Settings, provider: str, wire: str) -> Iterator[tuple[str, Any, Settings]]:
    """The provider's name, its loop, and the settings to run it with. A wire means the built-in model behind it."""
    from session import chosen_provider

    if wire == "gemini":
        from offline.wire.server import serve
        from providers.gemini import run_agent as gemini_loop

        with serve() as address:
            yield "gemini", gemini_loop, replace(settings, gemini_base_url=address, gemini_api_key="built-in")
        return
    settings = replace(settings, llm_provider="offline" if wire else provider)
    with chosen_provider(settings, lambda line: print(line, file=sys.stderr)) as chosen:
        yield chosen
