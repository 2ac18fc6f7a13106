"""What the person is told about the sandbox before anything runs, and where their word is needed."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable

from agent.run import Run

UNCONFINED = (
    "No wall holds code in on this system: what is run has your own rights, and only its time, memory and output are "
    "limited. The built-in model runs nothing but your own program with a few tokens changed; a language model runs "
    "whatever it likes."
)


def may_run_unconfined(provider: str, allowed: bool, notice: Callable[[str], None]) -> bool:
    """Whether code may run where no wall holds it: the person's own (the built-in model), or with the person's word.

    The word is `allowed` (--allow-unconfined), or a yes at the terminal, asked for only where no wall was found.
    """
    from sandbox.running import launcher, levels

    levels.warm()
    if provider == "offline" or allowed:
        return True
    if sys.stdin is None or not sys.stdin.isatty() or launcher.supervisor().walls.confined:
        return False
    notice(levels.level().warning)
    print("Run the model's code here without a wall? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def announce_sandbox(run: Run) -> None:
    """Tell the run what the self-test observes, as soon as it has; the tools wait for it before they run any code."""
    from sandbox.running.levels import level

    def observe() -> None:
        observed = level()
        unconfined = run.root.allow_unconfined and not observed.confined
        run.confined(observed.line, UNCONFINED if unconfined else observed.warning)

    threading.Thread(target=observe, daemon=True).start()
