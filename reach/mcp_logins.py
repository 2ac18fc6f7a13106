"""What is kept of a login at an MCP server: its tokens, in a file that only the person can read, one for each address.

Beside the tokens the file holds what the SDK needs to renew them: when they end, as whom this program is registered
there, and where the authorization server is.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from config import COMMAND, PLACE, Settings, expanded

LARGEST_FILE = 2**20  # bytes
FIELDS = {  # in the file, and in the SDK's context
    "tokens": "current_tokens",
    "expires": "token_expiry_time",  # seconds since 1970, null where the server does not say
    "client": "client_info",
    "server": "oauth_metadata",
    "resource": "protected_resource_metadata",
}


class Damaged(ValueError):
    """A file that holds no login. The text is a sentence with the next step; the file is left as it is."""


def path_of(folder: Path, address: str) -> Path:
    """Where the login at a server is kept: a name that a person can tell, and no other address has."""
    host = re.sub(r"[^A-Za-z0-9.-]", "_", urlsplit(address).hostname or "")[:60]
    return folder / f"{host}-{hashlib.sha256(address.encode()).hexdigest()[:16]}.json"


class Kept:
    """The file of one server's login, as the SDK's TokenStorage. What stands in the file is a copy of the SDK's own
    context: it is read into it once, and written from it whenever there are new tokens."""

    def __init__(self, folder: Path, address: str, context: Any) -> None:
        """Read what is kept into `context`. Raises Damaged."""
        self.address, self.path, self.context = address, path_of(folder, address), context
        self.read("")

    def read(self, known: str) -> bool:
        """Take over what stands in the file where its token is another than the one that is known, and whether it is:
        another session may have renewed it. Raises Damaged, also for a file that cannot be read."""
        try:
            with self.path.open("rb") as file:
                data = file.read(LARGEST_FILE)
            whole = json.loads(data)
            if whole["address"] != self.address:
                raise ValueError("it is of another server")
            found = {name: _value(name, whole[name]) for name in FIELDS}
            if found["tokens"] is None:
                raise ValueError("it has no tokens")
        except FileNotFoundError:
            return False
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            why = error.strerror if isinstance(error, OSError) else "it is damaged"  # and what it holds is told nobody
            raise Damaged(
                f"the login that is kept in {self.path} cannot be used, {why}. Give it up with "
                f"{COMMAND} --mcp-logout {self.address}, and log in anew"
            ) from None
        if found["tokens"].access_token == known:
            return False
        for name, value in found.items():
            setattr(self.context, FIELDS[name], value)
        return True

    def write(self) -> None:
        """Put what the context holds into the file, whole or not at all. Raises OSError."""
        values = {name: _plain(getattr(self.context, field)) for name, field in FIELDS.items()}
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor, temporary = tempfile.mkstemp(dir=self.path.parent)  # with mode 0600
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                json.dump({"address": self.address, **values}, file)
                file.flush()
                os.fsync(descriptor)
            os.replace(temporary, self.path)  # noqa: PTH105 - as it was made
        except BaseException:
            os.unlink(temporary)  # noqa: PTH108
            raise

    async def get_tokens(self) -> Any:
        return self.context.current_tokens

    async def set_tokens(self, tokens: Any) -> None:
        self.write()  # the context has them already

    async def get_client_info(self) -> Any:
        return self.context.client_info

    async def set_client_info(self, client: Any) -> None:
        """It is written together with the tokens that are got with it."""


def _value(name: str, data: Any) -> Any:
    from mcp.shared.auth import OAuthClientInformationFull, OAuthMetadata, OAuthToken, ProtectedResourceMetadata

    if name == "expires":
        return None if data is None else float(data)
    models: dict[str, Any] = {"tokens": OAuthToken, "client": OAuthClientInformationFull, "server": OAuthMetadata}
    return None if data is None else models.get(name, ProtectedResourceMetadata).model_validate(data)


def _plain(value: Any) -> Any:
    return value.model_dump(mode="json", exclude_none=True) if hasattr(value, "model_dump") else value


def logins_of(settings: Settings) -> Path:
    """The folder of logins at MCP servers. Raises ConfigError as `expanded` does."""
    return PLACE / expanded(settings.mcp_logins)
