"""Running tests with pytest, and telling a watch."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..reading.failures import Failure
from ..reading.project import Project
from .watch import Serve, own_path

PLUGIN_SIGNS = ("asyncio", "anyio", "mocker", "benchmark", "freezer", "requests_mock", "httpx_mock")


def run_pytest(project: Project, serve: Serve, *, imported: bool) -> None:
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
            self.part_failed = False

        @pytest.hookimpl(wrapper=True)
        def pytest_load_initial_conftests(self) -> Iterator[None]:
            """A conftest.py that cannot be imported ends pytest before it collects: that is one test that fails."""
            try:
                return (yield)
            except Exception as error:
                if not self.imported:
                    self._begin()
                    self.watch.started("conftest.py")
                    self.watch.finished("conftest.py", Failure.of(error.__cause__ or error, own_path))
                    self.watch.order([])
                    self.watch.done()
                raise

        @pytest.hookimpl(tryfirst=True)
        def pytest_collection(self, session: Any) -> None:
            if not self.imported:
                self._begin()
                session.config.args = [*self.watch.files] or session.config.args

        def pytest_exception_interact(self, call: Any, report: Any) -> None:
            """What a test file could not be imported for; pytest wraps an ImportError."""
            if isinstance(report, pytest.CollectReport):
                error = call.excinfo.value
                self.failure = Failure.of(error.__cause__ or error, own_path)

        def pytest_collectreport(self, report: Any) -> None:
            if report.failed:
                self.watch.started(report.nodeid)
                self.watch.finished(report.nodeid, self.failure or Failure("cannot be imported"))
                self.failure = None

        @pytest.hookimpl(tryfirst=True)
        def pytest_runtestloop(self, session: Any) -> bool:
            """Run the items for every watch. Between watches nothing is kept: every fixture ends with its test."""
            if self.imported:
                self._begin()
            items = {item.nodeid: item for item in session.items}
            for item in session.items:
                _leave_unchecked(getattr(item, "obj", None))
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
            self.failure, self.part_failed = None, False
            self.watch.started(nodeid)

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
                self.part_failed = hasattr(report, "context")  # a subtest, whose test goes on and passes
            elif report.when == "call" and not self.part_failed:
                self.failure = None

        @pytest.hookimpl(trylast=True)
        def pytest_runtest_logfinish(self, nodeid: str) -> None:
            self.watch.finished(nodeid, self.failure)

    return Plugin


def _leave_unchecked(test: Any) -> None:
    """Let Hypothesis not check how a property with settings of its own is written: that a parametrized method runs for
    several objects, which its plugin for pytest would allow (https://github.com/HypothesisWorks/hypothesis/issues/3733)
    and which is so wherever a test runs again for another change."""
    function = getattr(test, "__func__", test)
    if own := getattr(function, "_hypothesis_internal_use_settings", None):
        everything = list(sys.modules["hypothesis"].HealthCheck)
        function._hypothesis_internal_use_settings = type(own)(own, suppress_health_check=everything)
