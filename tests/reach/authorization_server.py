"""An MCP server behind a login, and the authorization server where one logs in, of the SDK's own parts, over HTTP."""

from __future__ import annotations

import asyncio
import secrets
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.request import urlopen

import uvicorn
from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    AuthorizationParams,
    AuthorizeError,
    ProviderTokenVerifier,
    RefreshToken,
    RegistrationError,
    construct_redirect_uri,
)
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions
from mcp.server.lowlevel import Server
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken
from mcp_types import CallToolResult, ListToolsResult, TextContent, Tool


class Behind:
    """What both servers know: who registered, which codes and tokens there are, and how they behave in a test."""

    def __init__(self) -> None:
        self.clients: dict[str, OAuthClientInformationFull] = {}
        self.codes: dict[str, AuthorizationCode] = {}
        self.access: dict[str, AccessToken] = {}
        self.refresh: dict[str, RefreshToken] = {}
        self.consents = self.registers = True
        self.says_when = True  # a token ends
        self.seconds = 3600
        self.renewed = 0
        self.address = ""

    async def get_client(self, client_id: str) -> OAuthClientInformationFull | None:
        return self.clients.get(client_id)

    async def register_client(self, client: OAuthClientInformationFull) -> None:
        if not self.registers:
            raise RegistrationError("invalid_client_metadata", "ask the owner")
        self.clients[client.client_id] = client

    async def authorize(self, client: OAuthClientInformationFull, params: AuthorizationParams) -> str:
        if not self.consents:
            raise AuthorizeError("access_denied", "not \x1b[31mtoday")
        code = secrets.token_urlsafe(24)
        known: Any = {"scopes": params.scopes or [], "client_id": client.client_id, "resource": params.resource}
        self.codes[code] = AuthorizationCode(
            code=code,
            expires_at=time.time() + 60,
            code_challenge=params.code_challenge,
            redirect_uri=params.redirect_uri,
            redirect_uri_provided_explicitly=params.redirect_uri_provided_explicitly,
            **known,
        )
        return construct_redirect_uri(str(params.redirect_uri), code=code, state=params.state)

    async def load_authorization_code(self, client: Any, code: str) -> AuthorizationCode | None:
        return self.codes.get(code)

    async def exchange_authorization_code(self, client: Any, code: AuthorizationCode) -> OAuthToken:
        del self.codes[code.code]
        return self._issue(client.client_id, code.scopes, code.resource)

    async def load_refresh_token(self, client: Any, token: str) -> RefreshToken | None:
        return self.refresh.get(token)

    async def exchange_refresh_token(self, client: Any, token: RefreshToken, scopes: list[str]) -> OAuthToken:
        del self.refresh[token.token]
        self.renewed += 1
        return self._issue(client.client_id, scopes, token.resource)

    async def load_access_token(self, token: str) -> AccessToken | None:
        return self.access.get(token)

    async def revoke_token(self, token: Any) -> None:
        self.access.clear()
        self.refresh.clear()

    def _issue(self, client_id: str, scopes: list[str], resource: str | None) -> OAuthToken:
        access, refresh = f"access-{secrets.token_hex(16)}", f"refresh-{secrets.token_hex(16)}"
        known: Any = {"client_id": client_id, "scopes": scopes, "resource": resource}
        self.access[access] = AccessToken(token=access, expires_at=int(time.time()) + 3600, **known)
        self.refresh[refresh] = RefreshToken(token=refresh, **known)
        seconds = self.seconds if self.says_when else None
        return OAuthToken(access_token=access, refresh_token=refresh, expires_in=seconds)


@contextmanager
def behind_a_login() -> Iterator[Behind]:
    """Both servers at one address of this machine. Its tool says which headers the call came with."""
    behind = Behind()

    async def tools(context: Any, params: Any) -> ListToolsResult:
        return ListToolsResult(tools=[Tool(name="who", input_schema={"type": "object"})])

    async def call(context: Any, params: Any) -> CallToolResult:
        said = context.request.headers.get("authorization", "nobody")
        return CallToolResult(content=[TextContent(text=f"you are {said}")])

    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        origin = f"http://127.0.0.1:{listening.getsockname()[1]}"
        behind.address = f"{origin}/mcp"
        options: Any = {
            "issuer_url": origin,
            "resource_server_url": behind.address,
            "required_scopes": ["use"],
            "validate_token_resource": True,
            "client_registration_options": ClientRegistrationOptions(
                enabled=True, valid_scopes=["use"], default_scopes=["use"]
            ),
        }
        app = Server("behind", on_list_tools=tools, on_call_tool=call).streamable_http_app(
            auth=AuthSettings(**options),
            token_verifier=ProviderTokenVerifier(behind),  # type: ignore[arg-type]
            auth_server_provider=behind,  # type: ignore[arg-type]
        )
        config: Any = {"log_level": "critical", "ws": "none", "lifespan": "on", "timeout_graceful_shutdown": 1}
        server = uvicorn.Server(uvicorn.Config(app, **config))
        listening.listen()
        thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listening])), daemon=True)
        thread.start()
        yield behind
        server.should_exit = True
        thread.join(10)


def opens(server: str, address: str) -> None:
    """A person who opens the address and says yes; the browser follows to where the answer belongs."""
    with urlopen(address, timeout=20) as page:
        page.read()
