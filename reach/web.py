"""The web as a value that is held: public addresses alone, and the address that was checked is the one connected to.

A name is resolved once, all its addresses are looked at, and the connection goes to one of those by number: there is no
second look-up that could answer differently (DNS rebinding). The same again for each redirect.
"""

import http.client
import ipaddress
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable
from urllib.parse import SplitResult, quote, urljoin, urlsplit, urlunsplit
from urllib.robotparser import RobotFileParser

from config import VERSION
from reach import readable
from reach.child import Child, Gone, Late
from reach.readable import Page
from sandbox.files.root import Refusal

USER_AGENT = f"Glassbox/{VERSION} (reads one page when a person asks)"
SECONDS = 20.0  # for one page, redirects and all
LARGEST_PAGE = 5_000_000  # bytes
MOST_REDIRECTS = 5
_REDIRECTS = frozenset((301, 302, 303, 307, 308))
_DOCUMENTED = ipaddress.ip_network("2000::/3")  # what of IPv6 is handed out at all
# Addresses that carry another one inside: 6to4, and Teredo with what else IANA keeps in its block.
_TUNNELS = (ipaddress.ip_network("2002::/16"), ipaddress.ip_network("2001::/23"))
# What Python's tables call global (in some versions) and is none: Azure's own services, the clouds' in the block of the
# protocols (RFC 6890: 192.0.0.192), documentation (RFC 9637), segment routing (RFC 9602).
_NOT_PUBLIC = tuple(map(ipaddress.ip_network, ("168.63.129.16/32", "192.0.0.0/24", "3fff::/20", "5f00::/16")))
_WELL_KNOWN = 1024  # below it only 80 and 443: a page is no reason to speak to a mail server

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def is_public(address: Address, port: int) -> bool:
    """Whether an address belongs to the open internet: not this machine, not its network, not a cloud's metadata."""
    if port < _WELL_KNOWN and port not in (80, 443):
        return False
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped:
            return is_public(address.ipv4_mapped, port)
        if address not in _DOCUMENTED or any(address in tunnel for tunnel in _TUNNELS):
            return False
    if any(address.version == block.version and address in block for block in _NOT_PUBLIC):
        return False
    return (
        address.is_global and not address.is_multicast and not address.is_reserved and not is_of_this_machine(address)
    )


def is_of_this_machine(address: Address) -> bool:
    """Whether an interface here has this address, public or not: only then can a socket be given it as its own."""
    with socket.socket(socket.AF_INET6 if address.version == 6 else socket.AF_INET, socket.SOCK_DGRAM) as own:
        try:
            own.bind((str(address), 0))
        except OSError:
            return False
    return True


