"""One step forked many times: the shares of the outcomes are those that the model drew."""

from __future__ import annotations

import json
import random
import threading
from collections import Counter
from pathlib import Path

import pytest
from scripted import scripted

from bench import forks
from bench.chance import wilson
from cli import start
from records.folders import folders, result_of, summary

TIMES = 20
LOOK = ("", [("get_dir_info", {})])


@pytest.mark.long
def test_a_step_forked_20_times_has_the_shares_that_were_drawn_and_names_the_runs_behind_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    dice, drawn, lock = random.Random(33), Counter[str](), threading.Lock()
    (tmp_path / "work").mkdir()
    runs = tmp_path / "runs"
    monkeypatch.setenv("GLASSBOX_RUNS_DIRECTORY", str(runs))

    def draw(number: int) -> None:
        with lock:
            said = "Done." if number < 2 else dice.choices(("Yes.", "No.", "Perhaps."), (6, 3, 1))[0]
            drawn[said] += number > 1
            if number:
                model.replies.append((said, []))

    with scripted(LOOK, before_reply=draw) as model:
        for name, value in model.environment("lmstudio").items():
            monkeypatch.setenv(name, value)
        assert start.main(["is it so?", "--workdir", str(tmp_path / "work"), "--plain"]) == 0
        parent = folders(runs)[0]
        capsys.readouterr()
        command = [f"{parent.name}:3", "--times", str(TIMES), "--workers", "1", "--json"]
        assert forks.main(command) == 0
        asked = len(model.requests)
        lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        found = lines[-1]
        assert len(lines) == TIMES, "they are told as they come"
        assert asked == 2 + TIMES, "what is known costs no request"
        assert forks.main(command) == 0
        assert len(model.requests) == asked, "the same command makes nothing twice"
        assert json.loads(capsys.readouterr().out.splitlines()[-1]) == found
    assert {each["ended"]: len(each["runs"]) for each in found} == {
        f"answered; “{said}”": times for said, times in drawn.items() if times
    }
    for each in found:
        assert (each["low"], each["high"]) == wilson(len(each["runs"]), TIMES)
        assert each["share"] == len(each["runs"]) / TIMES
        for name in each["runs"]:
            assert summary(runs / name).parent == parent.name
            assert f"“{result_of(runs / name)['answer']}”" in each["ended"]
    text = forks.told(found)
    assert f"{100 * found[0]['share']:.0f} %" in text
    assert found[0]["runs"][0] in text


def test_what_cannot_be_forked_is_said_before_a_branch_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("GLASSBOX_RUNS_DIRECTORY", str(tmp_path))
    assert forks.main(["nothing:1"]) == 1
    assert capsys.readouterr().err.startswith("Error: ")
