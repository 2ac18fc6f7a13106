"""Several mistakes at once: changes that each make other tests pass, and harm none, are one change together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations, islice

from ..ranking.candidates import Candidate
from ..ranking.choice import plausibility
from ..reading.source import Source
from ..running.trials import Trial

OF_A_KIND = 3  # changes that make the same tests pass
MOST_PARTS = 3
MOST_LOOKED_AT = 20_000
MOST = 150  # tried


def combined(trials: Iterable[Trial], needed: set[str], sources: Mapping[str, Source]) -> Iterator[Candidate]:
    """Changes that between them make all needed tests pass, as one; the fewest and likeliest first."""
    parts = _parts(trials, needed, sources)
    count = 0
    for size in range(2, MOST_PARTS + 1):
        for chosen in islice(combinations(parts, size), MOST_LOOKED_AT):
            fixed = [set(trial.fixed) & needed for trial in chosen]
            alone_enough = any(set().union(*fixed[:i], *fixed[i + 1 :]) >= needed for i in range(size))
            if set().union(*fixed) >= needed and not alone_enough and _apart(chosen):
                yield _together(chosen)
                count += 1
            if count >= MOST:
                return


def _parts(trials: Iterable[Trial], needed: set[str], sources: Mapping[str, Source]) -> list[Trial]:
    """The likeliest of each kind of helpful change."""
    helpful = [trial for trial in trials if not trial.broken and set(trial.fixed) & needed]
    helpful.sort(key=lambda trial: -plausibility(trial.candidate, sources))
    kept: list[Trial] = []
    for trial in helpful:
        if sum(set(one.fixed) == set(trial.fixed) for one in kept) < OF_A_KIND:
            kept.append(trial)
    return kept


def _apart(chosen: tuple[Trial, ...]) -> bool:
    """Whether no two changes touch the same text."""
    edits = sorted(edit for trial in chosen for edit in trial.candidate.edits)
    return all(one.path != two.path or one.end < two.start for one, two in zip(edits, edits[1:], strict=False))


def _together(chosen: tuple[Trial, ...]) -> Candidate:
    first, *others = [trial.candidate for trial in chosen]
    words = ", and ".join(one.operator.words for one in (first, *others))
    operator = replace(first.operator, words=words, risk=max(one.operator.risk for one in (first, *others)))
    edits = tuple(sorted(edit for trial in chosen for edit in trial.candidate.edits))
    return Candidate(edits, operator, first.line, min(one.likelihood for one in (first, *others)))
