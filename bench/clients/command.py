"""Repair the README's bug through other people's clients, each installed by its own documented command.

    python -m bench clients --commands DIR   prints the commands that install them, each in a folder of its own
    python -m bench clients --installed DIR  runs each against the built-in model, on a copy of the calculator

A client has repaired it when the calculator's own tests, untouched, pass in the copy; else it was told why not, when
the sentence that begins with "I can't" was what it printed; else it was left puzzled.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from bench import children
from bench.clients.table import CLIENTS, Client
from cli.reset import put_calculator, shipped
from config import whole_environment
from functions.run_tests import PLAIN
from offline import minds
from offline.wire.conversation import Conversation, Decision, Think
from offline.wire.server import serve

PROMPT = "fix the bug"
SECONDS = 240.0  # for one client, its start included
KEPT = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "SSL_CERT_FILE")


@dataclass
class Heard:
    """How often the built-in model was asked, and the sentence in which it said that it can't, if it did."""

    requests: int = 0
    sentence: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def decide(self, conversation: Conversation, think: Think, cancelled: threading.Event) -> Decision:
        decision = minds.decide(conversation, think, cancelled)
        with self.lock:
            self.requests += 1
            texts = [decision.text, *(str(each) for call in decision.calls for each in call.arguments.values())]
            self.sentence = next((text for text in texts if text.startswith("I can't")), self.sentence)
        return decision


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench clients", description=__doc__.split("\n\n")[0])
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--installed", type=Path, metavar="DIR", help="where they are installed")
    what.add_argument("--commands", type=Path, metavar="DIR", help="print the commands that install them there")
    parser.add_argument("--only", metavar="NAMES", help="with commas")
    options = parser.parse_args(arguments)
    names = (options.only or ",".join(each.name for each in CLIENTS)).split(",")
    if unknown := set(names) - {each.name for each in CLIENTS}:
        parser.error(f"there is no client {', '.join(sorted(unknown))}")
    chosen = [each for each in CLIENTS if each.name in names]
    if options.commands:
        print("\n".join(each.installing(options.commands) for each in chosen))
        return 0
    print("| client | version | what it has | outcome | seconds | requests |\n|---|---|---|---|---|---|", flush=True)
    rows = [row(each, options.installed.resolve()) for each in chosen]
    done = sum(outcome != "puzzled" for outcome in rows)
    print(f"\n{done} of {len(rows)} finish a repair or say in one sentence why not.")
    return 0


def row(client: Client, installed: Path) -> str:
    """Run one client and print its row; its outcome."""
    if not client.program(installed).exists():
        print(f"| {client.name} | | {client.has} | not installed | | |", flush=True)
        return "puzzled"
    with tempfile.TemporaryDirectory(prefix="client-", ignore_cleanup_errors=True) as place:
        outcome, seconds, requests = run(client, installed, Path(place))
    print(f"| {client.name} | {version(client, installed)} | {client.has} | {outcome} | {seconds:.0f} | {requests} |")
    sys.stdout.flush()
    return outcome


def run(client: Client, installed: Path, place: Path) -> tuple[str, float, int]:
    """What one client did with a copy of the calculator, in how many seconds and requests."""
    folder, home, heard, began = place / "calculator", place / "home", Heard(), time.monotonic()
    put_calculator(folder)
    home.mkdir()
    with serve(decide=heard.decide) as address:
        for path, text in client.files.items():
            (home / path).parent.mkdir(parents=True, exist_ok=True)
            (home / path).write_text(text.format(address=address))
        kept = {name: value for name, value in whole_environment().items() if name in KEPT}
        ours = {"OPENAI_API_KEY": "none", "OPENAI_BASE_URL": f"{address}/v1", "OPENAI_API_BASE": f"{address}/v1"}
        own = {name: text.format(home=home, address=address) for name, text in client.environment.items()}
        environment = {**kept, **ours, "HOME": str(home), "PYTHONDONTWRITEBYTECODE": "1", **own}
        command = client.command(installed, address, PROMPT)
        try:
            ran = children.run(command, SECONDS, environment, folder)
            printed = f"{ran.stdout}{ran.stderr}"
        except subprocess.TimeoutExpired:
            printed = ""
    seconds = time.monotonic() - began
    (folder / "tests.py").write_bytes(shipped()["tests.py"])
    if str(PLAIN.function(folder)).startswith("All "):
        return "repaired", seconds, heard.requests
    said = " ".join(heard.sentence.split())[:40]
    return "said why not" if said and said in " ".join(printed.split()) else "puzzled", seconds, heard.requests


def version(client: Client, installed: Path) -> str:
    if client.npm:
        path = installed / client.name / "node_modules" / client.package / "package.json"
        return str(json.loads(path.read_text())["version"])
    code = f"import importlib.metadata as found; print(found.version({client.package.split('[')[0]!r}))"
    python = str(installed / client.name / "bin" / "python")
    return subprocess.run([python, "-c", code], capture_output=True, text=True).stdout.strip()
