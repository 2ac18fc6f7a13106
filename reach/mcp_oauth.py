"""A login at an MCP server over HTTP: OAuth by the SDK's own client, for a person who is there to log in.

The SDK finds the authorization server, registers, makes the address to open, and gets and renews tokens; issuer,
resource and PKCE are its checks. What is here: when it is asked at all, what becomes of its errors, and that a server
with TLS leads nowhere without. https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractContextManager, aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

from reach.mcp_callback import Callback, NoLogin
from reach.mcp_logins import Damaged, Kept
from reach.mcp_status import NO_TOKEN, command
from sandbox.files.unusual import shown

if TYPE_CHECKING:
    from reach.mcp_settings import Client, ServerSettings

REFUSED = "glassbox_refused"  # in a request's extensions: why it is not sent, and what stands in the answer
WRITING_SECONDS = 2.0  # that another session has to write down a token that it renewed
PAST = 1.0  # seconds since 1970
Waiting = Callable[[], AbstractContextManager[None]]
Show = Callable[[str, str], None]  # shows the person which server wants a login, and the address to open


class Login:
    """The login at one server for one session. `show` is None where nobody is there: then a login that is kept is used
    and renewed, and none is begun. `waiting` is held while the person logs in: no clock runs meanwhile."""

    def __init__(self, server: ServerSettings, folder: Path, show: Show | None, waiting: Waiting) -> None:
        """Raises Damaged for a login that is kept and cannot be used."""
        from mcp.client.auth import OAuthClientProvider
        from mcp.shared.auth import OAuthClientMetadata

        self.name, self.address, self.client = server.name, server.url, server.client
        self.show, self.waiting = show, waiting
        here: Any = OAuthClientMetadata(client_name="Glassbox", redirect_uris=["http://127.0.0.1/callback"])
        handlers: Any = {"redirect_handler": self._redirected, "callback_handler": self._came_back}
        self._sdk = OAuthClientProvider(self.address, here, storage=None, **handlers)  # type: ignore[arg-type]
        self._context = self._sdk.context
        self._kept = self._context.storage = Kept(folder, self.address, self._context)
        self._to_open = ""
        self._callback: Callback | None = None
        self._last = ""  # the token that was sent last
        self._refused = ""  # why nobody logged in

    def secrets(self) -> dict[str, str]:
        """What must not be shown, by what stands for it."""
        tokens, client = self._context.current_tokens, self._context.client_info
        found = {
            "LOGIN_TOKEN": tokens and tokens.access_token,
            "LOGIN_REFRESH_TOKEN": tokens and tokens.refresh_token,
            "LOGIN_CLIENT_SECRET": client and client.client_secret,
        }
        return {name: value for name, value in found.items() if value}

    async def flow(self, request: Any) -> AsyncGenerator[Any, Any]:
        """What httpx2 sends in the place of a request, as its Auth.async_auth_flow. With a token that is good the
        request alone; else what the SDK sends to get one. Where that fails, the request with REFUSED, which
        mcp_transport.py answers itself."""
        if request.method != "POST":  # a stream to listen at, the end of a session: nobody is asked for these
            self._authorized(request)
            yield request
            return
        sent = self._authorized(request)
        self._last = sent or self._last
        if self._context.is_token_valid() or not sent:
            response = yield request
            if not wants_login(response) or not (sent or self.show or self._refused):
                return
            if response.status_code == 401 and sent == self._token():  # it has ended before its time
                self._context.token_expiry_time = PAST
        callback: Callback | None = None
        try:
            if not self._context.is_token_valid() and self._kept.read(self._last):  # another session has renewed it
                self._authorized(request)
            async with aclosing(self._sdk.async_auth_flow(request)) as flow:
                outgoing = await anext(flow)
                while True:
                    self._refuse_without_tls(outgoing.url)
                    response = yield outgoing
                    if outgoing is request and wants_login(response):
                        if not callback and await self._renewed_elsewhere():
                            self._authorized(request)
                            yield request
                            return
                        callback = self._begun(response.status_code, callback)
                    outgoing = await flow.asend(response)
        except StopAsyncIteration:
            return
        except Exception as error:  # whatever an authorization server makes of it: this session goes on without
            self._refused = self._refused or self._explained(error)
        finally:
            if callback:
                callback.close()
        request.extensions = {**request.extensions, REFUSED: self._refused}
        yield request

    async def _renewed_elsewhere(self) -> bool:
        """Whether another session has just renewed the token, which each server may let be done once alone: where this
        one could not, the other may not have written it down yet."""
        in_vain = self._last and not self._token() and not self._refused  # the SDK lets go of what it cannot renew
        until = time.monotonic() + (WRITING_SECONDS if in_vain else 0.0)
        while not self._kept.read(self._last):
            if time.monotonic() > until:
                return False
            await asyncio.sleep(0.05)
        return True

    def _refuse_without_tls(self, url: Any) -> None:
        if self.address.startswith("https:") and url.scheme != "https":
            raise NoLogin(f"it leads to {shown(str(url))}, which is not https")

    def _begun(self, status: int, callback: Callback | None) -> Callback:
        """The server wants a login, now: return where the browser is to come back to. Raises NoLogin where nobody can
        log in, where somebody has just done so (to the `callback`), and where that failed before: it is asked once."""
        if callback:
            raise NoLogin("the server does not take the login that was made just now")
        if self._refused:
            raise NoLogin(self._refused)
        if self.show is None:
            why = "wants a login that may do more" if status == 403 else "does not take the login that is kept any more"
            raise NoLogin(f"the server {why}, and there is no terminal to log in at")
        client = self._context.client_info
        known = str(client.redirect_uris[0]) if client and client.redirect_uris else ""
        port = self.client.port if self.client else urlsplit(known).port or 0
        self._callback = callback = Callback(port)
        self._context.client_metadata.redirect_uris = [_url(callback.address)]
        if self.client:
            self._context.client_info = registered(self.client)
            if port not in (0, callback.port):
                callback.close()
                raise NoLogin(f"the port {port}, its callbackPort, is taken by another program")
        elif known != callback.address:  # the registration is for another port, which is taken
            self._context.client_info = None
        return callback

    async def _redirected(self, address: str) -> None:
        self._to_open = address
        self._refuse_without_tls(urlsplit(address))
        if self.client and self.client.secret:
            ways = self._context.oauth_metadata and self._context.oauth_metadata.token_endpoint_auth_methods_supported
            basic = not ways or "client_secret_basic" in ways  # what RFC 8414 has where a server says nothing
            self._context.client_info.token_endpoint_auth_method = f"client_secret_{'basic' if basic else 'post'}"

    async def _came_back(self) -> Any:
        from mcp.shared.auth import AuthorizationCodeResult

        async def show() -> None:
            assert self.show
            await asyncio.to_thread(self.show, self.name, self._to_open)

        assert self._callback
        state = dict(parse_qsl(urlsplit(self._to_open).query))["state"]
        with self.waiting():
            brought = await self._callback.answer(state, show)
        return AuthorizationCodeResult(code=brought["code"], state=brought["state"], iss=brought.get("iss"))

    def _token(self) -> str:
        return self._context.current_tokens.access_token if self._context.current_tokens else ""

    def _authorized(self, request: Any) -> str:
        """Give the request the token that there is; return it."""
        if token := self._token():
            request.headers["Authorization"] = f"Bearer {token}"
        return token

    def _explained(self, error: Exception) -> str:
        from mcp.client.auth import OAuthRegistrationError

        if isinstance(error, Damaged):
            return str(error)
        found = self._context.oauth_metadata or self._context.protected_resource_metadata
        if isinstance(error, OAuthRegistrationError) and not found:
            return f"HTTP 401, {NO_TOKEN} (it offers no login)"
        why = str(error) if isinstance(error, NoLogin) else shown(next(iter(str(error).splitlines()), ""))
        if isinstance(error, OAuthRegistrationError):
            why += '. Where it registers no client by itself, its entry needs "oauth": {"clientId": "..."}'
        return f"nobody is logged in there: {why}. Log in at a terminal: {command(self.address)}"


def wants_login(response: Any) -> bool:
    """Whether a server asks who that is, or for a token that may do more."""
    more = "insufficient_scope" in response.headers.get("www-authenticate", "")
    return response.status_code == 401 or response.status_code == 403 and more


def registered(client: Client) -> Any:
    """What the SDK knows of a client that registered itself."""
    from mcp.shared.auth import OAuthClientInformationFull

    return OAuthClientInformationFull(client_id=client.id, client_secret=client.secret or None)


def _url(address: str) -> Any:
    from pydantic import AnyUrl

    return AnyUrl(address)