class Web:
    """Fetches pages. Every failure is a Refusal. Safe for use from several threads at once."""

    def __init__(
        self,
        permits: Callable[[Address, int], bool] = is_public,
        *,
        seconds: float = SECONDS,
        cancelled: threading.Event | None = None,
    ) -> None:
        """`permits` says to which address and port a connection may go; a test has a server of its own there. Set
        `cancelled`, and a page that is being turned into text is given up."""
        self._permits = permits
        self._seconds = seconds
        self._robots: dict[str, RobotFileParser] = {}
        self._reader = Child("reach.readable")
        self._cancelled = cancelled or threading.Event()
        self.fetched = 0

    def close(self) -> None:
        self._robots.clear()
        self._reader.close()

    def describe(self) -> str:
        """One line for a person."""
        return f"the web: public addresses alone, checked at the connection; {self.fetched} pages fetched"

    def fetch(self, address: str) -> Page:
        """The page at an http or https address. Raises Refusal for all that is not one, that may not be reached, that
        the site asks robots to leave alone, that is too large or too slow."""
        deadline = time.monotonic() + self._seconds
        for _ in range(MOST_REDIRECTS + 1):
            parts = _checked(address)
            self._ask_robots(parts, deadline)
            status, page, further = self._get(parts, deadline)
            if status not in _REDIRECTS or not further:
                break
            address = urljoin(page.address, further)
        else:
            raise Refusal(f"It was redirected more than {MOST_REDIRECTS} times", "failed")
        if status != 200:
            raise Refusal(f"The server answered {status} {http.client.responses.get(status, '')}".rstrip(), "failed")
        self.fetched += 1
        return page

    def text_of(self, page: Page) -> str | None:
        """The readable text of a page; None for what is none. Raises Refusal where reading it takes too long."""
        try:
            return self._reader.ask(readable.asked(page), min(readable.SECONDS, self._seconds), self._cancelled)
        except Late:
            raise Refusal(f"{page.address} took too long to be turned into text, so it was not read", "busy") from None
        except Gone:
            raise Refusal(f"{page.address} could not be turned into text", "failed") from None

    def _ask_robots(self, parts: SplitResult, deadline: float) -> None:
        """Raises Refusal where robots.txt (RFC 9309) keeps us out; a file that is not there keeps nobody out."""
        site = f"{parts.scheme}://{parts.netloc}"
        if site not in self._robots:
            robots = RobotFileParser()
            status, page, _ = self._get(urlsplit(f"{site}/robots.txt"), deadline)
            text = page.data.decode("utf-8", "replace") if status == 200 else ""
            robots.parse(text.splitlines())
            self._robots[site] = robots
        if not self._robots[site].can_fetch(USER_AGENT, urlunsplit(parts)):
            raise Refusal(f"{parts.hostname} asks robots not to read this page (robots.txt)", "denied")

    def _get(self, parts: SplitResult, deadline: float) -> tuple[int, Page, str]:
        """Status, page, and where it redirects to. The connection is cut at the deadline, whatever the server does:
        each byte of a slow one would set a timeout of the socket back."""
        connection = self._connect(parts, deadline)
        late = threading.Event()

        def cut() -> None:
            late.set()
            connection.shutdown(socket.SHUT_RDWR)

        timer = threading.Timer(max(0.0, deadline - time.monotonic()), cut)
        timer.start()
        try:
            answer = _exchange(connection, parts)
            if late.is_set():  # cut off in its headers, an answer reads as a whole one without a body
                raise TimeoutError
            return answer
        except (OSError, http.client.HTTPException, ValueError) as error:
            why = f"it took longer than {self._seconds:g} seconds" if late.is_set() else type(error).__name__
            raise Refusal(f"{parts.hostname} could not be read: {why}", "failed") from error
        finally:
            timer.cancel()
            connection.close()

    def _connect(self, parts: SplitResult, deadline: float) -> socket.socket:
        host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
        try:
            found = {entry[4][0] for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)}
        except (OSError, UnicodeError) as error:
            raise Refusal(f"There is no address for {host[:100]!r}", "missing") from error
        addresses = [ipaddress.ip_address(str(one).partition("%")[0]) for one in sorted(found, key=str)]
        # One that is not public is enough: a name with both kinds was made to be tried twice.
        if not addresses or not all(self._permits(one, port) for one in addresses):
            raise Refusal(f"{host[:100]} is not a public address of the web, so it is not reached", "denied")
        last: Exception | None = None
        for one in addresses:
            left = deadline - time.monotonic()
            if left <= 0:
                break
            try:
                return _secured(socket.create_connection((str(one), port), min(left, 5.0)), parts, left)
            except OSError as error:
                last = error
        raise Refusal(
            f"{host[:100]} could not be reached ({type(last).__name__ if last else 'no time left'})", "failed"
        )


def _secured(plain: socket.socket, parts: SplitResult, left: float) -> socket.socket:
    if parts.scheme == "http":
        plain.settimeout(left)
        return plain
    try:
        return ssl.create_default_context().wrap_socket(plain, server_hostname=parts.hostname)
    except BaseException:
        plain.close()
        raise


def _checked(address: str) -> SplitResult:
    """The parts of an address that may be looked at further. Raises Refusal."""
    try:
        parts = urlsplit(address.strip())
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 80) > 0
    except ValueError:
        valid = False
    if not valid or re.search(r"[\x00-\x1f\x7f\\]", address.strip()):
        raise Refusal("It is no address of the web; use one that begins with https:// or http://", "name")
    if "@" in parts.netloc:
        raise Refusal("An address with a name or a password in it is not used", "denied")
    path, query = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~-._"), quote(parts.query, safe="/%:@!$&'()*+,;=~-._?")
    return parts._replace(path=path, query=query, fragment="")


def _exchange(connection: socket.socket, parts: SplitResult) -> tuple[int, Page, str]:
    host = (parts.hostname or "").encode("idna").decode()
    host = f"[{host}]" if ":" in host else host
    request = http.client.HTTPConnection(host, parts.port)
    request.sock = connection
    target = urlunsplit(("", "", parts.path or "/", parts.query, ""))
    headers = {"User-Agent": USER_AGENT, "Accept": "text/html,text/plain,*/*;q=0.5", "Connection": "close"}
    request.request("GET", target, headers=headers)
    response = request.getresponse()
    kind, charset = response.headers.get_content_type(), response.headers.get_content_charset() or ""
    if int(response.headers.get("Content-Length") or 0) > LARGEST_PAGE:
        raise Refusal(f"It is larger than {LARGEST_PAGE:,} bytes, so it was not read", "too_large")
    data = response.read(LARGEST_PAGE + 1)
    if len(data) > LARGEST_PAGE:
        raise Refusal(f"It is larger than {LARGEST_PAGE:,} bytes, so it was not read", "too_large")
    return response.status, Page(urlunsplit(parts), kind, data, charset), response.headers.get("Location", "")
