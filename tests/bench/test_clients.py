"""The bench of other people's clients: what counts as repaired, as told why not, and as puzzled."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bench.clients import command, table
from bench.clients.table import CLIENTS, Client

ASKS = """\
import json, sys, urllib.request
tool = {{"type": "function", "function": {{"name": "weather", "parameters": {{"type": "object"}}}}}}
body = {{"messages": [{{"role": "user", "content": sys.argv[2]}}], "tools": [tool]}}
request = urllib.request.Request(sys.argv[1] + "/v1/chat/completions", json.dumps(body).encode())
answer = json.loads(urllib.request.urlopen(request).read())["choices"][0]["message"]["content"]
{then}
"""
THEN = {
    "repaired": "text = open('pkg/calculator.py').read(); open('pkg/calculator.py', 'w').write(text.replace('3,', '1,'))",
    "said why not": "print(answer)",
    "puzzled": "print('the model said something odd')",
}


@pytest.mark.skipif(sys.platform == "win32", reason="the bench names programs as POSIX has them")
@pytest.mark.parametrize("outcome", THEN)
def test_a_client_is_judged_by_the_files_and_by_what_it_prints(
    outcome: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(table, "DRIVERS", tmp_path)
    (tmp_path / "asks.py").write_text(ASKS.format(then=THEN[outcome]))
    programs = tmp_path / "installed" / "one" / "bin"
    programs.mkdir(parents=True)
    (programs / "python").symlink_to(Path(sys.executable).resolve())
    client, place = Client("one", "one", "a driver", ("asks.py",)), tmp_path / "place"
    place.mkdir()
    judged, seconds, requests = command.run(client, tmp_path / "installed", place)
    assert (judged, requests) == (outcome, 1)
    assert seconds < command.SECONDS


def test_a_client_that_changes_the_tests_has_repaired_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def empties(
        arguments: list[str], seconds: float, environment: object, folder: Path
    ) -> command.subprocess.CompletedProcess:
        (folder / "tests.py").write_text("import unittest\nclass T(unittest.TestCase):\n    def test_it(self): pass\n")
        return command.subprocess.CompletedProcess(arguments, 0, "All fine", "")

    monkeypatch.setattr(command.children, "run", empties)
    assert command.run(Client("one", "one", "", ("one",)), tmp_path, tmp_path)[0] == "puzzled"


def test_every_client_has_a_command_that_installs_it_and_a_driver_that_is_there(capsys: pytest.CaptureFixture[str]):
    assert command.main(["--commands", "there"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(CLIENTS) >= 10
    assert all(client.package in line for client, line in zip(CLIENTS, lines, strict=True))
    for client in CLIENTS:
        assert not client.start[0].endswith(".py") or (table.DRIVERS / client.start[0]).is_file()


def test_a_client_that_is_not_installed_is_a_row_and_no_traceback(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert command.main(["--installed", str(tmp_path), "--only", "llm"]) == 0
    out = capsys.readouterr().out
    assert "| llm | | six functions from a file | not installed" in out
    assert "0 of 1" in out
