"""A repository on GitHub, or on a server that speaks its REST interface, as a value that is held.

One base address and one repository, both given by the person; the token goes into one header and nowhere else.
"""

import json
import re
import threading
import time
from collections.abc import Mapping
from concurrent.futures import Future, wait
from typing import Any

from config import VERSION
from reach.secrets import covered
from sandbox.files.root import Refusal

SECONDS = 20.0  # for one answer
LOOK_SECONDS = 0.1  # between two looks whether the run was stopped
LARGEST_ANSWER = 2_000_000  # bytes
NAME = re.compile(r"[\w.-]+/[\w.-]+")
API_VERSION = "2022-11-28"  # docs.github.com/rest/about-the-rest-api/api-versions


class GitHub:
    """Every failure is a Refusal, as a sentence without the token."""

    def __init__(
        self,
        repository: str,
        token: str,
        base: str = "https://api.github.com",
        cancelled: threading.Event | None = None,
    ) -> None:
        """`repository` such as "owner/name". Raises Refusal for one that is none. Set `cancelled`, and nobody waits for
        an answer any more."""
        if not NAME.fullmatch(repository):
            raise Refusal(f'"{repository}" is no repository; GITHUB_REPOSITORY must be such as owner/name', "name")
        self.repository, self._token, self._base = repository, token, base.rstrip("/")
        self._cancelled = cancelled or threading.Event()

    def close(self) -> None:
        """Nothing is kept open between two requests."""

    def describe(self) -> str:
        """One line for a person."""
        return f"GitHub: issues and pull requests of {self.repository} at {self._base}, no redirect followed"

    def get(self, path: str) -> Any:
        """What a GET of a path below the repository answers, as data."""
        return self._request("GET", path, None)

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        return self._request("POST", path, body)

    def _request(self, method: str, path: str, body: Mapping[str, Any] | None) -> Any:
        """Ask in a thread of its own: a server that drips its answer ends no waiting for the next piece of it."""
        asked: Future[Any] = Future()

        def ask() -> None:
            try:
                asked.set_result(self._ask(method, path, body))
            except Exception as error:
                asked.set_exception(error)

        threading.Thread(target=ask, name="GitHub", daemon=True).start()
        ends = time.monotonic() + SECONDS
        while not wait([asked], timeout=LOOK_SECONDS).done:
            if self._cancelled.is_set() or time.monotonic() > ends:
                why = "the run was stopped" if self._cancelled.is_set() else f"that took more than {SECONDS:g} seconds"
                advice = "" if body is None else "; whether it was done is not known, so look before you try again"
                raise Refusal(f"GitHub's answer was not waited for, as {why}{advice}", "failed")
        return asked.result()

    def _ask(self, method: str, path: str, body: Mapping[str, Any] | None) -> Any:
        import httpx2

        headers = {
            "Accept": "application/vnd.github+json",
            "Authorization": f"Bearer {self._token}",
            "User-Agent": f"Glassbox/{VERSION}",
            "X-GitHub-Api-Version": API_VERSION,
        }
        address = f"{self._base}/repos/{self.repository}{path}"
        data = bytearray()
        try:
            with (
                httpx2.Client(timeout=SECONDS, trust_env=False, follow_redirects=False) as client,
                client.stream(method, address, headers=headers, json=body) as response,
            ):
                for part in response.iter_bytes():
                    data += part
                    if len(data) > LARGEST_ANSWER:
                        raise Refusal(f"GitHub's answer is larger than {LARGEST_ANSWER:,} bytes", "too_large")
        except httpx2.HTTPError as error:
            raise Refusal(f"GitHub at {self._base} could not be reached ({type(error).__name__})", "failed") from None
        try:
            answer = json.loads(data or b"null")
        except (ValueError, RecursionError):
            raise Refusal(f"GitHub at {self._base} answered {response.status_code} with no JSON", "failed") from None
        if response.status_code not in (200, 201):
            why = explained(response.status_code, response.headers, answer, self.repository)
            raise Refusal(covered(why, self._token), "failed")
        return answer


def explained(status: int, headers: Mapping[str, str], answer: Any, repository: str) -> str:
    """What a failure means, and what to do. The shapes: docs.github.com/rest/using-the-rest-api."""
    said = answer if isinstance(answer, dict) else {}
    message = str(said.get("message", ""))[:300]
    if status in (403, 429) and (wait := seconds_to_wait(headers)) is not None:
        return f"GitHub's rate limit is reached; it opens again in {wait} seconds. Do not try again before"
    if status == 401:
        return f"GitHub does not know the token ({message}); the person sets GITHUB_TOKEN"
    if status in (403, 404):
        return f"GitHub has no {repository} that this token may do that in ({message})"
    if status in (301, 302, 307, 308):
        return f"{repository} has moved; the person sets GITHUB_REPOSITORY to its new name"
    errors = [each for each in said.get("errors") or [] if isinstance(each, dict)]
    details = "; ".join(str(each.get("message") or f"{each.get('field')}: {each.get('code')}") for each in errors)
    return f"GitHub answered {status}: {message}{f' ({details})' if details else ''}"


def seconds_to_wait(headers: Mapping[str, str]) -> int | None:
    """How long the rate limit holds, None where it is not that."""
    if (after := headers.get("retry-after", "")).isdigit():
        return int(after)
    if headers.get("x-ratelimit-remaining") == "0" and (reset := headers.get("x-ratelimit-reset", "")).isdigit():
        return max(1, int(reset) - int(time.time()))
    return None
