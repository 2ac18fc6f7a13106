"""What the scripted model says when an agent's own cost is measured: so many turns, so many calls, at once."""

from __future__ import annotations

from dataclasses import dataclass

from offline.script import Call, Step, call, say


@dataclass(frozen=True)
class Script:
    """What the model does: `turns` messages of `calls` tool calls each, then the answer.

    `style` is what the agent's tools are called: "tools" (get_file_content, wait), "bash" (one tool that takes a
    command, and ends by one), "final_answer" (as "tools", and the answer is a tool call as well).
    """

    turns: int
    calls: int = 1
    style: str = "tools"
    waiting: bool = False  # each call takes 100 ms, instead of reading a small file

    def steps(self) -> list[Step]:
        """One for each request, the answer last."""
        asked = [[self._call(turn * self.calls + number) for number in range(self.calls)] for turn in range(self.turns)]
        return [*(call(*calls, usage=(1, 1)) for calls in asked), self._answer()]

    def _answer(self) -> Step:
        if self.style == "bash":
            return call(Call("bash", {"command": "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"}, "end"), usage=(1, 1))
        if self.style == "final_answer":
            return call(Call("final_answer", {"answer": "Done."}, "end"), usage=(1, 1))
        return say("Done.", usage=(1, 1))

    def _call(self, number: int) -> Call:
        name = f"call_{number}"  # each its own in the whole run: an agent may refuse one that was used before
        if self.style == "bash":
            return Call("bash", {"command": "sleep 0.1" if self.waiting else f"cat notes/{number}.txt"}, name)
        if self.waiting:
            return Call("wait", {"number": number}, name)
        return Call("get_file_content", {"file_path": f"notes/{number}.txt"}, name)
