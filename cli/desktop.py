"""What the person's desktop has: a browser to open a page in, an editor to change a text in."""

from __future__ import annotations

import contextlib
import os
import sys
from html import escape
from pathlib import Path

from config import environment_of


def open_in_browser(address: str) -> None:
    """Open a page where a browser has a place to open; on a console one would start in the middle of the text."""
    if has_desktop():
        import webbrowser

        webbrowser.open(address)


def has_desktop() -> bool:
    return os.name == "nt" or sys.platform == "darwin" or any(environment_of(("DISPLAY", "WAYLAND_DISPLAY")).values())


def open_privately(address: str, folder: Path) -> None:
    """Open a page whose address is a secret: everybody on the machine can see with what a browser was started, so that
    is a file in `folder` which only the person can read, and which leads to the page."""
    from live.announced import new_private  # not before a page is opened

    if not has_desktop():
        return
    file = folder / "open.html"
    text = f'<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url={escape(address)}">'
    with contextlib.suppress(OSError):  # the address has been told, and can be opened by hand
        with new_private(file) as written:
            written.write(text)
        open_in_browser(file.as_uri())


def persons_editor() -> str:
    """The command of the editor that VISUAL or EDITOR names, "" where neither does."""
    named = environment_of(("VISUAL", "EDITOR"))
    return (named.get("VISUAL") or named.get("EDITOR", "")).strip()
