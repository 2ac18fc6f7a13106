"""The learner's own agent with a small model: what they built in lesson 21 is put around it, and the real agent lends
its search, for a small model cannot quote the line that it wants to change."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from lessons.learner import Learner
from lessons.parts import parts_for

HELP = "small"  # the part
# Runs where the learner's code runs. The opening is made once and stays where it was put, so that each request begins
# as the one before did. After tests that pass the tools are withheld, or a small model never comes to an answer.
RUN = """
import agent, dispatch, gate, parallel, small, toolbox

def suggest_repair(root: str) -> str:
    'Search for small changes that make the failing tests pass. Changes nothing.'
    return lent("suggest_repair")

def apply_repair(root: str, number: int) -> str:
    'Make a change that suggest_repair found, and run the tests.'
    return lent("apply_repair", number)

for tool in (suggest_repair, apply_repair):
    toolbox.TOOLS[tool.__name__] = toolbox.explained(tool)
getattr(parallel, "WRITES", set()).add("apply_repair")
LOOKS = [("get_dir_info", {"directory": "."}), ("run_tests", {}), ("suggest_repair", {})]
DONE = "All tests pass now. Answer in plain text: what was wrong, and what you changed."
opened = []

def asked(messages, menu):
    if not opened:
        opened.extend(small.opening(messages[:2], LOOKS, dispatch.call_tool)[2:])
    names = [dish["function"]["name"] for dish in menu]
    last = messages[-1]
    passed = last["role"] == "tool" and any(map(gate.passed, last["content"].splitlines()))
    sent = [*messages[:2], *opened, *messages[2:]]
    if passed:
        return ask([*sent, {"role": "user", "content": DONE}], [])
    return small.mended(ask(sent, menu), names)

result = agent.agent(asked, prompt, "calculator")
"""


def own_help(learner: Learner) -> Path | None:
    """The learner's file of lesson 21, None where it has not passed, or holds no more."""
    return parts_for(learner, learner.lessons[-1], (HELP,)).files.get(HELP)


def lender(calculator: Path) -> Callable[..., str]:
    """The real agent's two tools that find a change and make it by its number, by their names."""
    from functions.apply_repair import apply_repair
    from functions.suggest_repair import suggest_repair
    from functions.suggestions import Suggestions
    from sandbox.files.root import hold

    kept: dict[str, Suggestions] = {}

    def lent(name: str, number: int = 0) -> str:
        with hold(calculator) as root:
            suggestions = kept.setdefault("last", Suggestions(root))
            suggestions.root = root
            return str(suggest_repair(suggestions) if name == "suggest_repair" else apply_repair(suggestions, number))

    return lent
