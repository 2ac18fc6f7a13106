"""Opening what the sets of tools hold, each by its settings. Raises ConfigError and Refusal, with the next step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from config import ConfigError, Settings, need
from sandbox.files.root import Root

Tell = Callable[[str], None]


def open_notes(settings: Settings, root: Root, tell: Tell) -> dict[str, Any]:
    from jobs.notekeeper.knowledge_base import KnowledgeBase

    if settings.qdrant_url:
        need("qdrant_client", "qdrant")
    return {"kb": KnowledgeBase(root, settings.runs_directory / "index", say=tell, qdrant=settings.qdrant_url)}


def open_repository(settings: Settings, root: Root, tell: Tell) -> dict[str, Any]:
    from reach.repository import repository_around

    how = {"identity": settings.git_identity, "push": settings.git_push, "ssh_agent": settings.ssh_auth_sock}
    repository = repository_around(root, **how)
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

    return {"memory": Memory(settings.runs_directory / "memory.sqlite", settings.notekeeper_user)}


def open_github(settings: Settings, root: Root, tell: Tell) -> dict[str, Any]:
    from reach.github import GitHub

    for name in ("github_token", "github_repository"):
        if not getattr(settings, name):
            raise ConfigError(f"the set github needs {name.upper()}. Set it in .env (see .env.example).")
    return {"github": GitHub(settings.github_repository, settings.github_token, settings.github_api_url)}


OPENERS = {
    "kb": open_notes,
    "git": open_repository,
    "web": open_web,
    "memory": open_memory,
    "github": open_github,
}
