"""What our MCP server offers beside tools: the files of the working directory as resources, and its job as a prompt.

Both are handlers of the `mcp` SDK: they take its context and parameters, and raise its error for what cannot be given.
"""

from __future__ import annotations

import asyncio
import base64
import mimetypes
from itertools import islice
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from sandbox.files.root import Refusal, Root

if TYPE_CHECKING:
    from mcp_types import GetPromptResult, ListPromptsResult, ListResourcesResult, ReadResourceResult, Resource

    from agent.run import Run
    from jobs.job import Job

SCHEME = "workdir:///"  # and a path below the working directory, quoted as in an address: no path of the disk is told
PAGE = 200  # resources in one answer to resources/list
LARGEST_FILE = 4 * 2**20  # bytes of one resource, as search_files reads
TASK = "task"  # the one argument of a prompt


class Files:
    """The files below a working directory, found as the tools find them (`Root.walk`) and read through the same Root:
    no link is followed, and nothing outside is there."""

    def __init__(self, root: Root) -> None:
        self.root = root

    async def listed(self, context: Any, params: Any) -> ListResourcesResult:
        """A page of all files, in the order of the walk; the cursor says how many came before."""
        from mcp_types import ListResourcesResult

        cursor = (params and params.cursor) or "0"
        if not (cursor.isascii() and cursor.isdigit() and len(cursor) < 10):
            raise wrong(f"there is no page {cursor[:80]!r}: a cursor is what the page before gave as nextCursor")
        begin = int(cursor)
        found = await asyncio.to_thread(self._page, begin)
        more = str(begin + PAGE) if len(found) > PAGE else None
        return ListResourcesResult(resources=found[:PAGE], next_cursor=more)

    def _page(self, begin: int) -> list[Resource]:
        from mcp_types import Resource

        return [
            Resource(name=path, uri=address_of(path), size=entry.size, mime_type=mimetypes.guess_type(path)[0])
            for path, entry in islice(self.root.walk(), begin, begin + PAGE + 1)
        ]

    async def templates(self, context: Any, params: Any) -> Any:
        """One: any path below the working directory."""
        from mcp_types import ListResourceTemplatesResult, ResourceTemplate

        about = "a file of the working directory, by its path relative to it"
        file = ResourceTemplate(name="file", uri_template=f"{SCHEME}{{+path}}", description=about)
        return ListResourceTemplatesResult(resource_templates=[file])

    async def read(self, context: Any, params: Any) -> ReadResourceResult:
        """A file of at most LARGEST_FILE bytes: as text where it is UTF-8 without a NUL, else in base64."""
        from mcp_types import BlobResourceContents, ReadResourceResult, TextResourceContents

        uri = str(params.uri)
        if not uri.startswith(SCHEME):
            raise wrong(f"there is no resource {uri[:200]!r}: the resources here begin with {SCHEME}", uri)
        path = unquote(uri.removeprefix(SCHEME))
        try:
            data = await asyncio.to_thread(self.root.read_bytes, path, limit=LARGEST_FILE)
        except Refusal as refusal:
            raise wrong(str(refusal), uri) from None
        kind = mimetypes.guess_type(path)[0]
        try:
            text = None if b"\0" in data else data.decode("utf-8")
        except UnicodeDecodeError:
            text = None
        if text is None:
            blob = base64.b64encode(data).decode("ascii")
            return ReadResourceResult(contents=[BlobResourceContents(uri=uri, mime_type=kind, blob=blob)])
        return ReadResourceResult(contents=[TextResourceContents(uri=uri, mime_type=kind or "text/plain", text=text)])


class Prompts:
    """The job whose tools are offered, as a prompt: what its agent is told, and the task that the person gives."""

    def __init__(self, job: Job, run: Run) -> None:
        self.job, self.run = job, run

    async def listed(self, context: Any, params: Any) -> ListPromptsResult:
        from mcp_types import ListPromptsResult, Prompt, PromptArgument

        task = PromptArgument(name=TASK, description="what is to be done", required=not self.job.default_prompt)
        return ListPromptsResult(prompts=[Prompt(name=self.job.name, description=self.job.does, arguments=[task])])

    async def got(self, context: Any, params: Any) -> GetPromptResult:
        from mcp_types import GetPromptResult, PromptMessage, TextContent

        if params.name != self.job.name:
            raise wrong(f"there is no prompt {params.name[:80]!r} here, only {self.job.name!r}")
        task = (params.arguments or {}).get(TASK, "").strip() or self.job.default_prompt
        if not task:
            raise wrong(f"the prompt {self.job.name!r} needs the argument {TASK!r}: what is to be done")
        content = TextContent(text=f"{self.run.system_prompt}\n\nThe task:\n{task}")
        return GetPromptResult(description=self.job.does, messages=[PromptMessage(role="user", content=content)])


def address_of(path: str) -> str:
    return SCHEME + quote(path)


def wrong(why: str, uri: str | None = None) -> Exception:
    """The error that the protocol has for what a client asked wrongly; of 2026-07-28 on, for no such resource too."""
    from mcp.shared.exceptions import MCPError
    from mcp_types import INVALID_PARAMS

    return MCPError(INVALID_PARAMS, why, {"uri": uri} if uri else None)
