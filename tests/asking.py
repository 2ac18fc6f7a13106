"""A person who talks with the built-in model over a real wire, in one conversation, about a real directory."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wire_run import loop_of, settings_for

from agent.contracts import AgentResult
from jobs import coder
from sandbox.files.root import Root

CHANGES = frozenset(("edit_file", "write_file"))


@dataclass
class Person:
    """`wire` is "openai" or "gemini", `address` where the built-in model is served."""

    wire: str
    address: str
    root: Path
    verify: bool = True  # whether the agent objects to changes that were not run
    approve: Any = None  # as a run's Setup has it
    said: list[dict[str, Any]] = field(default_factory=list)

    def ask(self, prompt: str) -> AgentResult:
        """One run that goes on from those before."""
        settings = settings_for(self.wire, self.address, verify=self.verify)
        with Root(self.root) as root:
            more: dict[str, Any] = {"history": self.said, "approve": self.approve}
            result = loop_of(self.wire)(prompt, settings, coder.JOB.begin(self.wire, root, settings, **more))
        assert result.stop_reason == "answered", result.errors
        self.said += [{"role": "user", "text": prompt}, {"role": "model", "text": result.answer, "calls": []}]
        return result

    def files(self) -> dict[str, str]:
        return {str(path.relative_to(self.root)): path.read_text("utf-8") for path in self.root.rglob("*.py")}


def changes(result: AgentResult) -> list[str]:
    """The files that calls of a run changed, or tried to."""
    return [str(call["arguments"].get("file_path")) for call in result.tool_calls if call["name"] in CHANGES]
