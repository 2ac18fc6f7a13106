"""Opening what the sets of tools hold, each by its settings. Raises ConfigError and Refusal, with the next step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from config import ConfigError, Settings, need
from jobs.notekeeper.settings import NotekeeperSettings
from sandbox.files.root import Root

Tell = Callable[[str], None]


def open_notes(settings: Settings, root: Root, tell: Tell) -> dict[str, Any]:
    from jobs.notekeeper.knowledge_base import KnowledgeBase

    qdrant = settings.of(NotekeeperSettings).qdrant_url
    if qdrant:
        need("qdrant_client", "qdrant")
    return {"kb": KnowledgeBase(root, settings.runs_directory / "index", say=tell, qdrant=qdrant)}


def open_repository(settings: Settings, root: Root, tell: Tell) -> dict[str, Any]:
    from reach.repository import repository_around

    own = settings.of(NotekeeperSettings)
    repository = repository_around(root, identity=own.git_identity, push=own.git_push, ssh_agent=own.ssh_auth_sock)
    if repository is None:
        raise ConfigError(f"{root.path} lies in no git repository. Make it one: git -C {root.path} init")
    tell(repository.describe())
    return {"repository": repository}


def open_web(settings: Settings, root: Root, tell: Tell) -> dict[str, Any]:
    from reach.web import Web

    for package in ("trafilatura", "ddgs"):
        need(package, "notekeeper")
    return {"web": Web(cancelled=root.cancelled)}


def open_memory(settings: Settings, root: Root, tell: Tell) -> dict[str, Any]:
    from jobs.notekeeper.memory import Memory

    user = settings.of(NotekeeperSettings).notekeeper_user
    return {"memory": Memory(settings.runs_directory / "memory.sqlite", user)}


def open_github(settings: Settings, root: Root, tell: Tell) -> dict[str, Any]:
    from reach.github import GitHub

    own = settings.of(NotekeeperSettings)
    for name, value in (("GITHUB_TOKEN", own.github_token), ("GITHUB_REPOSITORY", own.github_repository)):
        if not value:
            raise ConfigError(f"the set github needs {name}. Set it in .env (see .env.example).")
    github = GitHub(own.github_repository, own.github_token, own.github_api_url, root.cancelled)
    return {"github": github}


OPENERS = {
    "kb": open_notes,
    "git": open_repository,
    "web": open_web,
    "memory": open_memory,
    "github": open_github,
}
