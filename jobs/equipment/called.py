"""A prompt that begins with the name of a skill: /safe-restart ledger."""

from __future__ import annotations

import re

from functions.misfit import suggestion
from reach.skills import Skills

CALLED = re.compile(r"/(?P<name>[a-z0-9]+(?:-[a-z0-9]+)*)(?:\s+(?P<arguments>.*))?", re.DOTALL)


def called(prompt: str, skills: Skills) -> tuple[str, str]:
    """Note which skill the person starts this run with, and return what the model is told instead of the prompt, and a
    sentence for the person, "" where there is nothing to say."""
    skills.called = {}
    found = CALLED.fullmatch(prompt.strip())
    if not found:
        return prompt, ""
    name, arguments = found["name"], (found["arguments"] or "").strip()
    if name not in skills:
        return prompt, f"There is no skill /{name}{suggestion(name, skills)}; there are {', '.join(skills)}."
    skills.called = {name: arguments}
    return f"Follow the skill {name}{f': {arguments}' if arguments else ''}", ""
