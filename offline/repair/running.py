"""Running a project's tests inside this process and telling a watch what happens. One function a framework.

The watch decides the order and when to stop; it is what differs between measuring, tracing and judging a candidate.
"""

from __future__ import annotations

import importlib
import os
import sys
import unittest
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any, Protocol

from .failures import Failure
from .project import Project

PLUGIN_SIGNS = ("asyncio", "anyio", "mocker", "benchmark", "freezer", "requests_mock", "httpx_mock")


class Watch(Protocol):
    """What a test run reports to."""

    stop: bool  # set when no further test needs to run

    def order(self, names: list[str]) -> list[str]:
        """The tests to run, in this order."""

    def started(self, name: str) -> None:
        """A test begins (its fixtures included)."""

    def finished(self, name: str, failure: Failure | None) -> None:
        """A test ended; `failure` is None when it passed."""

    def done(self) -> None:
        """All tests have run, or `stop` was obeyed."""


Serve = Callable[[], Iterator[Watch]]


class NotReady(Exception):
    """The tests cannot be imported, so no server can wait behind their import."""


def attend(project: Project, serve: Serve, *, imported: bool) -> None:
    """Get the framework ready, then call `serve`, then run the tests for every watch that it yields.

    A fork server sits inside `serve`: it yields in its children only. With `imported` it sits behind the import of the
    tests (and of the program), so that children begin with all modules; without it, before. A conftest.py is imported
    while pytest gets ready, so with one the server comes first.
    """
    if project.framework == "pytest":
        _attend_pytest(project, serve, imported)
    elif imported:
        cases, unimportable = _load_cases(project)
        if unimportable:
            raise NotReady
        for watch in serve():
            _run_cases(cases, {}, watch)
    else:
        for watch in serve():
            _run_cases(*_load_cases(project), watch)


def _attend_pytest(project: Project, serve: Serve, imported: bool) -> None:
    importlib.import_module("pytest")
    has_conftest = any(PurePosixPath(path).name == "conftest.py" for path in project.files)
    if has_conftest and not imported:
        for watch in serve():
            _run_pytest(project, lambda: iter([watch]), imported=False)  # noqa: B023 - used within the round
    else:
        _run_pytest(project, serve, imported=imported)


def own_path(name: str) -> str | None:
    """The path in the project of an absolute file name, None for files from elsewhere."""
    here = str(Path.cwd()) + os.sep
    return name[len(here) :].replace(os.sep, "/") if name.startswith(here) else None


def set_import_path(project: Project) -> None:
    """Let the project's own folders come first among the places that modules are imported from."""
    sys.path[:0] = [str(Path(root).resolve()) for root in project.import_roots]


# unittest


def _load_cases(project: Project) -> tuple[dict[str, unittest.TestCase], dict[str, Failure]]:
    """The test cases by name, and the test files that cannot be imported with the reason."""
    loader = unittest.TestLoader()
    cases: dict[str, unittest.TestCase] = {}
    unimportable: dict[str, Failure] = {}
    for path in project.test_paths:
        try:
            module = importlib.import_module(_module_name(path))
        except BaseException as error:  # a test module may raise anything, SystemExit included
            unimportable[path] = Failure.of(error, own_path)
            continue
        cases.update((case.id(), case) for case in _flatten(loader.loadTestsFromModule(module)))
    return cases, unimportable


def _run_cases(cases: dict[str, unittest.TestCase], unimportable: dict[str, Failure], watch: Watch) -> None:
    for path, failure in unimportable.items():
        watch.started(path)
        watch.finished(path, failure)
    suite = unittest.TestSuite(cases[name] for name in watch.order(list(cases)))
    if not watch.stop:
        suite.run(_Result(watch))
    watch.done()


def _module_name(path: str) -> str:
    """The dotted name under which a test file is imported: from the first folder above it that is no package."""
    pure = PurePosixPath(path)
    parts = [pure.stem]
    for folder in pure.parents:
        if str(folder) == "." or not Path(folder, "__init__.py").exists():
            break
        parts.insert(0, folder.name)
    return ".".join(parts)


def _flatten(suite: unittest.TestSuite) -> Iterator[unittest.TestCase]:
    for item in suite:
        if isinstance(item, unittest.TestSuite):
            yield from _flatten(item)
        else:
            yield item


