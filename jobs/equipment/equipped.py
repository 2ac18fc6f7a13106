"""What any job may have beside its own tools: MCP servers and skills, which are independent of each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from agent.contracts import ToolResult
from agent.run import Run
from agent.setup import Hook
from config import ConfigError, Settings, variable
from functions.tool import Catalogue, Resources, Tool
from jobs.job import Equipment, Job, Tell
from reach.handed_on import plain_environment
from reach.mcp_logins import logins_of
from sandbox.files.root import Root

if TYPE_CHECKING:
    from reach.mcp_oauth import Show
    from reach.mcp_server import Ask, Surroundings
    from reach.mcp_servers import Servers
    from reach.skills import Skills


class Outside(NamedTuple):
    """What servers get of the surroundings: the environment that they are started with, the values that stand for
    `${NAME}` in the file that names them, by default both what config.py hands on; and the person, to be asked and to
    log in."""

    environment: Callable[[], Mapping[str, str]] = plain_environment
    variable: Callable[[str], str | None] = variable
    ask: Ask | None = None
    login: Show | None = None


@contextmanager
def equipped(
    job: Job,
    wanted: Equipment,
    settings: Settings,
    root: Root,
    tell: Tell,
    outside: Outside | None = None,
) -> Iterator[tuple[Job, Resources]]:
    """Open what a job holds, and the servers and skills that the person named; yield the job that has their tools, and
    what is held. All are closed at the end. Raises ConfigError for what cannot be used."""
    outside = outside or Outside()
    with ExitStack() as stack:
        resources = dict(stack.enter_context(job.opens(settings, root, tell)))
        if wanted.skills:
            resources["skills"] = stack.enter_context(opened_skills(wanted, tell))
        if wanted.mcp:
            from reach.mcp_server import Surroundings

            seconds, picked = settings.mcp_seconds or 1e9, settings.mcp_tools
            person: Any = {"ask": outside.ask, "login": outside.login, "logins": logins_of(settings)}
            around = Surroundings(outside.environment(), root.cancelled, tell, seconds, wanted=picked, **person)
            resources |= stack.enter_context(opened_servers(wanted, around, outside.variable))
        yield with_equipment(job, resources), resources


@contextmanager
def opened_skills(wanted: Equipment, tell: Tell) -> Iterator[Skills]:
    from reach.skills import Skills

    skills = Skills(wanted.skills)
    try:
        for sentence in [*skills.broken, *(doubt for skill in skills.values() for doubt in skill.doubts)]:
            tell(sentence)
        names = ", ".join(skills) or "none that can be used"
        tell(f"Skills: {names} (about {len(skills.prompt()) // 4} tokens in each request).")
        yield skills
    finally:
        skills.close()


@contextmanager
def opened_servers(
    wanted: Equipment, around: Surroundings, value_of: Callable[[str], str | None]
) -> Iterator[dict[str, object]]:
    from jobs.equipment.find_tools import Shelf
    from reach.mcp_servers import Servers
    from reach.pages import Pages

    try:
        servers = Servers(wanted.mcp, around, value_of)
    except ConfigError as error:
        if not wanted.can_do_without:
            raise
        around.tell(f"It goes on without its MCP server: {error}.")
        yield {}
        return
    try:
        for line in servers.about():
            around.tell(line)
        held = {"mcp": servers, "pages": Pages(), "shelf": Shelf()}
        if equipment_tools(held)[0].name == "find_tools":
            around.tell("These are many: the model is told of one tool that finds them. --mcp-tools picks some.")
        yield held
    finally:
        servers.close()


def with_equipment(job: Job, resources: Resources) -> Job:
    """Return the job with the tools, the prompt and the gate that go with what is held."""
    skills: Skills | None = resources.get("skills")
    if not skills and "mcp" not in resources:
        return job

    def tools(resources: Resources) -> Iterable[Tool]:
        return [*job.tools(resources), *equipment_tools(resources)]

    def hooks(settings: Settings, resources: Resources) -> Sequence[Hook]:
        return [*job.hooks(settings, resources), *([Following(tools)] if "mcp" in resources else [])]

    prompt = f"{job.prompt}\n\n{skills.prompt()}" if skills else job.prompt
    return replace(job, tools=tools, hooks=hooks, prompt=prompt)


def equipment_tools(resources: Resources) -> list[Tool]:
    found: list[Tool] = []
    if resources.get("skills"):
        from jobs.equipment import read_skill, run_skill_script

        found.append(read_skill.TOOL)
        if any(skill.scripts() for skill in resources["skills"].values()):
            found.append(run_skill_script.tool_for(resources["skills"]))
    if "mcp" in resources:
        from jobs.equipment import read_more
        from jobs.equipment.server_tools import tools_of

        found += [*resources["shelf"].offered(tools_of(resources["mcp"], resources["pages"])), read_more.TOOL]
    return found


class ServerSaid(NamedTuple):
    """What a server wrote on its standard error."""

    server: str
    lines: Sequence[str]
    at: float = 0.0
    kind: str = "server_said"


class Following(Hook):
    """Offers what the servers offer, also after their lists have changed, and writes into the trace what they said on
    standard error."""

    def __init__(self, tools: Callable[[Resources], Iterable[Tool]]) -> None:
        self._tools = tools
        self._followed = False

    def _offer(self, run: Run) -> None:
        run.catalogue.replace(Catalogue(self._tools(run.resources)).values())

    def before_request(self, run: Run) -> None:
        """Before the first: the list changes while calls run, and in the servers' threads."""
        if self._followed:
            return
        self._followed = True

        def offer() -> None:
            self._offer(run)
            run.notice("An MCP server changed its list of tools; the model is told of the new one.")

        run.resources["mcp"].follow(offer)

    def after_call(self, result: ToolResult, run: Run) -> ToolResult:
        """What was found is offered in the next request."""
        if result.call.name == "find_tools":
            self._offer(run)
        return result

    def ended(self, run: Run) -> None:
        servers: Servers = run.resources["mcp"]
        servers.follow(lambda: None)
        for name, lines in servers.said().items():
            run.emit(ServerSaid(name, lines))
