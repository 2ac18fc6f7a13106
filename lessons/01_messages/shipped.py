"""The real agent in place of the learner's start(): what run_agent in main.py sends first."""

from __future__ import annotations

import tempfile
from typing import Any


def start(system: str, task: str) -> list[dict[str, Any]]:
    from agent.context import Context
    from agent.run import Run
    from agent.setup import Setup
    from config import Settings
    from lessons import fake_model
    from main import run_agent
    from sandbox.files.root import Root

    with fake_model.serve([fake_model.Say("Done.")]) as model, tempfile.TemporaryDirectory() as folder:
        with Root(folder) as root:
            run = Run(Setup("lmstudio", root, system_prompt=system, memory=Context))
            run_agent(task, Settings(lmstudio_base_url=f"{model.address}/v1"), run)
        return model.requests[0]["messages"]
