"""`pytest --but-passed FILE`: leave out what has passed before, for .ci/run: with more packages, only the rest is new."""

from __future__ import annotations

from pathlib import Path

import pytest


class ButPassed:
    """Leaves out the tests that the file names; those that pass are added to it at the end."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.before = set(file.read_text(encoding="utf-8").split("\n")) if file.exists() else set()
        self.passed: list[str] = []

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        left_out = [item for item in items if item.nodeid in self.before]
        if left_out:
            items[:] = [item for item in items if item.nodeid not in self.before]
            config.hook.pytest_deselected(items=left_out)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            self.passed.append(report.nodeid)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if not hasattr(session.config, "workerinput"):  # of several workers' reports, all come to the one that has none
            with self.file.open("a", encoding="utf-8") as lines:
                lines.writelines(f"{name}\n" for name in self.passed)
