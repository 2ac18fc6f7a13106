"""Running tests with unittest, and telling a watch."""

from __future__ import annotations

import importlib
import unittest
from collections.abc import Iterator, Sequence
from copy import copy
from typing import Any

from ..reading.failures import Failure
from ..reading.project import Project
from .watch import Watch, own_path


def load_cases(project: Project, files: Sequence[str] = ()) -> tuple[dict[str, unittest.TestCase], dict[str, Failure]]:
    """The test cases of some files (none: all) by name, and the files that cannot be imported with the reason."""
    loader = unittest.TestLoader()
    cases: dict[str, unittest.TestCase] = {}
    unimportable: dict[str, Failure] = {}
    for path in files or project.test_paths:
        try:
            module = importlib.import_module(project.module_of(path))
        except BaseException as error:  # a test module may raise anything, SystemExit included
            unimportable[path] = Failure.of(error, own_path)
            continue
        cases.update((case.id(), case) for case in _flatten(loader.loadTestsFromModule(module)))
    return cases, unimportable


def run_cases(cases: dict[str, unittest.TestCase], unimportable: dict[str, Failure], watch: Watch) -> None:
    for path, failure in unimportable.items():
        watch.started(path)
        watch.finished(path, failure)
    # Copies: what a test keeps in `self` must not be there when it runs for the next candidate.
    suite = unittest.TestSuite(copy(cases[name]) for name in watch.order(list(cases)))
    if not watch.stop:
        suite.run(_Result(watch))
    watch.done()


def _flatten(suite: unittest.TestSuite) -> Iterator[unittest.TestCase]:
    for item in suite:
        if isinstance(item, unittest.TestSuite):
            yield from _flatten(item)
        else:
            yield item


UNHEARD = Failure("ended, and how was not heard")


class _Result(unittest.TestResult):
    """A test counts as passed only where that is said: one that used up the memory may have none left to say how it
    failed, and a second signal may come while the first is told."""

    def __init__(self, watch: Watch) -> None:
        super().__init__()
        self.watch = watch
        self.failure: Failure | None = None
        self.running = False

    def startTest(self, test: unittest.TestCase) -> None:  # noqa: N802
        self.failure, self.running = UNHEARD, True
        self.watch.started(test.id())

    def stopTest(self, test: unittest.TestCase) -> None:  # noqa: N802
        self.running = False
        self.watch.finished(test.id(), self.failure)
        self.shouldStop = self.watch.stop

    def addSuccess(self, test: Any) -> None:  # noqa: N802
        self._pass()

    def addSkip(self, test: Any, reason: str) -> None:  # noqa: N802
        self._pass()

    def addExpectedFailure(self, test: Any, err: Any) -> None:  # noqa: N802
        self._pass()

    def addError(self, test: Any, err: Any) -> None:  # noqa: N802
        self._fail(test, err)

    def addFailure(self, test: Any, err: Any) -> None:  # noqa: N802
        self._fail(test, err)

    def addSubTest(self, test: Any, subtest: Any, err: Any) -> None:  # noqa: N802
        if err is not None:
            self._fail(test, err)

    def addUnexpectedSuccess(self, test: Any) -> None:  # noqa: N802
        self.failure = Failure("unexpected success")

    def _pass(self) -> None:
        self.failure = None if self.failure is UNHEARD else self.failure  # a part of it may have failed before

    def _fail(self, test: Any, err: Any) -> None:
        if self.failure is None or self.failure is UNHEARD:
            self.failure = Failure.of(err[1], own_path)
        if not self.running:  # a class or module fixture failed: it stands for itself
            self.watch.started(test.id())
            self.watch.finished(test.id(), self.failure)
            self.shouldStop = self.watch.stop
