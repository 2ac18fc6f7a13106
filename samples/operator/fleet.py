"""A small fleet of services as an MCP server, for the operator: list, look, restart, scale, deploy, tell.

    python fleet.py [--state FILE]

Nothing real is behind it. The state begins as fleet.json has it and lives in memory; with --state it is written to that
file after every change, so that it can be seen what a run did.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any, Literal

try:
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp_types import ToolAnnotations
except ImportError:
    sys.exit("This server needs the package mcp. Add it with: uv sync --extra mcp")

LOOKS = ToolAnnotations(read_only_hint=True)
CHANGES = ToolAnnotations(read_only_hint=False, destructive_hint=True)
STATE = json.loads(Path(__file__).with_name("fleet.json").read_text(encoding="utf-8"))
server = MCPServer("fleet", instructions="A small fleet of services.")
kept: Path | None = None

Status = Literal["running", "degraded", "stopped"]


def main() -> None:
    global kept
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--state", type=Path, help="write the state to this file after every change")
    kept = parser.parse_args().state
    server.run("stdio")


@server.tool(annotations=LOOKS)
def list_services(status: Status | None = None, team: str | None = None) -> list[dict[str, Any]]:
    """List the services of the fleet, all of them or those of a status or a team."""
    listed = [summary(name) for name in STATE["services"]]
    return [each for each in listed if status in (None, each["status"]) and team in (None, each["team"])]


@server.tool(annotations=LOOKS)
def get_service(name: str) -> dict[str, Any]:
    """Look at one service: its status, replicas, version, team, region and what it depends on."""
    return {"name": name, **service(name)}


@server.tool(annotations=LOOKS)
def get_logs(name: str, level: Literal["info", "warning", "error"] | None = None, lines: int = 20) -> str:
    """Read the last lines of a service's log, all of them or those of a level."""
    service(name)
    found = [line for line in STATE["logs"][name] if level is None or line.startswith(level)]
    return "\n".join(found[-lines:]) or f"no {level or ''} lines".replace("  ", " ")


@server.tool(annotations=CHANGES)
def restart_service(name: str) -> str:
    """Restart a service. A degraded service recovers by it; one that is stopped is started with one replica."""
    it = service(name)
    it["restarts"] += 1
    it["status"] = "running"
    it["replicas"] = max(1, it["replicas"])
    return changed(name, f"{name} was restarted and is running")


@server.tool(annotations=CHANGES)
def scale_service(name: str, replicas: int) -> str:
    """Set how many replicas of a service run; none stops it."""
    it = service(name)
    if not 0 <= replicas <= it["most_replicas"]:
        raise ToolError(f"{name} may have 0 to {it['most_replicas']} replicas, not {replicas}")
    it["replicas"] = replicas
    it["status"] = "stopped" if replicas == 0 else "running" if it["status"] == "stopped" else it["status"]
    return changed(name, f"{name} has {replicas} replicas")


@server.tool(annotations=CHANGES)
def deploy_service(name: str, version: str) -> str:
    """Deploy a version of a service."""
    it = service(name)
    if it["version"] == version:
        raise ToolError(f"{name} is at version {version} already")
    it["previous_version"], it["version"] = it["version"], version
    return changed(name, f"{name} is at version {version}")


@server.tool(annotations=CHANGES)
def rollback_service(name: str) -> str:
    """Roll a service back to its previous version."""
    it = service(name)
    it["previous_version"], it["version"] = it["version"], it["previous_version"]
    return changed(name, f"{name} is back at version {it['version']}")


@server.tool(annotations=CHANGES)
def open_incident(service: str, title: str, severity: Literal["low", "medium", "high"] = "medium") -> str:
    """Open an incident about a service, with a title and a severity."""
    if service not in STATE["services"]:
        raise unknown(service)
    number = len(STATE["incidents"]) + 1
    STATE["incidents"].append({"number": number, "service": service, "title": title, "severity": severity})
    return changed(service, f"incident {number} about {service} is open")


@server.tool(annotations=CHANGES)
def notify_team(team: str, message: str) -> str:
    """Send a message to a team."""
    teams = sorted({each["team"] for each in STATE["services"].values()})
    if team not in teams:
        raise ToolError(f"there is no team {team!r}; the teams are {', '.join(teams)}")
    STATE["messages"].append({"team": team, "message": message})
    return changed(team, f"the team {team} was told")


def service(name: str) -> dict[str, Any]:
    if name not in STATE["services"]:
        raise unknown(name)
    return STATE["services"][name]


def unknown(name: str) -> ToolError:
    return ToolError(f"there is no service {name!r}; the services are {', '.join(STATE['services'])}")


def summary(name: str) -> dict[str, Any]:
    it = service(name)
    shown = ("team", "status", "replicas", "version", "region", "depends_on")
    return {"name": name, **{key: it[key] for key in shown}}


def changed(what: str, sentence: str) -> str:
    if kept:
        kept.write_text(json.dumps(STATE, indent=1), encoding="utf-8")
    print(f"changed {what}", file=sys.stderr)
    return sentence


if __name__ == "__main__":
    main()
