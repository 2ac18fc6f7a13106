"""The operator: no tools of its own; what it can do comes from skills and MCP servers, which are independent."""

from __future__ import annotations

import shlex
import sys

from agent.run import Run
from agent.setup import Help
from config import PROJECT, Settings
from jobs.job import Equipment, Job
from jobs.operator.prompt import PROMPT

WORKPLACE = "samples/operator"


def equipment(settings: Settings) -> Equipment:
    """What the person named; where that is nothing, the two skills and the small fleet that ship. They are part of this
    program: nothing that another directory holds is ever read or started because it stands there."""
    if settings.mcp or settings.skills_paths:
        return Equipment(settings.mcp, settings.skills_paths)
    shipped = PROJECT / WORKPLACE
    fleet = shlex.join([sys.executable, str(shipped / "fleet.py")])
    return Equipment((fleet,), (str(shipped / "skills"),), can_do_without=True)


def help(settings: Settings, run: Run) -> Help | None:
    """What a small model is given."""
    from jobs.operator.first_look import help_for

    return help_for(settings, run)


JOB = Job(
    name="operator",
    does="works through MCP servers and skills alone: --mcp, --skills (default: a small fleet of services)",
    example='python main.py --job operator "restart every degraded service"',
    prompt=PROMPT,
    tools=lambda resources: (),
    workplace=WORKPLACE,
    equipment=equipment,
    help=help,
)
