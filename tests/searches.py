"""The search for a repair, made once for the same files: for tests that come to it on their way to something else. What
was found is found again, with all that was said meanwhile; a run that asks for it notices nothing."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator, Mapping
from threading import Event
from typing import Any

import pytest

from offline.coder import evidence
from offline.repair import repair as searching
from offline.repair.repair import Finding

FOUND: dict[str, tuple[Finding, list[str]]] = {}
SUSPICIOUS: dict[str, list[tuple[str, int]]] = {}


@contextlib.contextmanager
def made_once() -> Iterator[None]:
    search, look = searching.repair, searching.suspicious_lines

    def once(
        files: Mapping[str, str],
        *,
        on_progress: Callable[[str], None] = lambda line: None,
        cancelled: Event | None = None,
        **how: Any,
    ) -> Finding:
        key = json.dumps([dict(files), how], sort_keys=True)
        if key in FOUND:
            finding, said = FOUND[key]
            for line in said:
                on_progress(line)
            return finding
        said = []

        def heard(line: str) -> None:
            said.append(line)
            on_progress(line)

        finding = search(files, on_progress=heard, cancelled=cancelled, **how)
        if finding.status == "repaired":  # else it was stopped, or may find more in another second
            FOUND[key] = finding, said
        return finding

    def suspicious_once(files: Mapping[str, str]) -> list[tuple[str, int]]:
        key = json.dumps(dict(files), sort_keys=True)
        lines = SUSPICIOUS.get(key) or look(files)
        if lines:  # else there may have been no time for it
            SUSPICIOUS[key] = lines
        return lines

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(evidence, "repair", once)
        patched.setattr(searching, "repair", once)
        patched.setattr(searching, "suspicious_lines", suspicious_once)
        yield
