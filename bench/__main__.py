"""`python -m bench <what>`: what is measured, and where. Each measurement is imported only when it is asked for."""

from __future__ import annotations

import importlib
import signal
import sys

MEASUREMENTS = {
    "mutants": ("bench.mutants", "how many small changes of the program's own code its tests notice"),
    "speed": ("bench.speed", "what this agent costs beside a bare SDK loop and beside other agents"),
    "quality": ("bench.quality", "how many tasks a model solves in this agent, and what that costs"),
    "models": ("bench.models.command", "what a small real model solves with this agent, and what each part is worth"),
    "turns": ("bench.turns", "what a turn costs at the 50th, the 200th and the 400th, beside a bare SDK loop"),
    "path": ("bench.path", "how many files and lines a plain run walks through, and how often it changes file"),
    "notekeeper": ("bench.notekeeper", "how well the notekeeper files, links and finds notes"),
    "operator": ("bench.operator", "what the built-in operator changes, and what it leaves: negations, questions"),
    "from_nothing": ("bench.from_nothing", "how the notekeeper does from an empty folder, in six languages"),
    "audits": ("bench.audits", "how many faults planted into tables the built-in auditor finds"),
    "proofs": ("bench.proofs", "whether another client gets what the proofs of an audit claim"),
    "repair": ("bench.repair", "how many bugs of a set the built-in model repairs, and how fast"),
    "clients": ("bench.clients.command", "who of other people's clients finishes a repair with the built-in model"),
    "planted": ("bench.planted", "how many bugs planted in published packages the built-in model repairs"),
    "ask": (
        "bench.asking.ask",
        "how many questions about a project the librarian answers right, with the right source",
    ),
    "conformance": ("bench.conformance.suite", "what MCP's official suite says of our server and our client"),
    "merge": ("bench.merge", "nothing: it makes one record of those that slices of a batch have made"),
    "fork": ("bench.forks", "what comes of one step when a run goes on from it many times"),
    "many": ("bench.overhead", "what a batch of runs costs beside the runs themselves, here and on a cluster"),
}


def main(arguments: list[str]) -> int:
    """Run one measurement with the arguments that follow its name; the exit code."""
    if not arguments or arguments[0] not in MEASUREMENTS:
        width = max(map(len, MEASUREMENTS)) + 2
        lines = [f"  {name:{width}}{words}" for name, (_, words) in MEASUREMENTS.items()]
        print("usage: python -m bench <what> [options]\n\n" + "\n".join(lines), file=sys.stderr)
        return 0 if arguments[:1] in (["-h"], ["--help"]) else 1
    for each in (signal.SIGINT, signal.SIGTERM):  # also where a shell started it in the background, deaf to Ctrl-C
        signal.signal(each, signal.default_int_handler)
    try:
        try:
            return importlib.import_module(MEASUREMENTS[arguments[0]][0]).main(arguments[1:])
        finally:
            sys.stdout.flush()  # here, where a reader who has left can still be told from a failure
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:  # whoever read our output has seen enough
        from cli.start import leave

        leave(sys.stdout)
        return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
