"""What stands at a step, as a text that a person changes in an editor, and back: --edit."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cli.desktop import persons_editor
from config import ConfigError
from records.fork import Fork

HEAD = "# Step {step} of {run}. Change what stands below the lines of = signs, save, and close the editor.\n"


def from_file(forked: Fork, name: str) -> dict[str, Any]:
    """The changes that a file holds ("-": standard input): a JSON object by the names of what stands there, or the text
    that takes the place of the first of them. Raises ConfigError for an object with another name in it: it is more
    likely misspelt than a text."""
    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{name} cannot be read ({error}).") from None
    try:
        changes = json.loads(text)
    except ValueError:
        changes = None
    first = next(iter(forked.stands))
    if not isinstance(changes, dict) or not changes:
        return {first: text}
    if wrong := [each for each in changes if each not in forked.stands]:
        raise ConfigError(
            f"{name} names {', '.join(map(repr, wrong))}; at step {forked.step} stands: {', '.join(forked.stands)}. "
            f'A text that is itself a JSON object goes below its name: {{"{first}": "..."}}.'
        )
    return changes


def edited(forked: Fork) -> dict[str, Any]:
    """Open the person's editor on what stands there; return what they left. Raises ConfigError when there is none."""
    editor = persons_editor()
    if not editor:
        raise ConfigError("--edit opens the editor that EDITOR names, and it names none. Or give a file: --edit FILE")
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch, "step.txt")
        path.write_text(as_text(forked), encoding="utf-8")
        try:
            subprocess.run([*shlex.split(editor), str(path)], check=True)
            return from_text(path.read_text(encoding="utf-8"), forked)
        except (OSError, ValueError, subprocess.CalledProcessError) as error:
            raise ConfigError(f"the editor {editor!r} did not end well ({error}).") from None


def as_text(forked: Fork) -> str:
    parts = [HEAD.format(step=forked.step, run=forked.parent.name)]
    for name, value in forked.stands.items():
        text = value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)
        parts.append(f"{_line(name, forked)}\n{text}\n")
    return "".join(parts)


def from_text(text: str, forked: Fork) -> dict[str, Any]:
    """What stands below each line; ConfigError where a line is gone, or calls are no JSON."""
    changes: dict[str, Any] = {}
    for name in reversed([*forked.stands]):
        text, line, value = text.rpartition(f"{_line(name, forked)}\n")
        if not line:
            raise ConfigError(f"the line above the {name} is gone, so nothing was changed. Try again.")
        changes[name] = _read(name, value[:-1] if value.endswith("\n") else value, forked.stands)
    return changes


def _read(name: str, value: str, stands: Mapping[str, Any]) -> Any:
    if isinstance(stands[name], str):
        return value
    try:
        return json.loads(value)
    except ValueError as error:
        raise ConfigError(f"the {name} are no JSON ({error}).") from None


def _line(name: str, forked: Fork) -> str:
    return f"=== {name} (step {forked.step} of {forked.parent.name}) ==="
