"""What the person's desktop has: a browser to open a page in, an editor to change a text in."""

from __future__ import annotations

import os
import sys

from config import environment_of


def open_in_browser(address: str) -> None:
    """Open a page where a browser has a place to open; on a console one would start in the middle of the text."""
    has_desktop = os.name == "nt" or sys.platform == "darwin"
    if has_desktop or any(environment_of(("DISPLAY", "WAYLAND_DISPLAY")).values()):
        import webbrowser

        webbrowser.open(address)


def persons_editor() -> str:
    """The command of the editor that VISUAL or EDITOR names, "" where neither does."""
    named = environment_of(("VISUAL", "EDITOR"))
    return (named.get("VISUAL") or named.get("EDITOR", "")).strip()
