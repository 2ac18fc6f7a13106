"""The real agent in place of the learner's may_finish(): its gate, fed with the trajectory.

The real gate asks that something was run after the last change; what came of it, the model reports. The lesson asks
that the tests passed. So a test run counts here as one only when it passed, and until one fails.
"""

from __future__ import annotations

import tempfile

from agent.gates import Verified
from agent.contracts import Reply, TokenUsage
from agent.run import Run
from agent.setup import Setup
from jobs.coder import tools
from functions.tool import Catalogue
from sandbox.files.root import Root

ANSWER = Reply("I have fixed the bug.", (), TokenUsage(), "stop", {"role": "assistant", "content": ""})


def may_finish(trajectory: list[dict[str, str]]) -> str:
    with tempfile.TemporaryDirectory() as folder, Root(folder) as root:
        run, gate = Run(Setup("lmstudio", root, catalogue=Catalogue(tools({})))), Verified()
        for step in trajectory:
            if step["name"] == "push_back":
                gate.reply(ANSWER, run, last=False)
                continue
            failed = step["result"].startswith("Error: ") or "tests failed" in step["result"]
            status = "error" if failed else "completed"
            if failed and step["name"] == "run_tests":
                for earlier in run.trajectory:
                    if earlier["name"] == "run_tests":
                        earlier["status"] = "error"
            entry = {"name": step["name"], "arguments": {"file_path": "pkg/calculator.py"}, "status": status}
            run.trajectory.append(entry)
        said = gate.reply(ANSWER, run, last=False)
        return said or ""
