"""Who is measured: this agent and the bare SDK loop on both wires, and other agents, each in its own environment."""

from __future__ import annotations

import shutil
import subprocess
import sys
import venv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.compiled import same_for_all
from config import PROJECT, Settings, checks_of, variable_of, whole_environment
from jobs.job import own_settings

SCRIPTS = Path(__file__).with_name("peers")
PROMPT = "Read the notes."
SETTINGS = [name for kind in (Settings, *own_settings()) for name in checks_of(kind)]
UNSET = {variable for name in SETTINGS for variable in (name.upper(), variable_of(name))}
ENVIRONMENTS = PROJECT / ".runs" / "bench" / "peers"


@dataclass(frozen=True)
class Subject:
    """One loop that is measured. `floor` is the subject that it is compared with, "" for a floor itself."""

    name: str
    floor: str
    script: str
    provider: str = ""  # LLM_PROVIDER, for this agent
    style: str = "tools"  # see zero_latency.Script
    python: str = sys.executable

    def command(self, address: str, folder: Path, *, waiting: bool) -> list[str]:
        """How to start it. This agent is started as a person does, unless it needs the bench's own tool, `wait`."""
        if self.provider and not waiting:
            return [self.python, str(PROJECT / "main.py"), PROMPT, "--workdir", str(folder)]
        return [self.python, str(SCRIPTS / self.script), address, str(folder), PROMPT]

    def environment(self, address: str, runs: Path) -> dict[str, str]:
        """The environment to start it in: this agent's settings, none of the person's; traces go to `runs`."""
        kept = {name: value for name, value in same_for_all(whole_environment()).items() if name not in UNSET}
        if not self.provider:
            return kept
        ours = {
            "LLM_PROVIDER": self.provider,
            "GEMINI_API_KEY": "none",
            "MAX_ITERS": "0",
            "GLASSBOX_RUNS_DIRECTORY": str(runs),
        }
        return {**kept, **ours, "LMSTUDIO_BASE_URL": f"{address}/v1", "GEMINI_BASE_URL": address}


OURS = (
    Subject("this agent, OpenAI wire", "bare SDK loop, OpenAI wire", "glassbox.py", "lmstudio"),
    Subject("bare SDK loop, OpenAI wire", "", "bare_openai.py"),
    Subject("this agent, Gemini wire", "bare SDK loop, Gemini wire", "glassbox.py", "gemini"),
    Subject("bare SDK loop, Gemini wire", "", "bare_gemini.py"),
)


@dataclass(frozen=True)
class Peer:
    requirements: tuple[str, ...]  # itself first, at one exact version, so that figures can be repeated
    script: str
    style: str = "tools"


PEERS = {  # mini-swe-agent's litellm imports mcp without asking for it
    "mini-swe-agent": Peer(("mini-swe-agent==2.4.6", "mcp==2.3.0"), "mini_swe_agent.py", "bash"),
    "smolagents": Peer(("smolagents[openai]==1.26.0",), "smolagents_agent.py", "final_answer"),
    "openai-agents": Peer(("openai-agents==0.24.0",), "openai_agents_agent.py"),
    "pydantic-ai": Peer(("pydantic-ai-slim[openai]==2.68.0",), "pydantic_ai_agent.py"),
}


def peer(name: str) -> Subject:
    """The peer as a subject; its environment is made first when it is missing. Raises OSError when that fails."""
    known = PEERS[name]
    place = ENVIRONMENTS / name
    python = place / "bin" / "python"
    complete = place / "complete.txt"
    wanted = " ".join(known.requirements)
    if not complete.is_file() or complete.read_text() != wanted:
        print(f"installing {wanted} into {place.relative_to(PROJECT)}", file=sys.stderr)
        install(place, python, known.requirements)
        complete.write_text(wanted)
    title = f"{name} {known.requirements[0].partition('==')[2]}"
    return Subject(title, OURS[1].name, known.script, style=known.style, python=str(python))


def install(place: Path, python: Path, requirements: Sequence[str]) -> None:
    """Make an environment and install into it, by uv where that is there, else by pip."""
    uv = shutil.which("uv")
    venv.create(place, clear=True, with_pip=not uv)
    start = [uv, "pip", "install", "--python", str(python)] if uv else [str(python), "-m", "pip", "install"]
    command = [*start, "--quiet", *requirements]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:  # else what the installer says is its own matter: warnings about links, caches, new versions
        said = " ".join(done.stderr.split())[-300:]
        raise OSError(f"{requirements[0]} could not be installed; leave it out of --peers, or try again ({said})")
