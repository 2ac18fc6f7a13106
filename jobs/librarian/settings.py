"""The settings that the librarian alone has, as in .env.example; config.py reads and checks them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class LibrarianSettings:
    """The API that may be asked: where it is, its key, and whether anything but GET and HEAD is sent."""

    agent_api_base_url: str = ""
    lms_api_key: str = ""
    api_writes: bool = False