class _Result(unittest.TestResult):
    def __init__(self, watch: Watch) -> None:
        super().__init__()
        self.watch = watch
        self.failure: Failure | None = None
        self.running = False

    def startTest(self, test: unittest.TestCase) -> None:  # noqa: N802
        self.failure, self.running = None, True
        self.watch.started(test.id())

    def stopTest(self, test: unittest.TestCase) -> None:  # noqa: N802
        self.running = False
        self.watch.finished(test.id(), self.failure)
        self.shouldStop = self.watch.stop

    def addError(self, test: Any, err: Any) -> None:  # noqa: N802
        self._fail(test, err)

    def addFailure(self, test: Any, err: Any) -> None:  # noqa: N802
        self._fail(test, err)

    def addSubTest(self, test: Any, subtest: Any, err: Any) -> None:  # noqa: N802
        if err is not None:
            self._fail(test, err)

    def addUnexpectedSuccess(self, test: Any) -> None:  # noqa: N802
        self.failure = Failure("unexpected success")

    def _fail(self, test: Any, err: Any) -> None:
        self.failure = self.failure or Failure.of(err[1], own_path)
        if not self.running:  # a class or module fixture failed: it stands for itself
            self.watch.started(test.id())
            self.watch.finished(test.id(), self.failure)
            self.shouldStop = self.watch.stop


# pytest


def _run_pytest(project: Project, serve: Serve, *, imported: bool) -> None:
    pytest = importlib.import_module("pytest")
    text = "\n".join(project.files[path] for path in project.test_paths)
    if not any(sign in text for sign in PLUGIN_SIGNS):
        os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    options = ["--assert=plain", "--capture=sys", "--continue-on-collection-errors", "--rootdir=.", "-oaddopts="]
    for plugin in ("cacheprovider", "faulthandler", "terminal", "threadexception", "unraisableexception"):
        options += ["-p", f"no:{plugin}"]
    plugin = _plugin(pytest)(serve, imported)
    pytest.main([*options, f"--basetemp={Path('..', 'basetemp').resolve()}", *project.test_paths], plugins=[plugin])


def _plugin(pytest: Any) -> Any:
    """The class of the plugin, made here because pytest is imported only when a project uses it."""

    class Plugin:
        def __init__(self, serve: Serve, imported: bool) -> None:
            self.serve = serve
            self.imported = imported
            self.watches: Iterator[Any] = iter(())
            self.watch: Any = None
            self.failure: Failure | None = None

        @pytest.hookimpl(tryfirst=True)
        def pytest_collection(self) -> None:
            if not self.imported:
                self._begin()

        def pytest_collectreport(self, report: Any) -> None:
            if report.failed:
                self.watch.started(report.nodeid)
                lines = str(report.longrepr).strip().splitlines()
                self.watch.finished(report.nodeid, Failure(lines[-1][:500] if lines else "cannot be imported"))

        @pytest.hookimpl(tryfirst=True)
        def pytest_runtestloop(self, session: Any) -> bool:
            """Run the items for every watch. Between watches nothing is kept: every fixture ends with its test."""
            if self.imported:
                self._begin()
            items = {item.nodeid: item for item in session.items}
            while self.watch is not None:
                chosen = [items[name] for name in self.watch.order(list(items))]
                for item, following in zip(chosen, [*chosen[1:], None], strict=False):
                    if self.watch.stop:
                        break
                    nextitem = None if self.imported else following
                    item.config.hook.pytest_runtest_protocol(item=item, nextitem=nextitem)
                self.watch.done()
                self.watch = next(self.watches, None)
            return True

        def _begin(self) -> None:
            self.watches = iter(self.serve())
            self.watch = next(self.watches)

        def pytest_runtest_logstart(self, nodeid: str) -> None:
            self.failure = None
            self.watch.started(nodeid)

        @pytest.hookimpl(tryfirst=True)
        def pytest_runtest_makereport(self, item: Any, call: Any) -> Any:
            """A report without the costly picture of the traceback, which nobody would read."""
            error = call.excinfo and call.excinfo.value
            outcome = "passed" if error is None else "skipped" if isinstance(error, pytest.skip.Exception) else "failed"
            longrepr: Any = ("", 0, str(error)) if outcome == "skipped" else None
            if outcome == "failed":
                longrepr = "failed"
                self.failure = self.failure or Failure.of(error, own_path)
            keywords = dict.fromkeys(item.keywords, 1)
            return pytest.TestReport(item.nodeid, item.location, keywords, outcome, longrepr, call.when)

        def pytest_runtest_logreport(self, report: Any) -> None:
            if report.failed:  # also an xfail that passed, for which no exception was seen
                self.failure = self.failure or Failure(str(report.longrepr)[:500])
            elif report.when == "call":
                self.failure = None

        @pytest.hookimpl(trylast=True)
        def pytest_runtest_logfinish(self, nodeid: str) -> None:
            self.watch.finished(nodeid, self.failure)

    return Plugin
