"""`python -m bench ask`: how many questions of a set the librarian answers right, with the right source.

A table by class with 95 % intervals. `--set` takes another set, `--workdir` other documents, `--provider` another
model; `--wires` asks the built-in model over both wires, and looks whether it made the same calls.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bench.asking.judge import judged
from bench.asking.matchers import QuestionSet, read_set, wrong_with
from bench.chance import wilson
from config import PROJECT, ConfigError, Settings, load_settings

QUESTIONS = Path(__file__).with_name("questions")


@dataclass(frozen=True)
class Asked:
    """One question, once."""

    number: int
    kind: str
    wrong: list[str]
    calls: list[tuple[str, str]]  # tool and arguments
    seconds: float
    report: Mapping[str, Any]


def main(arguments: list[str] | None = None) -> int:
    given = parsed(arguments)
    try:
        questions = read_set(given.set)
        folder = given.workdir or documents_of(questions)
        wires = ("openai", "gemini") if given.wires else ("",)
        rounds = {wire: list(ask_all(questions, folder, given, wire)) for wire in wires}
    except ConfigError as error:
        print(f"Error: {error}", file=sys.stderr)
        return 1
    for wire, asked in rounds.items():
        print(table(questions, asked, wire))
    if given.wires:
        first, second = rounds.values()
        same = sum(a.calls == b.calls for a, b in zip(first, second, strict=True))
        print(f"The same calls on both wires: {same} of {len(first)}.")
    if given.json:
        lines = [
            json.dumps({"wire": wire, **vars(each)}, ensure_ascii=False) for wire in rounds for each in rounds[wire]
        ]
        given.json.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


def parsed(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench ask", description=__doc__)
    add = parser.add_argument
    add("--set", type=Path, default=QUESTIONS / "library.yaml", help="questions in YAML (default: the library's forty)")
    add("--workdir", type=Path, help="the documents (default: those that the set is about)")
    add("--provider", help="which model to ask (default: the built-in one)", default="offline")
    add("--wires", action="store_true", help="ask the built-in model over both wires and compare the calls")
    add("--repeats", type=int, default=1, help="ask each question so often: a model that rolls dice needs it")
    add("--only", help="only this class")
    add("--first", type=int, default=0, help="only so many questions of each class")
    add("--verbose", action="store_true", help="print every answer")
    add("--json", type=Path, metavar="FILE", help="write every answer, a line of JSON each")
    return parser.parse_args(arguments)


def documents_of(questions: QuestionSet) -> Path:
    """Where the documents of a set lie: the shipped library, or where a command says. Raises ConfigError."""
    if not questions.documents:
        return PROJECT / "workplaces" / "library"
    command, folder = questions.documents["command"], questions.documents["folder"]
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        said = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=30).stdout.strip()
        if said and (Path(said) / folder).is_dir():
            return Path(said) / folder
    raise ConfigError(
        f"{' '.join(command)} names no folder with {folder}. Install it, or name the folder with --workdir."
    )


def ask_all(questions: QuestionSet, folder: Path, given: argparse.Namespace, wire: str) -> Iterator[Asked]:
    """Ask all questions in one session: the index and the backend are opened once."""
    from jobs import job_named
    from sandbox.files.root import Root

    settings = replace(load_settings({"working_directory": str(folder)}), keep_runs=0)
    job = job_named("librarian")
    chosen = list(chosen_of(questions, given))
    with (
        Root(settings.working_directory) as root,
        model(settings, given.provider, wire) as (provider, loop, settings),
        job.opens(settings, root, lambda line: print(line, file=sys.stderr)) as held,
    ):
        for place, (number, question) in enumerate(chosen * given.repeats, 1):
            began = time.perf_counter()
            result = loop(question["question"], settings, job.begin(provider, root, settings, held=held))
            seconds = time.perf_counter() - began
            wrong = [*wrong_with(question, result.report), *result.errors]
            if "rubric" in question:
                wrong = judged(question, result.report["answer"], wrong, settings)
            calls = [(each["name"], json.dumps(each["arguments"], sort_keys=True)) for each in result.tool_calls]
            yield Asked(number, question.get("class", "all"), wrong, calls, seconds, result.report)
            mark = "right" if not wrong else "; ".join(wrong)
            print(f"[{place}/{len(chosen) * given.repeats}] {question['question'][:70]}: {mark}", file=sys.stderr)
            if given.verbose:
                print(f"{result.answer}\n", file=sys.stderr)


def chosen_of(questions: QuestionSet, given: argparse.Namespace) -> Iterator[tuple[int, dict[str, Any]]]:
    seen: dict[str, int] = {}
    for number, question in enumerate(questions.questions, 1):
        kind = question.get("class", "all")
        seen[kind] = seen.get(kind, 0) + 1
        if given.only in (None, kind) and (not given.first or seen[kind] <= given.first):
            yield number, question


@contextlib.contextmanager
def model(settings: Settings, provider: str, wire: str) -> Iterator[tuple[str, Any, Settings]]:
    """The provider's name, its loop, and the settings to run it with. A wire means the built-in model behind it."""
    from cli.start import chosen_provider
    from main import run_agent

    if wire == "gemini":
        from offline.wire.server import serve
        from providers.gemini import run_agent as gemini_loop

        with serve() as address:
            yield "gemini", gemini_loop, replace(settings, gemini_base_url=address, gemini_api_key="built-in")
        return
    settings = replace(settings, llm_provider="offline" if wire else provider)
    with chosen_provider(settings, run_agent, lambda line: print(line, file=sys.stderr)) as chosen:
        yield chosen


def table(questions: QuestionSet, asked: list[Asked], wire: str) -> str:
    """Right answers by class, with intervals, calls and seconds."""
    kinds = list(dict.fromkeys(each.kind for each in asked))
    lines = [
        f"{questions.about}{f', over the {wire} wire' if wire else ''}",
        f"{'class':12}{'right':>9}{'95 %':>12}{'calls':>7}{'most':>6}{'s':>7}{'most':>7}",
    ]
    for kind in [*kinds, *(["all"] if len(kinds) > 1 else [])]:
        several = [each for each in asked if kind in (each.kind, "all")]
        right = sum(not each.wrong for each in several)
        low, high = wilson(right, len(several))
        calls, seconds = [len(each.calls) for each in several], [each.seconds for each in several]
        share, interval = f"{right}/{len(several)}", f"{100 * low:.0f}-{100 * high:.0f}"
        means = f"{sum(calls) / len(calls):7.1f}{max(calls):6}{sum(seconds) / len(seconds):7.2f}{max(seconds):7.2f}"
        lines.append(f"{kind:12}{share:>9}{interval:>12}{means}")
    return "\n".join(lines)
