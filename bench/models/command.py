"""`python -m bench models`: what a small real model solves with this agent, and what each of its parts is worth.

36 tasks in six kinds, judged by what is left behind; a third is held, which is counted and never listed. `--tasks jobs`
are four for each of the other jobs. `--ablate` leaves out one mechanism after the other, `--peers` lets others try the
same, `--program` measures another checkout. Interrupted, it goes on where it stopped.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bench import children
from bench.attempts import JUDGE_SECONDS
from bench.many.child import code_state
from bench.many.command import Made, add_options, chosen, make, measured_or_shown
from bench.many.comparison import print_comparison
from bench.many.gateway import add_limits, limits_held
from bench.many.page import write_page
from bench.many.progress_line import Tell
from bench.many.task import Task
from bench.models import table
from bench.models.attempt import task_of
from bench.models.tasks import EVERY_KIND, SETS, ModelTask, tasks_of
from bench.peers.walled import holds
from bench.record import Line, read
from bench.subjects import peer
from config import PROJECT, ConfigError, load_settings, whole_environment

ALL_KINDS = ",".join(EVERY_KIND)
PROVIDERS = ("lmstudio", "gemini", "offline")
OURS = "glassbox"
RECORDS = SETS / "records"
# What a record may hold that is kept in the repository: nothing that names a machine, and of a held task no details.
KEPT = (
    *("kind", "task", "repeat", "seed", "outcome", "subject", "sort", "held", "model", "stop_reason", "tokens"),
    *(
        "turns",
        "seconds",
        "solved",
        "cause",
        "was_right",
        "changed",
        "calls",
        "answer",
        "program",
        "wall",
        "bench",
        "provider",
        "temperature",
        "remembers",
        "tries",
    ),
)
MACHINE = ("date", "python", "processor", "cores")
SERVER_SECONDS = 10.0
PEERS = {  # by the wire that each can speak
    "bare": {"lmstudio": "bare_coder_openai.py", "gemini": "bare_coder_gemini.py"},
    "mini-swe-agent": {"lmstudio": "mini_swe_agent_coder.py"},
}
SHELLS = ("mini-swe-agent",)
ASK_NAMES = "from agent.mechanisms import NAMES; print('\\n'.join(NAMES))"


@dataclass(frozen=True)
class Tried:
    """One of those that are compared: this agent without some mechanisms, or a `peer`, as its python and its script."""

    name: str
    without: tuple[str, ...] = ()
    peer: Mapping[str, str] | None = None


def main(arguments: list[str]) -> int:
    """Run what is asked for; exit code 0, 1 for usage, 3 when the budget is used up, 130 when interrupted."""
    options = parser().parse_args(arguments)
    return measured_or_shown(options, measure, compare=print_comparison, show=show)


def parser() -> argparse.ArgumentParser:
    build = argparse.ArgumentParser(prog="python -m bench models", description=__doc__)
    add = build.add_argument
    add("--provider", choices=PROVIDERS, default="lmstudio", help="whom to ask (default lmstudio)")
    add(
        "--tasks",
        default="all",
        metavar="SET",
        help="all, open, held, jobs (the other jobs'), or a folder (default all)",
    )
    add("--kinds", default=ALL_KINDS, metavar="A,B", help=f"only tasks of these kinds ({ALL_KINDS})")
    add("--only", default="", help="only the tasks whose name contains this (a,b: one of these)")
    add("--repeats", type=int, default=1, help="how often each task is tried (default 1)")
    add("--without", action="append", default=[], metavar="MECHANISM", help="leave out a mechanism (repeatable)")
    add("--tries", type=int, default=1, metavar="N", help="how often an order is tried in one attempt (default 1)")
    add(
        "--ablate",
        nargs="?",
        const="all",
        metavar="A,B",
        help="all mechanisms on, then each left out in turn, or each of these; one table",
    )
    add("--peers", default="", help=f"who else tries the same: {','.join(PEERS)}")
    add("--program", type=Path, default=PROJECT, help="the checkout to measure (default: this one)")
    add("--seconds", type=float, default=600.0, help="for one attempt (default 600)")
    add("--max-iters", type=int, metavar="N", help="requests of one attempt (default: the program's own, MAX_ITERS)")
    add("--traces", action="store_true", help="keep the trace and the page of each run")
    add("--publish", metavar="NAME", help="keep the record in datasets/models/records, without what is this machine's")
    add("--show", type=Path, metavar="FILE", help="print the tables of a record, and run nothing")
    add("--compare", nargs=2, type=Path, metavar=("A", "B"), help="is record B better than record A?")
    add_options(build)
    add_limits(build)
    build.set_defaults(workers=1)  # a server on one's own machine does one thing after another
    return build


def measure(options: argparse.Namespace) -> int:
    """Let everybody try every task as often as asked for, and print what came of it."""
    kinds = options.kinds.split(",")
    if unknown := [kind for kind in kinds if kind not in EVERY_KIND]:
        raise ConfigError(f"there is no kind of task {unknown[0]!r}; there are {', '.join(EVERY_KIND)}")
    every = {task.name: task for task in tasks_of(options.tasks) if task.kind in kinds}
    problems = [every[name] for name in chosen(list(every), options.only)]
    if options.watch and any(problem.held for problem in problems):
        raise ConfigError("a held task is counted and never looked at: --watch goes with --tasks open")
    options.program = options.program.resolve()
    if not (options.program / "main.py").is_file():
        raise ConfigError(f"{options.program} is no checkout of this program: there is no main.py in it")
    model = model_of(options.provider)
    subjects = [*ours(options), *peers(options)]
    about = {
        "bench": "models",
        "provider": options.provider,
        "model": model,
        "program": code_state(options.program),
        "seconds": options.seconds,
        "turns": turns_allowed(options),
        "temperature": load_settings().lmstudio_temperature,
        "remembers": options.remember,
        "tries": options.tries,
    }
    name = re.sub(r"[^\w.-]+", "-", f"models-{options.provider}-{model}")
    total = len(problems) * options.repeats * len(subjects)

    def tell(line: Line, put: Tell) -> None:
        if not line.get("held", True):
            put(f"{line['task']}: {'solved' if line['solved'] else line['cause']}")

    with limits_held(options) as environment:
        tasks = attempts(problems, subjects, options, {**environment, **limit_of(options)}, model)
        batch = make(options, tasks, total, about, name, tell)
    if options.ablate:
        own = [line for line in batch.lines if line.get("subject", "").startswith(OURS)]
        print(table.ablation(own, subjects[0].name), end="\n\n")
    if not options.ablate or options.peers:
        print(table.report(batch.lines))
    shown = [line for line in batch.lines if not line.get("held", True)]
    print(f"page: {write_page(batch.path, shown)}", file=sys.stderr)
    if options.publish:
        print(f"kept: {publish(batch, options.publish).relative_to(PROJECT)}", file=sys.stderr)
    return batch.code


def attempts(
    problems: Sequence[ModelTask],
    subjects: Sequence[Tried],
    options: argparse.Namespace,
    environment: Mapping[str, str],
    model: str,
) -> Iterator[Task]:
    """Every attempt that is asked for. Who is compared stands side by side in time, because machines have moods."""
    limit = options.seconds + 3 * JUDGE_SECONDS + 30
    asked = {"provider": options.provider, "seconds": options.seconds, "traces": options.traces, "model": model}
    asked |= {"environment": dict(environment), "checkout": str(options.program), "turns": turns_allowed(options)}
    asked["tries"] = options.tries
    for repeat in range(options.repeats):
        for problem in problems:
            for subject in subjects:
                data = {**task_of(problem), **asked, "subject": asdict(subject)}
                yield Task(f"{subject.name}: {problem.name}", repeat, "bench.models.attempt:attempt", data, limit)


def ours(options: argparse.Namespace) -> list[Tried]:
    """This agent, as often as it is compared with itself. Raises ConfigError for a mechanism that is not known."""
    if not options.ablate and not options.without:
        return [Tried(name_without((), options.tries))]
    names = mechanisms(options.program)
    ablated = names if options.ablate == "all" else [*filter(None, (options.ablate or "").split(","))]
    if unknown := [name for name in (*options.without, *ablated) if name not in names]:
        raise ConfigError(f"there is no mechanism {unknown[0]!r}; there are {', '.join(names)}")
    without = tuple(options.without)
    others = [(*without, name) for name in ablated if name not in without]
    return [Tried(name_without(each, options.tries), each) for each in (without, *others)]


def name_without(without: Sequence[str], tries: int = 1) -> str:
    """What a record calls this agent; so an ablation goes on from what was measured before."""
    name = f"{OURS} in {tries} tries" if tries > 1 else OURS
    return f"{name} without {', '.join(without)}" if without else name


def mechanisms(program: Path) -> list[str]:
    """The names of the mechanisms that a checkout has. Raises ConfigError for one that knows of none."""
    ran = children.run([sys.executable, "-c", ASK_NAMES], JUDGE_SECONDS, whole_environment(), program)
    names = ran.stdout.split()
    if ran.returncode or not names:
        raise ConfigError(
            "this program has no mechanisms to leave out: its agent/ has no module mechanisms with NAMES. "
            "Measure it without --without and --ablate, or name another checkout with --program"
        )
    return names


def peers(options: argparse.Namespace) -> Iterator[Tried]:
    """Those beside whom it is measured; what they need is installed first. Raises ConfigError for an unknown one."""
    for name in filter(None, options.peers.split(",")):
        scripts = PEERS.get(name)
        if scripts is None:
            raise ConfigError(f"there is no peer {name!r}; there are {', '.join(PEERS)}")
        if options.provider not in scripts:
            raise ConfigError(f"{name} can be measured with --provider {' or '.join(scripts)} alone")
        if name in SHELLS and not holds():
            raise ConfigError(
                f"{name} runs what a model writes in a shell, and nothing here can hold that in (unshare)"
            )
        python = sys.executable if name == "bare" else peer(name).python
        yield Tried(name, peer={"python": python, "script": scripts[options.provider]})


def model_of(provider: str) -> str:
    """What the model is called. Raises ConfigError when there is none, before anything is begun."""
    settings = load_settings()
    if provider == "offline":
        return "built-in"
    if provider == "gemini":
        from session import loop_of

        loop_of("gemini", settings)
        return settings.gemini_model
    from providers.discovery import look

    address = settings.lmstudio_base_url
    found = look(address, settings.lmstudio_api_key, SERVER_SECONDS, wanted=settings.lmstudio_model)
    if found is None or not found.model:
        raise ConfigError(
            f"no model answers at {address}: start LM Studio's server and load one, or set LMSTUDIO_BASE_URL"
        )
    return found.model


def turns_allowed(options: argparse.Namespace) -> int:
    """How many requests an attempt may make, of this agent and of a peer alike."""
    return options.max_iters if options.max_iters is not None else load_settings().max_iters


def limit_of(options: argparse.Namespace) -> dict[str, str]:
    return {} if options.max_iters is None else {"MAX_ITERS": str(options.max_iters)}


def publish(batch: Made, name: str) -> Path:
    """Write what a record holds into the repository: who may read it there need not know whose machine it was."""
    target = RECORDS / f"{Path(name).name.removesuffix('.jsonl')}.jsonl"
    RECORDS.mkdir(parents=True, exist_ok=True)
    wanted = {(line["task"], line["repeat"]) for line in batch.lines}
    lines = [slim for line in read(batch.path) if (slim := published(line, wanted))]
    target.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    return target


def published(line: Line, wanted: set[tuple[str, int]]) -> Line:
    """A line as the repository keeps it; {} for one that does not belong to the measurement."""
    if line.get("kind") == "attempt" and (line["task"], line["repeat"]) not in wanted:
        return {}
    if line.get("kind") == "machine":
        return {"kind": "machine", **{name: line[name] for name in MACHINE if name in line}}
    kept = {name: line[name] for name in KEPT if name in line}
    if "calls" in kept:
        kept["calls"] = [[call["name"], call["arguments"], call["status"]] for call in kept["calls"]]
    return kept


def show(path: Path) -> int:
    """Print the tables of a record."""
    if not path.is_file():
        raise ConfigError(f"there is no record {path}")
    lines: list[dict[str, Any]] = [line for line in read(path) if line.get("kind") == "attempt"]
    print(table.report(lines))
    own = sorted({line["subject"] for line in lines if line["subject"].startswith(OURS)}, key=len)
    if len(own) > 1:
        print("\n" + table.ablation([line for line in lines if line["subject"] in own], own[0]))
    return 0
