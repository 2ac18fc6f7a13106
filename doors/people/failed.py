"""A run that failed or was stopped: what its caller is told, and how what it changed is taken back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from config import ConfigError
from records.undo.keep import Keeper
from records.undo.tree import look
from records.undo.undo import opened, replace_all, unsure

AS_THEY_WERE = "The notes are as they were."
MOST_NAMED = 5  # paths


class AgentError(Exception):
    """A run failed, and the folder is as it was, but for what is `left`: what somebody else has changed meanwhile, and
    what could not be put back, each with why. The text is one line for the person."""

    def __init__(self, text: str, left: Sequence[str] = ()) -> None:
        super().__init__(text)
        self.left = tuple(left)


class AgentTimeoutError(AgentError):
    """It took longer than its person's limit."""


class AgentAPIError(AgentError):
    """The server or the model failed."""


def notes_after(error: Exception, whole: str = AS_THEY_WERE) -> str:
    """How the notes are now, as a sentence: `whole` where nothing is left of the run."""
    if not (left := error.left if isinstance(error, AgentError) else ()):
        return whole
    more = f" and {len(left) - MOST_NAMED} more" if len(left) > MOST_NAMED else ""
    return f"Not taken back: {', '.join(left[:MOST_NAMED])}{more}. All else is as it was."


def take_back(keeper: Keeper, run: Path, runs: Path, changed: Callable[[str], None]) -> list[str]:
    """Put back what a run changed, as a run of its own beside it, and tell `changed` of each path. Returns what stays,
    each with why: what somebody else has changed meanwhile would be lost."""
    left = [] if keeper.over() else ["what undo does not cover"]
    kept = keeper.kept
    if not kept.after:
        return left
    try:
        with opened(kept) as top:
            now = look(top, list(kept.after))
            wanted = {path: kept.before.get(path) for path in kept.after if kept.before.get(path) != now.get(path)}
            kept.unsure |= kept.mixed | {path for path in wanted if now.get(path) != kept.after[path]}
            others = unsure(kept, now, wanted)
            own = {path: entry for path, entry in wanted.items() if path not in others}
            undone = replace_all(run, kept, top, own, now, others, runs)
    except (ConfigError, OSError) as error:
        return [*left, f"what it had changed ({error})"]
    for path in undone.paths:
        changed(path)
    named = [path for path in others if not any(other.startswith(f"{path}/") for other in others)]  # no folder of one
    return [*left, *(f"{path} (changed meanwhile)" for path in named), *undone.failed]
