"""The person's own instructions for a working directory: its AGENTS.md, read into the system prompt."""

from __future__ import annotations

from sandbox.files.root import Refusal, Root

NAME = "AGENTS.md"
MOST_CHARACTERS = 8_000  # about 2,000 tokens, sent with every request


def read_instructions(root: Root) -> tuple[str, str]:
    """Return the instructions ("" where there are none) and a sentence for the person about them."""
    try:
        text = root.read_text(NAME).strip() if root.exists(NAME) else ""
    except Refusal as refusal:
        return "", f"{NAME} is not used. {refusal}."
    if not text:
        return "", ""
    if len(text) <= MOST_CHARACTERS:
        return text, f"{NAME} is read into the system prompt ({len(text):,} characters)."
    cut = text[:MOST_CHARACTERS]
    return f"{cut}\n[cut here]", f"{NAME} is long: its first {MOST_CHARACTERS:,} of {len(text):,} characters are used."
