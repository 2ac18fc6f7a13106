"""The coder's tools as tests need them, and one run of its, wired without a loop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agent.contracts import ToolCall, ToolResult
from agent.events import Listener
from agent.run import Run
from agent.setup import Setup
from call_functions import run_call
from functions.tool import Catalogue
from jobs import coder
from sandbox.files.root import Root

CATALOGUE = Catalogue(coder.tools({}))


def run_on(root: Root, listeners: Sequence[Listener] = (), provider: str = "test", **more: Any) -> Run:
    return Run(Setup(provider, root, **{"catalogue": CATALOGUE, **more}), listeners)


def run_alone(call: ToolCall, root: Any) -> ToolResult:
    return run_call(call, CATALOGUE, {"root": root})
