"""A judge model for questions with a rubric, where one is set (`JUDGE_*`); without one the key words decide."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from config import Settings
from jobs.auditor.settings import AuditorSettings

PROMPT = """\
A question was asked about a software project. Does the answer fulfil the rubric? Reply with one word: yes or no.

Question: {question}
Rubric: {rubric}
Answer: {answer}"""


def judged(question: Mapping[str, Any], answer: str, wrong: list[str], settings: Settings) -> list[str]:
    """What is wrong with an answer, with the judge's word on its text in place of the key words' where there is one."""
    judge = settings.of(AuditorSettings)
    if not judge.judge_base_url:
        return wrong
    others = [line for line in wrong if line.startswith(("tool", "source"))]
    prompt = PROMPT.format(question=question["question"], rubric=question["rubric"], answer=answer)
    said = _ask(judge, prompt)
    return others if said.strip().lower().startswith("yes") else [*others, f"the judge says: {said.strip()[:80]}"]


def _ask(judge: AuditorSettings, prompt: str) -> str:
    from openai import OpenAI

    client = OpenAI(base_url=judge.judge_base_url, api_key=judge.judge_api_key or "none", timeout=120)
    reply = client.chat.completions.create(
        model=judge.judge_model, messages=[{"role": "user", "content": prompt}], temperature=0
    )
    return reply.choices[0].message.content or ""
