"""Running a project's tests inside this process, with the framework that they are written for."""

from __future__ import annotations

import contextlib
import importlib
import sys
from pathlib import Path, PurePosixPath

from ..reading.project import Project
from .run_pytest import run_pytest
from .run_unittest import load_cases, run_cases
from .watch import Serve, begin_here


class NotReady(Exception):
    """The tests cannot be imported, so no server can wait behind their import."""


def attend(project: Project, serve: Serve, *, imported: bool) -> None:
    """Get the framework ready, then call `serve`, then run the tests for every watch that it yields.

    A fork server sits inside `serve`: it yields in its children only. With `imported` it sits behind the import of the
    tests (and of the program), so that children begin with all modules; without it, before. A conftest.py is imported
    while pytest gets ready, so with one the server comes first.
    """
    begin_here()
    if project.framework == "pytest":
        _attend_pytest(project, serve, imported)
    elif imported:
        cases, unimportable = load_cases(project)
        if unimportable:
            raise NotReady
        for watch in serve():
            run_cases(cases, {}, watch)
    else:
        for watch in serve():
            run_cases(*load_cases(project, watch.files), watch)


def _attend_pytest(project: Project, serve: Serve, imported: bool) -> None:
    importlib.import_module("pytest")
    has_conftest = any(PurePosixPath(path).name == "conftest.py" for path in project.files)
    if has_conftest and not imported:
        for watch in serve():
            run_pytest(project, lambda: iter([watch]), imported=False)  # noqa: B023 - used within the round
    else:
        run_pytest(project, serve, imported=imported)


def draw_alike(project: Project, place: Path) -> None:
    """Let property tests draw the same examples in every run, and end at the first that fails: nobody would read the
    smallest one, and looking for it takes longer than all other tests. What Hypothesis keeps lies in `place`."""
    if any("hypothesis import" in text or "import hypothesis" in text for text in project.files.values()):
        with contextlib.suppress(ImportError):
            hypothesis = importlib.import_module("hypothesis")
            importlib.import_module("hypothesis.configuration").set_hypothesis_home_dir(place / "hypothesis")
            phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
            told = {"derandomize": True, "database": None, "deadline": None, "phases": phases}
            told["suppress_health_check"] = list(hypothesis.HealthCheck)  # everything is slow under tracing
            hypothesis.settings.register_profile("search", **told)
            hypothesis.settings.load_profile("search")


def set_import_path(project: Project) -> None:
    """Let the project's own folders come first among the places that modules are imported from, also for a module that
    is called like one that is loaded already: `calendar.py`, a backport."""
    roots = [str(Path(root).resolve()) for root in project.import_roots]
    sys.path[:0] = roots
    own = {PurePosixPath(path).relative_to(root).parts[0].removesuffix(".py")
           for root in project.import_roots for path in project.program_paths
           if root == "." or path.startswith(f"{root}/")}  # fmt: skip
    for name, module in list(sys.modules.items()):
        found = getattr(module, "__file__", None)
        if name.split(".")[0] in own and found and not found.startswith(tuple(roots)):
            del sys.modules[name]
