"""--page: the notekeeper as a page to talk to, in a browser on this machine, until Ctrl-C."""

from __future__ import annotations

import argparse
import contextlib
import sys

from cli.desktop import open_privately
from cli.signals import interruptible
from config import COMMAND, ConfigError, Settings

NO_MODEL = "Glassbox's built-in notekeeper, a small program and no language model"


def page(settings: Settings, options: argparse.Namespace) -> int:
    """Serve a page for the working directory, or one for each person that is named. Raises ConfigError."""
    from doors.people.page.opened import pages
    from session import chosen_provider

    if options.job != "notekeeper":
        raise ConfigError(f"--page is the notekeeper's: {COMMAND} --job notekeeper --page")
    names = list(dict.fromkeys(name.strip() for name in options.page.split(",") if name.strip()))
    if names and "working_directory" in settings.chosen:
        raise ConfigError("--page with names gives each person a folder of their own: leave --workdir out.")

    def tell(line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    with interruptible(), contextlib.suppress(KeyboardInterrupt), chosen_provider(settings, tell) as chosen:
        provider, loop, settings = chosen
        model = NO_MODEL if provider == "offline" else f"the model of {provider}"
        kind = "cli" if provider == "cli" else "autonomous"
        with pages(settings, loop, model, names, kind=kind) as opened:
            for each in opened:
                tell(f"{each.name or 'Talk to it'}: {each.server.address}")
                tell(f"  Notes: {each.where}")
            if len(opened) == 1 and sys.stderr.isatty():
                open_privately(opened[0].server.ticket(), settings.runs_directory)
            tell("The page stays until you press Ctrl-C.")
            opened[0].server.stay()
    return 0
