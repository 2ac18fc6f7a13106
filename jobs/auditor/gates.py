"""Three gates: before an action, before a finding is taken, before the audit ends.

Each decides by rules, by the model itself, by another model, or by rules and then a model. What a gate refuses is not
done; its critique is the call's result, and the first thing in the next summary. Every verdict is an evaluation in the
trace and in the report.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from agent.contracts import Reply, ToolCall
from agent.errors import ProviderError
from agent.gates import Gate
from agent.run import Run
from config import Settings
from jobs.auditor.audit import Audit
from jobs.auditor.judge import Judge
from jobs.auditor.rules import ACTION_RULES, FINDING_RULES, RUN_RULES, WARNING, Rule
from jobs.auditor.settings import AuditorSettings

PASS, WARN, FAIL = "pass", "warn", "fail"
PUSH_BACKS = 2  # times that an answer is sent back; then it is taken, with a warning


@dataclass(frozen=True)
class Evaluation:
    """One verdict: of which gate, about what, by which rule or model, and the critique ("" where it passes)."""

    gate: str
    turn: int
    subject: str
    verdict: str
    by: str
    critique: str = ""


class Evaluated(NamedTuple):
    """An Evaluation, as the trace has it."""

    gate: str
    turn: int
    subject: str
    verdict: str
    by: str
    critique: str
    at: float = 0.0
    kind: str = "evaluation"


class Judging(Gate):
    """What the three have in common: asking the rules, a model, or both, and keeping the verdict."""

    gate = ""
    rules: Sequence[Rule] = ()

    def __init__(self, mode: str, judge: Callable[[bool], Judge]) -> None:
        """`mode` is rules, self, judge, composite or off; `judge(own)` gives the model to ask: the same, or another."""
        self._mode, self._judge = mode, judge

    def evaluate(self, name: str, arguments: Mapping[str, Any], run: Run) -> Evaluation:
        """Return the verdict on one thing, and keep it."""
        audit: Audit = run.resources["audit"]
        subject = f"{name} {arguments.get('field') or arguments.get('why') or arguments.get('claim') or ''}"[
            :120
        ].strip()
        found = Evaluation(self.gate, run.turns, subject, PASS, self._mode)
        if self._mode in ("rules", "composite"):
            found = self._by_rules(found, name, arguments, audit)
        if self._mode in ("self", "judge", "composite") and found.verdict != FAIL:
            verdict, critique, by = self._judge(self._mode == "self").ask(self.gate, name, arguments, audit)
            if verdict != PASS or found.verdict == PASS:
                found = Evaluation(self.gate, run.turns, subject, verdict, by, critique)
        audit.evaluations.append(asdict(found))
        run.emit(Evaluated(**asdict(found)))
        if found.verdict != PASS:
            audit.critique = f"{found.gate}: {found.critique}"
        return found

    def _by_rules(self, found: Evaluation, name: str, arguments: Mapping[str, Any], audit: Audit) -> Evaluation:
        """The first rule that fails decides; else the first that warns."""
        for rule in self.rules:
            text = rule(name, arguments, audit)
            if text and (found.verdict == PASS or not text.startswith(WARNING)):
                verdict = WARN if text.startswith(WARNING) else FAIL
                by, critique = rule.__name__, text.removeprefix(WARNING)
                found = Evaluation(found.gate, found.turn, found.subject, verdict, by, critique)
            if found.verdict == FAIL:
                break
        return found


class ActionGate(Judging):
    """Looks at every call but that of a finding."""

    gate = "action"
    rules = ACTION_RULES

    def action(self, call: ToolCall, run: Run) -> str | None:
        if call.name == "write_finding" or call.name not in run.catalogue or not isinstance(call.readable, dict):
            return None  # the dispatcher says what is wrong with it
        if self._mode == "off":
            return None
        found = self.evaluate(call.name, call.readable, run)
        return found.critique if found.verdict == FAIL else None


class FindingGate(Judging):
    """Looks at every finding; one that it does not take is dismissed, with the reason, and not proposed again."""

    gate = "finding"
    rules = FINDING_RULES

    def action(self, call: ToolCall, run: Run) -> str | None:
        from functions.schema import check_arguments

        if call.name != "write_finding" or self._mode == "off":
            return None
        try:
            arguments = check_arguments(call.readable, run.catalogue[call.name].parameters)
        except ValueError:
            return None  # the dispatcher says what is wrong with it
        found = self.evaluate(call.name, arguments or call.readable, run)
        if found.verdict != FAIL:
            return None
        audit: Audit = run.resources["audit"]
        audit.dismiss(audit.finding(dict(call.readable), None), found.critique)
        return f"the finding is dismissed: {found.critique}"


class RunGate(Judging):
    """Looks at the answer. After two objections it is taken with a warning; RUN_FAIL_POLICY=abort ends the run."""

    gate = "run"
    rules = RUN_RULES

    def __init__(self, mode: str, judge: Callable[[bool], Judge], policy: str) -> None:
        super().__init__(mode, judge)
        self._policy, self._push_backs = policy, 0

    def reply(self, reply: Reply, run: Run, *, last: bool) -> str | None:
        audit: Audit = run.resources["audit"]
        audit.answered = False
        if reply.calls and not last:
            audit.critique = ""
            return None
        audit.concluded = not last or bool(run.answer_due)
        if self._mode == "off" or run.answer_due:
            return None
        if last:
            run.warn("The iterations were used up: the audit is partial.")
            return None
        found = self.evaluate("conclude", {"claim": reply.text[:2000]}, run)
        if found.verdict != FAIL:
            return None
        audit.concluded = False
        if self._policy == "abort":
            raise ProviderError(
                f"The run gate does not take the answer, and RUN_FAIL_POLICY is abort: {found.critique}"
            )
        if self._push_backs >= PUSH_BACKS:
            run.warn(f"The run gate objects to the end of the audit: {found.critique}")
            audit.concluded = True
            return None
        self._push_backs += 1
        audit.answered = True  # the critique stands in the summary: the answer and the objection are not sent
        return found.critique


def gates_of(settings: Settings, provider: str = "") -> list[Gate]:
    """The gates of a run, as the settings want them."""
    wanted = settings.of(AuditorSettings)

    def judge(own: bool) -> Judge:
        return Judge.itself(settings) if own or not wanted.judge_base_url else Judge.another(settings)

    return [
        ActionGate(wanted.action_gate, judge),
        FindingGate(wanted.finding_gate, judge),
        RunGate(wanted.run_gate, judge, wanted.run_fail_policy),
    ]
