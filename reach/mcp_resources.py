"""A server's resources as one tool: without an address it lists them, with one it reads it.

A server that has many is then no more in each request than one that has few.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from reach.mcp_tools import RemoteTool, offered_name
from sandbox.files.unusual import without_controls

NAME = "read_resource"
MOST = 500  # resources in a list
MOST_PAGES = 100  # of a list: one that never ends may give a new cursor each time
LOOK_SECONDS = 5.0  # for the look at the start whether there are any
LONGEST_ABOUT = 200  # characters of what a server says of one
PARAMETERS = {
    "type": "object",
    "properties": {"uri": {"type": "string", "description": "Address of a resource; without it: the list of all"}},
    "required": [],
}


async def tool_for(client: Any, server: str, *, trusted: bool) -> tuple[RemoteTool, ...]:
    """Return the tool for a server that has resources now, or patterns of their addresses; none for any other, also for
    one that says it has some and lists none, as many do, or does not answer."""
    if not client.server_capabilities.resources:
        return ()
    for page, field in ((client.list_resources, "resources"), (client.list_resource_templates, "resource_templates")):
        with suppress(Exception):  # whatever it is: the server's tools are there all the same
            if getattr(await asyncio.wait_for(page(), LOOK_SECONDS), field):
                about = f"Read a resource of the server {server}, or list them."
                name = offered_name(server, NAME)
                return (RemoteTool(name, NAME, about, PARAMETERS, PARAMETERS, trusted, False, True),)
    return ()


async def read(client: Any, uri: str) -> Any:
    """Return what the tool gives as the result of a call: the list, or what a resource holds. Raises the SDK's error
    where the server refuses."""
    from mcp_types import (
        CallToolResult,
        EmbeddedResource,
        InputRequiredResult,
        ReadResourceRequest,
        ReadResourceResult,
        TextContent,
    )
    from mcp_types import ReadResourceRequestParams as Params
    from pydantic import TypeAdapter

    if not uri:
        return CallToolResult(content=[TextContent(text=await listing(client))])
    answer: Any = TypeAdapter(ReadResourceResult | InputRequiredResult)
    result = await client.session.send_request(ReadResourceRequest(params=Params(uri=uri)), answer)
    if not hasattr(result, "contents"):
        return result
    return CallToolResult(content=[EmbeddedResource(resource=each) for each in result.contents])


async def listing(client: Any) -> str:
    """A line for each resource and each pattern of addresses, the first MOST."""
    from mcp.shared.exceptions import MCPError

    resources, cut_off = await every(client.list_resources, "resources", MOST)
    try:
        patterns, _ = await every(client.list_resource_templates, "resource_templates", MOST)
    except MCPError:  # a server may have none, and no list of none
        patterns = []
    lines = [line(each.uri, each) for each in resources[:MOST]]
    lines += [f"[only the first {len(lines)} are listed]"] if cut_off or len(resources) >= MOST else []
    lines += [f"{line(each.uri_template, each)} (fill in what stands in braces)" for each in patterns[:MOST]]
    return "\n".join(lines) or "this server has no resources now"


def line(address: str, resource: Any) -> str:
    said = " ".join(f"{resource.name or ''} {resource.description or ''}".split())[:LONGEST_ABOUT]
    return without_controls(f"{address}: {said}" if said else address)


async def every(page: Any, field: str, most: int) -> tuple[list[Any], bool]:
    """All of a list that comes in pages, in whole pages until there are `most`, and whether it was cut off because its
    pages did not end. A cursor that was given before ends it: behind it stands what is known already."""
    found: list[Any] = []
    given: set[str | None] = set()
    cursor = None
    while cursor not in given and len(found) < most:
        if len(given) == MOST_PAGES:
            return found, True
        given.add(cursor)
        result = await page(cursor=cursor)
        found += getattr(result, field)
        cursor = result.next_cursor or None
    return found, False
