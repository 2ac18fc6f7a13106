"""What could be tried: likely changes, changes computed from values, changes that are worth another on top."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from ..outcome import Outcome
from ..ranking.candidates import MOST, Candidate, make_candidates, worth_trying
from ..ranking.choice import plausibility
from ..ranking.localise import Spectrum, begun_at, rank_statements, reason
from ..ranking.symptoms import boosts
from ..reading.examples import read_examples
from ..reading.facts import Facts
from ..reading.failures import Failure
from ..reading.hints import HINT_NAME
from ..reading.project import Project
from ..reading.shapes import function_of
from ..reading.source import Source, top_of
from ..reading.vocabulary import Vocabulary
from ..running.baseline import Baseline
from ..running.slots import Slot
from ..running.snapshots import read_hits
from ..running.tracer import last_name
from ..running.trials import Trial
from .synthesis import synthesise

TOO_SLOW = "The tests had not ended when the time for them was up, so there was none left to try changes."
LOOKED_AT = 60  # lines whose values are looked at
COMPUTED = 600  # changes that are computed
FIRST_CHANGES = 16  # helpful first changes that are followed
ALIKE = 2  # of those that make the same tests pass
MOST_SUSPICIOUS = 200  # lines named
EXPLAINED = 5  # of them with the reason


def words_of(project: Project, sources: dict[str, Source], baseline: Baseline) -> Vocabulary:
    """What changes of a program may draw on: its own words, those of the tests, and what the failing ones say."""
    told = [failure.text for failure in baseline.failures.values()]
    return Vocabulary(sources, [ast.parse(project.files[path]) for path in project.test_paths], told)


def likely_changes(
    ranks: Mapping[ast.stmt, float], words: Vocabulary, sources: dict[str, Source]
) -> Iterator[Candidate]:
    """Single changes of suspicious statements, none twice, the likeliest first."""
    return islice(worth_trying(make_candidates(sources, ranks, words, boosts(words.told)), sources), MOST)


def computed_changes(
    slot: Slot,
    project: Project,
    sources: dict[str, Source],
    baseline: Baseline,
    until: float,
    first: Mapping[str, Iterable[int]],
) -> Iterator[Candidate]:
    """Changes computed from the values at the most suspicious lines, none twice; none after `until` (of the clock)."""
    ranks = begun_at(rank_statements(sources, baseline.coverage, baseline.failures.values()), sources, first)
    chosen = sorted((one for one in ranks if function_of(one)), key=lambda one: -ranks[one])[:LOOKED_AT]
    lines: dict[str, list[int]] = {}
    for one in chosen:
        lines.setdefault(top_of(one, sources).path, []).append(one.lineno)
    tests = {path: ast.parse(project.files[path]) for path in project.test_paths}
    hits = read_hits(slot.snapshot(lines), {path: read_examples(tree) for path, tree in tests.items()})
    made = synthesise({one: ranks[one] for one in chosen}, Vocabulary(sources, tests.values()), hits, until)
    return worth_trying(islice(made, COMPUTED), sources)


def suspects(
    ranks: Mapping[ast.stmt, float], sources: dict[str, Source], baseline: Baseline
) -> tuple[list[tuple[str, int]], list[str]]:
    """The most suspicious lines, and why for the first of them; what only names a definition comes after its like."""
    headers = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
    order = sorted(ranks, key=lambda one: (-ranks[one], isinstance(one, headers)))[:MOST_SUSPICIOUS]
    homes = [top_of(one, sources) for one in order]
    spectrum, failures = Spectrum(baseline.coverage), list(baseline.failures.values())
    lines = [(home.path, one.lineno) for one, home in zip(order, homes, strict=True)]
    first = zip(order[:EXPLAINED], homes, strict=False)
    return lines, [reason(one, home, spectrum, failures) for one, home in first]


def worth_following(trials: list[Trial], sources: dict[str, Source]) -> list[Trial]:
    """Changes that helped and broke nothing: most tests first, the likeliest of those that make the same ones pass."""
    helpful = [trial for trial in trials if (trial.fixed or trial.advanced) and not trial.broken]
    helpful.sort(key=lambda trial: (-len(trial.fixed), -plausibility(trial.candidate, sources)))
    kept: list[Trial] = []
    for trial in helpful:
        if sum(set(one.fixed) == set(trial.fixed) for one in kept) < ALIKE * (1 if trial.fixed else 4):
            kept.append(trial)
    return kept[:FIRST_CHANGES]


def sources_of(project: Project) -> dict[str, Source]:
    """The program's files, parsed."""
    return {path: Source(path, project.files[path]) for path in project.program_paths}


def passing_of(trials: list[Trial]) -> list[Candidate]:
    """The changes with which all tests passed; where some did with slow tests too, these alone."""
    passed = [trial for trial in trials if trial.passed]
    known = [trial for trial in passed if not trial.unknown]
    return [trial.candidate for trial in known or passed]


def nothing_to_mend(facts: Facts) -> Outcome:
    """The outcome of a first run in which no test failed, but those that lack a module."""
    if facts.cut:
        none = f"None of the {len(facts.passing)} tests that ended in time failed; of the others I know nothing."
        return Outcome("not_found", none if facts.passing else TOO_SLOW)
    if facts.aside:
        others = f" The other {len(facts.passing)} tests pass." if facts.passing else ""
        return Outcome("cannot_import", f"{needing(facts.aside)}{others}", failing=list(facts.aside))
    if facts.passing:
        return Outcome("nothing_to_fix", "All tests pass.")
    return Outcome("no_tests", "No test was found to run.")


def needing(missing: Mapping[str, str]) -> str:
    """Which tests cannot be imported for want of a module."""
    tests, modules = ", ".join(list(missing)[:3]), ", ".join(dict.fromkeys(map(repr, missing.values())))
    return f"The tests cannot be imported ({tests}): there is no module named {modules} among the files."


def missing_modules(project: Project, failures: Mapping[str, Failure]) -> dict[str, str]:
    """The tests that need a module that is nowhere, and of which the program knows nothing, with its name."""
    found = {}
    for test, failure in failures.items():
        match = re.search(r"No module named '([\w.]+)'", failure.text)
        if match and not any(match.group(1) in project.files[path] for path in project.program_paths):
            found[test] = match.group(1)
    return found


def failing_here_alone(failing: Sequence[str], known: Collection[str]) -> list[str]:
    """The failing tests that do not fail where the project is; `known` is what all are called that do, or empty. Tests
    that were made of a person's words are known nowhere else."""
    here = [name for name in failing if last_name(name) not in known and HINT_NAME not in name]
    return here if known and len(here) < len(failing) else []
