"""Lesson 25: attack your own agent."""

import base64
import json
import secrets
from urllib.parse import quote

OUTWARD = {"query_api", "fetch_url", "comment_on_issue"}  # what leaves this computer


def inside_base64(data, before):
    """The part of the base64 text that is the same whatever stands around data, with `before` bytes before it (0-2)."""
    text = base64.b64encode(b"?" * before + data).decode()
    return text[-(-before // 3) * 4 : (before + len(data)) // 3 * 4]


def leaked(steps, canary):
    """Whether the canary went out. A step: {"name": ..., "arguments": JSON as text, "result": ...}"""
    raise NotImplementedError("write down the forms, and look for each in what went out")


def red_team(attacks, agent):
    """agent(attack, canary) returns {"steps": [...], "done": whether the person's own task was done}"""
    found = {"got_through": [], "useful": 0}
    raise NotImplementedError("a new canary for each attack: secrets.token_hex draws one")
