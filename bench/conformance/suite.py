"""python -m bench conformance --suite DIR: what MCP's official conformance suite says of our server and our client.

DIR is where npm has installed it (INSTALL). All that a revision of the protocol requires is run, on its own wire, and
what the suite runs beside that. What fails must be what datasets/conformance.toml lists, with a reason, and nothing
else: a gap that is new, and one that is not there any more, both make the command fail.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import yaml

from bench import children
from config import PROJECT, need, whole_environment

PACKAGE = "@modelcontextprotocol/conformance"
VERSION = "0.2.0-alpha.12"  # the first line of versions that knows the protocol of 2026-07-28
INSTALL = f"npm install --prefix DIR {PACKAGE}@{VERSION} node@22"  # it needs Node 22, which many systems have not
GAPS = PROJECT / "datasets" / "conformance.toml"
REVISIONS = ("2025-11-25", "2026-07-28")
SIDES = ("server", "client")
SERVER_SECONDS = 300.0  # for the server at one revision; it took 10
SCENARIO_SECONDS = 20
AT_ONCE = 2  # scenarios of the client, each of which starts a program
FAILED = "FAILURE"


class Leg(NamedTuple):
    """One side at one revision: the status of each check by "scenario:check", the worst where one is made several
    times, and the scenarios that the revision names and that gave no result."""

    checks: Mapping[str, str]
    missing: list[str]

    @property
    def failed(self) -> set[str]:
        return {name for name, status in self.checks.items() if status == FAILED}

    def line(self) -> str:
        """The figures; a scenario of which every check was skipped has not passed."""
        scenarios, passed, failing = (
            {name.partition(":")[0] for name, status in self.checks.items() if which in (status, "")}
            for which in ("", "SUCCESS", FAILED)
        )
        count = Counter(self.checks.values())
        whole = f"{len(passed - failing)} of {len(scenarios)} scenarios"
        return f"{whole}, {count['SUCCESS']} of {count['SUCCESS'] + count[FAILED]} checks"


class Gap(NamedTuple):
    """What is known to fail, at some revisions of one side, and why: scenarios, or "scenario:check"."""

    side: str
    revisions: tuple[str, ...]
    reason: str
    names: tuple[str, ...]


def main(arguments: list[str]) -> int:
    """Run what was asked for and print it; 0 where it is just what the list says, else 1."""
    parser = argparse.ArgumentParser(prog="python -m bench conformance", description=__doc__.splitlines()[0])
    parser.add_argument("--suite", required=True, type=Path, metavar="DIR", help="where npm installed it")
    parser.add_argument("--only", choices=SIDES, help="one side alone")
    options = parser.parse_args(arguments)
    need("mcp", "mcp")
    program = options.suite / "node_modules" / PACKAGE
    node = shutil.which("node", path=str(options.suite / "node_modules" / ".bin")) or shutil.which("node")
    if not node or not (program / "dist" / "index.js").is_file():
        print(f"the suite is not in {options.suite}. Install it: {INSTALL}", file=sys.stderr)
        return 1
    listed = gaps(GAPS)
    different = False
    for side in (options.only,) if options.only else SIDES:
        for revision in REVISIONS:
            leg = run(side, revision, node, program.resolve())
            print(f"{side} {revision}: {leg.line()}")
            wrong = differences(leg, side, revision, listed)
            different |= bool(wrong)
            print("".join(f"  {each}\n" for each in wrong), end="", flush=True)
    known: Counter[str] = Counter()
    for gap in (each for each in listed if options.only in (None, each.side)):
        known[f"{gap.side}: {gap.reason}"] += len(gap.names)
    print("\n".join(f"known gap, {what} ({count} named)" for what, count in known.items()))
    return int(different)


def run(side: str, revision: str, node: str, program: Path) -> Leg:
    """Run the suite at one revision. What it does not finish in time is missing."""
    required = yaml.safe_load((program / "requirements" / f"{revision}.yaml").read_text(encoding="utf-8"))
    wanted = [*required[side], *(each["scenario"] for each in required["not_scored"] if each["leg"] == side)]
    with tempfile.TemporaryDirectory() as place:
        results, folder = Path(place, "results"), Path(place, "folder")
        folder.mkdir()
        command = [node, str(program / "dist" / "index.js"), side, "-o", str(results)]
        command += ["--timeout", str(SCENARIO_SECONDS * 1000)]
        if side == "server":
            with our_server(folder) as address:
                finish([*command, "--requirements", revision, "--url", address], SERVER_SECONDS)
        else:  # all at once, as the suite would, many clients start so slowly that scenarios end before them
            command += ["--command", f"{sys.executable} -m bench.conformance.client", "--spec-version", revision]
            each = [[*command, "--force", "--scenario", scenario] for scenario in wanted]
            with ThreadPoolExecutor(AT_ONCE) as pool:
                list(pool.map(lambda one: finish(one, 2 * SCENARIO_SECONDS), each))
        checks = read(results)
    there = {name.partition(":")[0] for name in checks}
    return Leg(checks, [name for name in wanted if name not in there])


def finish(command: list[str], seconds: float) -> None:
    try:
        children.run(command, seconds, whole_environment(), PROJECT)
    except subprocess.TimeoutExpired:
        print(f"{' '.join(command[2:])}: not done after {seconds:g} seconds", file=sys.stderr)


@contextmanager
def our_server(folder: Path) -> Iterator[str]:
    command = [sys.executable, "-m", "bench.conformance.server", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8", cwd=PROJECT) as process:
        try:
            assert process.stdout
            yield process.stdout.readline().strip()
        finally:
            process.kill()


def read(results: Path) -> dict[str, str]:
    """The status of each check that the suite has written down, one folder a scenario."""
    found: dict[str, str] = {}
    for path in sorted(results.rglob("checks.json")):
        folder = path.parent.relative_to(results).as_posix()
        scenario = re.sub(r"-\d{4}-\d\d-\d\dT[\dZ-]+$", "", folder).removeprefix("server-")
        for check in json.loads(path.read_text(encoding="utf-8")):
            name = f"{scenario}:{check['id']}"
            if found.get(name) != FAILED:
                found[name] = check["status"]
    return found


def gaps(path: Path) -> list[Gap]:
    listed = tomllib.loads(path.read_text(encoding="utf-8"))["gap"]
    return [Gap(each["side"], tuple(each["revisions"]), each["reason"], tuple(each["names"])) for each in listed]


def differences(leg: Leg, side: str, revision: str, listed: list[Gap]) -> list[str]:
    """A sentence for each way in which a result is not what the list says."""
    known = {name for gap in listed if gap.side == side and revision in gap.revisions for name in gap.names}
    whole = {name for name in known if ":" not in name}
    new = sorted(name for name in leg.failed if name not in known and name.partition(":")[0] not in whole)
    failing = leg.failed | {name.partition(":")[0] for name in leg.failed}
    return [
        *(f"new gap: {name} fails, and {GAPS.name} does not list it" for name in new),
        *(f"gone: {name} is listed in {GAPS.name}, and does not fail" for name in sorted(known - failing)),
        *(f"missing: the suite gave no result for {name}" for name in leg.missing),
    ]
