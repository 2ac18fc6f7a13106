"""The settings that the auditor alone has, as in .env.example; config.py reads and checks them."""

from __future__ import annotations

from dataclasses import dataclass

from config import checked_by, one_of

WHO = one_of("rules", "self", "judge", "composite", "off")  # decides at a gate


@dataclass(frozen=True)
class AuditorSettings:
    """What is audited, where audits are kept, who decides at the gates, and another model as the judge."""

    audit_data: str = ""
    audit_collection: str = ""
    audit_store: str = ""
    audit_compare: int = 0
    action_gate: str = checked_by(WHO, "rules")
    finding_gate: str = checked_by(WHO, "rules")
    run_gate: str = checked_by(WHO, "rules")
    run_fail_policy: str = checked_by(one_of("continue", "abort"), "continue")
    judge_base_url: str = ""
    judge_model: str = ""
    judge_api_key: str = ""
