"""The librarian: answers from a project's documents, its source and its running API, and says where from."""

from __future__ import annotations

import os
import secrets
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent.budgets import Calls
from agent.gates import Gate
from agent.setup import Limit
from config import PLACE, ConfigError, Settings
from functions.tool import Resources, Tool
from jobs.job import Job, Tell
from jobs.librarian.citation import Citation
from jobs.librarian.prompt import PROMPT
from jobs.librarian.settings import LibrarianSettings
from sandbox.files.root import Root

if TYPE_CHECKING:
    from agent.run import Run
    from agent.setup import Help
    from reach.api import Api

WORKPLACE = "samples/library"
DEFAULT_ADDRESS = "http://localhost:42002"
MOST_CALLS = 10
NO_BACKEND = (
    "The library's backend is not started: it needs the extra `librarian` (uv sync --extra librarian). Questions about "
    "the documents and the source are answered without it."
)


def tools(resources: Resources) -> Iterable[Tool]:
    """The API's own endpoints stand in its tool's description; without an API there is no such tool."""
    from jobs.librarian.tools import list_files, query_api, read_file, search_docs

    yield from (list_files.TOOL, read_file.TOOL, search_docs.TOOL)
    if "api" in resources:
        yield replace(query_api.TOOL, schema=query_api.described(resources["api"]))


@contextmanager
def opens(settings: Settings, root: Root, tell: Tell) -> Iterator[Resources]:
    """The index of the working directory, and the API where there is one."""
    from index.index import Index

    with ExitStack() as stack:
        index = Index(root, settings.runs_directory / "index", say=tell)
        stack.callback(index.close)
        api = stack.enter_context(api_of(settings, root, tell))
        yield {"index": index, "api": api} if api else {"index": index}


def api_of(settings: Settings, root: Root, tell: Tell) -> AbstractContextManager[Api | None]:
    """The API that the person names; else the shipped library's own, started; else the one at the usual address, where
    there is a key for it; else none."""
    own = settings.of(LibrarianSettings)
    if own.agent_api_base_url and not own.lms_api_key:
        raise ConfigError("LMS_API_KEY is not set, and the API at AGENT_API_BASE_URL asks for it. Set it in .env.")
    if not own.agent_api_base_url and root.path == (PLACE / WORKPLACE).resolve():
        return backend(own, root, tell)
    if not own.lms_api_key:
        return nullcontext()
    return api_at(own.agent_api_base_url or DEFAULT_ADDRESS, own.lms_api_key, own)


def api_at(address: str, key: str, settings: LibrarianSettings) -> AbstractContextManager[Api]:
    from reach.api import Api
    from reach.paths import ApiRefusal

    try:
        return Api(address, key, writes=settings.api_writes)
    except ApiRefusal as refusal:
        raise ConfigError(f"AGENT_API_BASE_URL: {refusal}.") from None


@contextmanager
def backend(settings: LibrarianSettings, root: Root, tell: Tell) -> Iterator[Api | None]:
    """The shipped library's backend on a free port, with a new database, for as long as the session lasts."""
    from importlib.util import find_spec

    from reach.service import ServiceError, serving

    if not (find_spec("fastapi") and find_spec("uvicorn")):
        tell(NO_BACKEND)
        yield None
        return
    key = settings.lms_api_key or secrets.token_urlsafe(24)
    command = [sys.executable, "-B", "serve.py", "--port", "0", "--with-parent"]
    with tempfile.TemporaryDirectory(prefix="library-") as folder, ExitStack() as stack:
        database = str(Path(folder) / "library.db")
        surroundings = {"PATH": os.defpath, "PYTHONUTF8": "1", "LMS_API_KEY": key, "DATABASE_PATH": database}
        try:
            address = stack.enter_context(serving(command, root.path / "backend", surroundings))
        except ServiceError as error:
            tell(f"The library's backend is not there: {error}. Questions about data cannot be answered.")
            yield None
            return
        yield stack.enter_context(api_at(address, key, settings))


def gates(settings: Settings, resources: Resources) -> Sequence[Gate]:
    return [Citation(settings.max_calls or MOST_CALLS)]


def limits(settings: Settings) -> Sequence[Limit]:
    return [] if settings.max_calls else [Calls(MOST_CALLS)]


def help(settings: Settings, run: Run) -> Help | None:
    """What a small model is given."""
    from jobs.librarian.first_look import help_for

    return help_for(settings, run)


def report(run: Run, answer: str) -> dict[str, Any]:
    """The answer, how it is to be taken, where it is from, and the calls, by the names that evaluations of such agents
    read. `source` holds what was confirmed, and nothing else."""
    from jobs.librarian.citation import seen_by, taken
    from jobs.librarian.citing import cited

    split = cited(answer, seen_by(run))
    status, sources = taken(split, run)
    calls = [
        {"tool": each["name"], "args": each["arguments"], "result": each["result"], "status": each["status"]}
        for each in run.trajectory
    ]
    told = {"answer": split.answer, "status": status, "source": ", ".join(sources), "warnings": list(run.errors)}
    return {**told, "tool_calls": calls}


JOB = Job(
    name="librarian",
    does="answers from a project's documents, its source and its running API, and says where from",
    example='python main.py --job librarian "How do you resolve a merge conflict?"',
    prompt=PROMPT,
    tools=tools,
    workplace=WORKPLACE,
    opens=opens,
    gates=gates,
    limits=limits,
    help=help,
    report=report,
    settings=LibrarianSettings,
    with_ask=("api_writes",),
)
