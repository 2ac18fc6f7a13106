"""The settings that the notekeeper alone has, as in .env.example; config.py reads and checks them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class NotekeeperSettings:
    """The sets of tools, what to do, whose memory it keeps, and what the sets need from outside."""

    notekeeper_tools: str = "kb,files"
    notekeeper_task: str = ""
    notekeeper_user: str = "me"
    qdrant_url: str = ""
    git_identity: str = ""
    git_push: bool = False
    ssh_auth_sock: str = ""
    github_token: str = ""
    github_repository: str = ""
    github_api_url: str = "https://api.github.com"
