"""Our client as the suite meets it: python -m bench.conformance.client ADDRESS lists a server's tools and calls each.

The suite says in its environment which calls it wants, and as whom to log in; without that, each tool gets arguments
made from its schema, and the server registers us.
"""

from __future__ import annotations

import json
import sys
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from config import environment_of
from reach.handed_on import plain_environment
from reach.mcp_server import McpServer, ServerError, Surroundings
from reach.mcp_settings import Client, ServerSettings

WANTED = "MCP_CONFORMANCE_CONTEXT"
OF_TYPE: dict[str, Any] = {"number": 2, "integer": 2, "string": "x", "boolean": True, "array": [], "object": {}}
CALL_SECONDS = 15.0


def main(address: str) -> int:
    """List and call; the exit code says whether the server could be used at all."""
    ending, seconds = threading.Event(), CALL_SECONDS
    told = json.loads(environment_of([WANTED]).get(WANTED, "{}"))
    client = Client(told["client_id"], told["client_secret"]) if "client_secret" in told else None
    folder = tempfile.TemporaryDirectory()
    person: Any = {"ask": takes_the_defaults, "login": opens, "logins": Path(folder.name)}
    around = Surroundings(plain_environment(), ending, print, seconds, connect_seconds=seconds, **person)
    try:
        server = McpServer(ServerSettings("suite", url=address, client=client), around)
    except ServerError as error:
        print(error, file=sys.stderr)
        return 1
    offered = {tool.remote: tool for tool in server.tools}
    wanted = told.get("toolCalls")
    calls = {name: arguments_for(tool.parameters) for name, tool in offered.items()}
    calls = {each["name"]: each["arguments"] for each in wanted} if wanted else calls
    for name, arguments in calls.items():
        if name in offered:
            print(name, server.call(offered[name], arguments))
    server.close()
    return 0


def takes_the_defaults(server: str, message: str, form: Mapping[str, Any], *_: object) -> dict[str, Any]:
    """The person, as the suite means one: with --ask, an empty line for each value that has a default."""
    fields = form.get("properties", {})
    return {name: field["default"] for name, field in fields.items() if "default" in field}


def opens(server: str, address: str) -> None:
    """The person, who opens the address; the suite consents at once, and the browser follows back to this machine."""
    with urlopen(address, timeout=CALL_SECONDS) as page:
        page.read()


def arguments_for(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A value of the right type for each parameter that is required."""
    known = schema.get("properties", {})
    return {name: OF_TYPE.get(known.get(name, {}).get("type"), "x") for name in schema.get("required", ())}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
