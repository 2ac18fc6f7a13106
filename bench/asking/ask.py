"""`python -m bench ask`: how many questions of a set the librarian answers right, with the right source.

A table by class with 95 % intervals. `--set` takes another set, `--workdir` other documents, `--provider` another
model; `--wires` asks the built-in model over both wires, and looks whether it made the same calls.
"""

from __future__ import annotations

import argparse
import contextlib
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.asking.matchers import QuestionSet, read_set
from bench.attempts import model_asked
from bench.many.command import add_options, chosen, make, measured_or_shown
from bench.many.comparison import print_comparison
from bench.many.gateway import add_limits, limits_held
from bench.many.page import write_page
from bench.many.progress_line import Tell
from bench.many.table import columns, interval, made
from bench.many.task import Task
from bench.record import Line
from config import PROJECT, ConfigError

QUESTIONS = PROJECT / "datasets" / "questions"
MOST_SECONDS = 600.0  # for one question, with the index that the first one opens


def main(arguments: list[str] | None = None) -> int:
    """Ask, and print what came of it; exit code 0, 1 for usage, 130 when interrupted."""
    return measured_or_shown(parsed(arguments), measure, compare=print_comparison)


def measure(given: argparse.Namespace) -> int:
    questions = read_set(given.set)
    folder = given.workdir or documents_of(questions)
    wires = ("openai", "gemini") if given.wires else ("",)
    asked = list(chosen_of(questions, given))
    about = {
        "bench": "ask",
        "set": questions.about,
        "provider": given.provider,
        "model": model_asked(given.provider),
        "documents": str(folder.resolve()),
    }
    name = f"ask-{given.set.stem}-{given.provider}{'-wires' if given.wires else ''}"

    def tell(line: Line, put: Tell) -> None:
        put(f"{line['task'][:80]}: {'right' if line['solved'] else line['cause']}")
        if given.verbose and "answer" in line:
            put(f"{line['answer']}\n")

    total = len(asked) * len(wires) * given.repeats
    with limits_held(given) as environment:
        batch = make(given, tasks(asked, folder, given, wires, environment), total, about, name, tell)
    for wire in wires:
        lines = [line for line in batch.lines if line["task"].startswith(wire) and made(line)]
        print(f"{questions.about}{f', over the {wire} wire' if wire else ''}\n{table(lines)}")
    if given.wires:
        print(same_calls(batch.lines))
    print(f"page: {write_page(batch.path, batch.lines, batch.total)}", file=sys.stderr)
    return batch.code


def tasks(
    asked: Sequence[tuple[int, dict[str, Any]]],
    folder: Path,
    given: argparse.Namespace,
    wires: Sequence[str],
    environment: Mapping[str, str],
) -> Iterator[Task]:
    """Each question over each wire, as often as asked for. The documents lie at the same place on every machine."""
    whom = {"provider": given.provider, "environment": environment}
    for repeat in range(given.repeats):
        for wire in wires:
            for number, question in asked:
                name = f"{wire} {number:03} {question['question']}".strip()
                place = (folder / question.get("folder", ".")).resolve()
                data = {**whom, "folder": str(place), "wire": wire, "question": question}
                yield Task(name, repeat, "bench.asking.once:attempt", data, MOST_SECONDS)


def parsed(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench ask", description=__doc__)
    add = parser.add_argument
    add("--set", type=Path, default=QUESTIONS / "library.yaml", help="questions in YAML (default: the library's forty)")
    add("--workdir", type=Path, help="the documents (default: those that the set is about)")
    add("--provider", help="which model to ask (default: the built-in one)", default="offline")
    add("--wires", action="store_true", help="ask the built-in model over both wires and compare the calls")
    add("--repeats", type=int, default=1, help="ask each question so often: a model that rolls dice needs it")
    add("--only", default="", help="only the classes whose name contains this")
    add("--first", type=int, default=0, help="only so many questions of each class")
    add("--verbose", action="store_true", help="print every answer")
    add("--compare", nargs=2, type=Path, metavar=("A", "B"), help="is record B better than record A?")
    add_options(parser)
    add_limits(parser)
    return parser.parse_args(arguments)


def documents_of(questions: QuestionSet) -> Path:
    """Where the documents of a set lie: the shipped library, or where a command says. Raises ConfigError."""
    if not questions.documents:
        return PROJECT / "samples" / "library"
    command, folder = questions.documents["command"], questions.documents["folder"]
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        said = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=30).stdout.strip()
        if said and (Path(said) / folder).is_dir():
            return Path(said) / folder
    raise ConfigError(
        f"{' '.join(command)} names no folder with {folder}. Install it, or name the folder with --workdir."
    )


def chosen_of(questions: QuestionSet, given: argparse.Namespace) -> Iterator[tuple[int, dict[str, Any]]]:
    """The questions that are asked, with their numbers. Raises ConfigError when no class is called as `--only` says."""
    kinds = list(dict.fromkeys(question.get("class", "all") for question in questions.questions))
    wanted, seen = chosen(kinds, given.only, "class"), dict.fromkeys(kinds, 0)
    for number, question in enumerate(questions.questions, 1):
        kind = question.get("class", "all")
        seen[kind] += 1
        if kind in wanted and (not given.first or seen[kind] <= given.first):
            yield number, question


def same_calls(lines: Sequence[Line]) -> str:
    """Whether the built-in model made the same calls over both wires."""
    used = {(line["task"], line["repeat"]): line["used"] for line in lines if made(line)}
    pairs = [(calls, used.get((f"gemini{name[6:]}", at))) for (name, at), calls in used.items() if name[:6] == "openai"]
    return f"The same calls on both wires: {sum(one == other for one, other in pairs)} of {len(pairs)}."


def table(lines: Sequence[Line]) -> str:
    """Right answers by class, with intervals; of the answers that name a source how many it says so; calls, seconds."""
    kinds = list(dict.fromkeys(line["type"] for line in lines))
    rows = []
    for kind in [*kinds, *(["all"] if len(kinds) > 1 else [])]:
        several = [line for line in lines if kind in (line["type"], "all")]
        right, calls = sum(line["solved"] for line in several), [len(line["used"]) for line in several]
        seconds, share = [line["seconds"] for line in several], f"{right}/{len(several)}"
        sourced = [line for line in several if line["sourced"]]
        says = f"{sum(not line['unsaid'] for line in sourced)}/{len(sourced)}"
        means = [f"{sum(calls) / len(calls):.1f}", str(max(calls)), f"{sum(seconds) / len(seconds):.2f}"]
        rows.append([kind, share, interval(right, len(several)), says, *means, f"{max(seconds):.2f}"])
    return columns(("class", "right", "95 %", "source says so", "calls", "most", "s", "most"), rows)
