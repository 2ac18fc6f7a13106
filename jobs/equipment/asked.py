"""What a model is asked where a prompt may begin with the name of a skill, or of one of an MCP server's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from functions.tool import Resources
from jobs.equipment.called import called
from jobs.equipment.prompted import prompted


def what_is_asked(
    prompt: str, resources: Resources, more: dict[str, Any], tell: Callable[[str], None]
) -> tuple[str, dict[str, Any]]:
    """What the model is asked, and the Setup's fields: a prompt may start a skill by its name, and then the tools
    that this allows are not asked about, or be one of an MCP server's."""
    skills, servers = resources.get("skills"), resources.get("mcp")
    if servers:
        asked, about = prompted(prompt, servers)
        if about:  # and what a server wrote starts no skill
            tell(about)
            if skills is not None:
                skills.called = {}
            return asked, more
    if skills is None:
        return prompt, more
    asked, about = called(prompt, skills)
    if about:
        tell(about)
    allowed = {name for skill in skills.called for name in skills[skill].allowed}
    if allowed and (approve := more.get("approve")):
        more["approve"] = lambda call, run: None if call.name in allowed else approve(call, run)
    return asked, more
