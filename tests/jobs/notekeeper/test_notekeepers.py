"""Agents for many people: nobody sees anything of another, nobody waits for another, a run that fails changes nothing."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import random
import resource
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from snapshots import snapshot

from config import ConfigError, Settings
from doors.people.kept import Kept, alone, load, store
from doors.people.notekeeper import AgentAPIError, AgentError, AgentTimeoutError, Notekeeper
from doors.people.notekeepers import Notekeepers
from doors.people.telegram import work
from jobs.notekeeper.settings import NotekeeperSettings
from offline.script import Call, Step, call, fail
from offline.scripted import serving

Calls = list[tuple[str, dict[str, Any]]]
Model = Callable[[str, int], tuple[str, Calls]]  # the prompt, and how many results there are since -> text and calls


@contextmanager
def fake(model: Model, seconds: float = 0.0) -> Iterator[str]:
    """The address of a model that takes `seconds` for each reply; one that raises LookupError is a server's refusal."""
    ended = threading.Event()

    def step(wire: str, body: dict[str, Any]) -> Step:
        ended.wait(seconds)
        messages = body["messages"]
        last = max(place for place, message in enumerate(messages) if message["role"] == "user")
        results = sum(each["role"] == "tool" for each in messages[last:])
        try:
            text, calls = model(messages[last]["content"], results)
        except LookupError:
            return fail(401, "no such key")  # the failure that is never tried again
        return call(*(Call(name, arguments) for name, arguments in calls), text=text)

    with serving(script=step) as server:
        yield f"{server.address}/v1"
        ended.set()


def settings(address: str, **more: Any) -> Settings:
    jobs = (NotekeeperSettings("kb,files,memory"),)
    return replace(Settings(), lmstudio_base_url=address, jobs=jobs, **more)


def saves(prompt: str, results: int) -> tuple[str, Calls]:
    """A model that saves what it is sent."""
    text = prompt.partition("\n\n")[2] or prompt
    note = {"title": text[:40], "content": text, "category": "notes"}
    return ("", [("save_note", note)]) if not results else ("Saved.", [])


async def one(makers: Notekeepers, user: object, text: str) -> dict[str, Any]:
    agent = await makers.get_agent(user)
    return await agent.process([{"role": "user", "content": text}])


def test_a_person_gets_the_result_that_the_files_show_and_a_history(tmp_path: Path):
    async def story() -> None:
        with fake(saves) as address:
            makers = Notekeepers(settings(address), tmp_path)
            result = await one(makers, 123, "Quantum computers need cold.")
            assert result["files_created"] == ["notes/quantum-computers-need-cold.md"]
            assert result["folders_created"] == ["notes"]
            assert result["category"] == "notes"
            assert result["content"].endswith("Quantum computers need cold.\n")
            assert result["metadata"]["agent"] == "autonomous"
            agent = await makers.get_agent(123)
            assert [each["role"] for each in agent.get_context(1)] == ["assistant"]
            assert "save_note" in agent.get_available_tools()
            await makers.close()

    asyncio.run(story())


def test_the_agent_without_a_model_makes_notes_and_doubles_none(tmp_path: Path):
    async def story() -> None:
        makers = Notekeepers(settings("http://127.0.0.1:9/v1"), tmp_path, kind="offline")
        first = await one(makers, 1, "Garlic is planted in October, five centimetres deep.")
        assert first["metadata"]["agent"] == "offline"
        times = []
        for text in ("Leeks want sand.", "Beans climb on poles.", "Peas climb on nets.", "Chard is sown in May."):
            began = time.perf_counter()
            assert (await one(makers, 1, text))["files_created"]
            times.append(time.perf_counter() - began)
        print(f"without a model: {sorted(times)[1] * 1000:.0f} ms a note")
        again = await one(makers, 1, "Leeks want sand.")
        assert not again["files_created"]
        assert not again["files_edited"]
        await makers.close()

    asyncio.run(story())


def nosy(prompt: str, results: int) -> tuple[str, Calls]:
    """A hostile model: it tries to read, find, name and overwrite what is not this person's."""
    secret = prompt.split()[-1]
    if results == 0:
        return "", [("save_note", {"title": f"Mine {secret}", "content": f"My secret is {secret}", "category": "x"})]
    if results == 1:
        return "", [
            ("kb_read_file", {"paths": ["../../notes/x.md", "/etc/passwd", "x/../../state/history.json"]}),
            ("kb_search_files", {"pattern": "*"}),
            ("kb_search_content", {"query": "secret"}),
            ("kb_vector_search", {"query": "My secret", "top_k": 50}),
            ("get_kb_structure", {}),
            ("retrieve_memory", {}),
            ("write_file", {"file_path": "../stolen.md", "content": secret}),
            ("store_memory", {"content": f"remember {secret}", "category": "x"}),
        ]
    return "Done.", []


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 8))])
def test_over_random_interleavings_nobody_sees_anything_of_another(tmp_path: Path, seed: int):
    chance = random.Random(seed)
    people = [f"person{number}" for number in range(6)]
    secrets = {person: f"S{number}x{seed}" * 2 for number, person in enumerate(people)}
    told: dict[str, list[str]] = {person: [] for person in people}

    async def act(makers: Notekeepers, person: str) -> None:
        await asyncio.sleep(chance.random() / 20)
        agent = await makers.get_agent(person)
        kind = chance.choice(["process", "task", "context", "cancel"])
        if kind == "context":
            told[person].append(json.dumps(agent.get_context(50)))
            return
        prompt = f"please keep {secrets[person]}"
        work = agent.process([{"role": "user", "content": prompt}]) if kind == "process" else agent.execute_task(prompt)
        running = asyncio.ensure_future(work)
        if kind == "cancel":
            await asyncio.sleep(chance.random() / 10)
            running.cancel()
        try:
            told[person].append(json.dumps(await running))
        except (asyncio.CancelledError, AgentError) as error:
            told[person].append(str(error))

    async def story(address: str) -> None:
        makers = Notekeepers(settings(address), tmp_path, most=3)  # fewer than people: agents are closed and opened
        acts = [act(makers, chance.choice(people)) for _ in range(24)]
        await asyncio.gather(*acts)
        for person in people:
            agent = await makers.get_agent(person)
            everything = snapshot(agent.folder.parent)
            files = {name: data.decode("utf-8", "replace") for name, data in everything.items()}
            seen = "\n".join([*told[person], *files, *files.values(), json.dumps(agent.get_context(50))])
            others = [secret for other, secret in secrets.items() if other != person and secret in seen]
            assert not others, (person, others)
            assert not (agent.folder.parent / "stolen.md").exists()
        await makers.close()

    with fake(nosy) as address:
        asyncio.run(story(address))
    assert sum(len(each) for each in told.values()) == 24


@pytest.mark.long
def test_fifty_people_at_once(tmp_path: Path):
    async def story(address: str) -> None:
        makers = Notekeepers(settings(address), tmp_path)
        for person in range(50):  # opened before, as in a program that runs for long
            await makers.get_agent(person)
        began = time.perf_counter()
        await one(makers, 0, "The first note of person 0 alone")
        alone = time.perf_counter() - began
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        began = time.perf_counter()
        results = await asyncio.gather(*(one(makers, person, f"A note of person {person}") for person in range(50)))
        together = time.perf_counter() - began
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory) / 50
        print(f"one: {alone:.2f} s; fifty at once: {together:.2f} s; {grown:.0f} KiB more a person while they run")
        for person, result in enumerate(results):
            assert result["files_created"] == [f"notes/a-note-of-person-{person}.md"]
        await makers.close()

    with fake(saves, 0.2) as address:
        asyncio.run(story(address))


def test_the_other_wire_works_too(tmp_path: Path, built_in_model: str):
    async def story() -> None:
        gemini = {"llm_provider": "gemini", "gemini_base_url": built_in_model, "gemini_api_key": "x"}
        makers = Notekeepers(settings(f"{built_in_model}/v1", **gemini), tmp_path)
        result = await one(makers, 1, "Garlic is planted in October, five centimetres deep.")
        assert result["files_created"] == ["garden/garlic-is-planted-in-october-five-centimetres-deep.md"]
        agent = await makers.get_agent(1)
        assert "October" in (await agent.execute_task("when is garlic planted?"))["answer"]
        await makers.close()

    asyncio.run(story())


def test_a_slow_person_holds_up_nobody_and_a_timeout_puts_the_folder_back(tmp_path: Path):
    gate = threading.Event()

    def slow(prompt: str, results: int) -> tuple[str, Calls]:
        if "slow" in prompt and results:
            gate.wait(300)  # a hang guard
        return saves(prompt, results)

    async def story(address: str) -> None:
        makers = Notekeepers(settings(address), tmp_path)
        agent = await makers.get_agent("slow")
        waiting = asyncio.ensure_future(agent.process([{"role": "user", "content": "a slow note"}]))
        result = await one(makers, "quick", "a quick note")
        assert result["files_created"]
        assert not waiting.done()
        gate.set()
        await waiting
        gate.clear()
        before = snapshot(agent.folder)
        await agent.set_preferences(timeout=0.5)
        with pytest.raises(AgentTimeoutError, match=r"longer than 0\.5 seconds"):
            await agent.process([{"role": "user", "content": "another slow note"}])
        gate.set()
        async with agent.turn:  # its thread has ended
            assert snapshot(agent.folder) == before
        assert len(agent.get_context(50)) == 2
        await makers.close()

    with fake(slow) as address:
        asyncio.run(story(address))


def test_a_model_that_fails_halfway_leaves_the_folder_as_it_was(tmp_path: Path):
    def breaks(prompt: str, results: int) -> tuple[str, Calls]:
        if "break" in prompt and results:
            raise LookupError
        return saves(prompt, results)

    async def story(address: str) -> None:
        makers = Notekeepers(settings(address), tmp_path)
        await one(makers, 1, "a first note")
        agent = await makers.get_agent(1)
        before = snapshot(agent.folder)
        with pytest.raises(AgentAPIError, match="401|key"):
            await one(makers, 1, "break after this")
        assert snapshot(agent.folder) == before
        await makers.close()

    with fake(breaks) as address:
        asyncio.run(story(address))


def test_what_is_not_taken_back_of_a_run_that_ends_early_is_named_however_it_ends(tmp_path: Path):
    """Somebody writes into the note that the run has just made."""
    gate, saved = threading.Event(), threading.Event()

    def model(prompt: str, results: int) -> tuple[str, Calls]:
        if results and "fail" in prompt:
            (note,) = tmp_path.rglob("fail.md")
            note.write_text("my own words", encoding="utf-8")
            raise LookupError
        if results and "slow" in prompt:
            (note,) = tmp_path.rglob("slow*.md")
            note.write_text("my own words", encoding="utf-8")
            saved.set()
            gate.wait(300)  # a hang guard
        return saves(prompt, results)

    async def story(address: str) -> None:
        makers = Notekeepers(settings(address), tmp_path)
        agent = await makers.get_agent(1)
        with pytest.raises(AgentAPIError) as failed:
            await one(makers, 1, "fail")
        assert failed.value.left == ("notes/fail.md (changed meanwhile)",)
        (agent.folder / "notes/fail.md").unlink()
        message = SimpleNamespace(text="fail", caption=None, forward_origin=object())
        told = await work(makers, 2, cast("Any", message))
        assert told.endswith("Not taken back: notes/fail.md (changed meanwhile). All else is as it was.")
        cancelled = asyncio.ensure_future(one(makers, 1, "slow"))
        assert await asyncio.to_thread(saved.wait, 300)
        cancelled.cancel()
        async with agent.turn:
            pass
        (agent.folder / "notes/slow.md").unlink()
        notices = (await one(makers, 1, "a quick note"))["metadata"]["notices"]
        assert notices == [
            "a run was stopped. Not taken back: notes/slow.md (changed meanwhile). All else is as it was."
        ]
        await agent.set_preferences(timeout=1)
        with pytest.raises(AgentTimeoutError, match="longer than 1 seconds") as late:
            await one(makers, 1, "slow again")
        assert late.value.left == ("notes/slow-again.md (changed meanwhile)",)
        assert (agent.folder / "notes/slow-again.md").read_text(encoding="utf-8") == "my own words"
        gate.set()
        await makers.close()

    with fake(model) as address:
        asyncio.run(story(address))


def test_a_call_whose_time_is_over_before_its_turn_has_come_ends_at_once_and_never_begins(tmp_path: Path):
    gate, asked = threading.Event(), threading.Event()

    def slow(prompt: str, results: int) -> tuple[str, Calls]:
        asked.set()
        gate.wait(300)  # a hang guard
        return saves(prompt, results)

    async def story(address: str) -> None:
        makers = Notekeepers(settings(address), tmp_path)
        agent = await makers.get_agent(1)
        first = asyncio.ensure_future(one(makers, 1, "first"))
        assert await asyncio.to_thread(asked.wait, 300)
        agent.preferences["timeout"] = 0.1
        with pytest.raises(AgentTimeoutError):
            await one(makers, 1, "second")
        assert not first.done()
        gate.set()
        assert (await first)["files_created"]
        await makers.close()
        assert [each.name for each in agent.folder.rglob("*.md")] == ["first.md"]
        assert len(list(agent.state.glob("*/trace.jsonl"))) == 1

    with fake(slow) as address:
        asyncio.run(story(address))


def test_a_run_that_fails_says_where_what_it_changed_could_not_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "the disk is full")

    def breaks(prompt: str, results: int) -> tuple[str, Calls]:
        if results:
            raise LookupError
        return saves(prompt, results)

    async def story(address: str) -> None:
        makers = Notekeepers(settings(address), tmp_path)
        monkeypatch.setattr("records.undo.kept.Kept.begin", full)
        with pytest.raises(AgentAPIError) as failed:
            await one(makers, 1, "a note")
        assert failed.value.left == ("what undo does not cover",)
        await makers.close()

    with fake(breaks) as address:
        asyncio.run(story(address))


def test_agents_are_let_go_by_number_and_by_idle_time_and_come_back_with_their_history(tmp_path: Path):
    async def story(address: str) -> None:
        makers = Notekeepers(settings(address), tmp_path, most=2, idle_seconds=0.0)
        first = await makers.get_agent(1)
        await first.set_preferences(max_iters=7)
        await one(makers, 1, "a note to keep")
        for other in (2, 3):
            await one(makers, other, "another note")
        assert len(makers) == 1
        again: Notekeeper = await makers.get_agent(1)
        assert again is not first
        assert again.preferences == {"max_iters": 7}
        assert [each["content"] for each in again.get_context()][:1] == ["a note to keep"]
        await makers.close()

    with fake(saves) as address:
        asyncio.run(story(address))


@pytest.mark.parametrize(
    "wrong",
    [{"tools": "kb,nonsense"}, {"tools": "kb,git"}, {"tools": 5}, {"max_iters": "many"}, {"max_iters": True}]
    + [
        {"max_iters": -1},
        {"max_iters": 0},
        {"timeout": "soon"},
        {"timeout": 0},
        {"timeout": float("nan")},
        {"colour": "red"},
    ],
    ids=str,
)
def test_a_preference_that_nothing_runs_with_is_refused_and_locks_nobody_out(wrong: dict[str, Any], tmp_path: Path):
    async def story() -> None:
        makers = Notekeepers(settings("http://127.0.0.1:9"), tmp_path, kind="offline")
        agent = await makers.get_agent("ann")
        await agent.set_preferences(max_iters=7)
        with pytest.raises(ConfigError):
            await agent.set_preferences(**wrong)
        assert agent.preferences == {"max_iters": 7}
        assert (await one(makers, "ann", "Onions are planted in March."))["files_created"]
        await makers.close()
        again = Notekeepers(settings("http://127.0.0.1:9"), tmp_path, kind="offline")
        assert (await again.get_agent("ann")).preferences == {"max_iters": 7}
        # A file of before this was checked.
        kept = (await again.get_agent("ann")).state / "history.json"
        await again.close()
        kept.write_text(json.dumps({"history": [], "preferences": wrong}))
        last = Notekeepers(settings("http://127.0.0.1:9"), tmp_path, kind="offline")
        result = await one(last, "ann", "Leeks want sand.")
        assert "preferences are not used" in result["metadata"]["notices"][0]
        assert len(result["metadata"]["notices"]) == 1
        await last.close()

    asyncio.run(story())


@pytest.mark.parametrize(
    "damage",
    [b"", b"{", b"null", b'{"history": []}', b'{"history": [{"role": "user"}], "preferences": {}}', b"\xff\xfe"],
    ids=repr,
)
def test_a_damaged_history_is_put_aside_and_said(damage: bytes, tmp_path: Path):
    async def story() -> None:
        makers = Notekeepers(settings("http://127.0.0.1:9"), tmp_path, kind="offline")
        agent = await makers.get_agent("ann")
        await makers.close()
        (agent.state / "history.json").write_bytes(damage)
        makers = Notekeepers(settings("http://127.0.0.1:9"), tmp_path, kind="offline")
        result = await one(makers, "ann", "Peas are sown in March.")
        assert "put aside as history.damaged-0" in result["metadata"]["notices"][0]
        assert (agent.state / "history.damaged-0").read_bytes() == damage
        assert "notices" not in (await one(makers, "ann", "Chard is sown in May."))["metadata"]
        await makers.close()

    asyncio.run(story())


@pytest.mark.parametrize("damage", [b"garbage" * 1000, "half", "middle"], ids=repr)
def test_a_damaged_memory_locks_nobody_out_and_is_put_aside_and_said(damage: bytes | str, tmp_path: Path):
    async def story() -> None:
        makers = Notekeepers(settings("http://127.0.0.1:9"), tmp_path, kind="offline")
        agent = await makers.get_agent("ann")
        path = agent.state / "memory.sqlite"
        for number in range(40):
            agent.resources["memory"].store(f"The cat number {number} is called Momo.", "cats")
        await makers.close()
        data = path.read_bytes()
        broken = {"half": data[: len(data) // 2], "middle": data[:4096] + os.urandom(4096) + data[8192:]}
        path.write_bytes(damage if isinstance(damage, bytes) else broken[damage])
        wrong = path.read_bytes()
        makers = Notekeepers(settings("http://127.0.0.1:9"), tmp_path, kind="offline")
        result = await one(makers, "ann", "Peas are sown in March.")
        assert result["files_created"]
        assert "put aside as memory.damaged-0" in result["metadata"]["notices"][0]
        assert (agent.state / "memory.damaged-0").read_bytes() == wrong
        assert (await makers.get_agent("ann")).resources["memory"].store("The dog is called Rex.", "dogs")
        await makers.close()

    asyncio.run(story())


def test_who_still_has_an_agent_that_was_let_go_works_on_with_it(tmp_path: Path):
    async def story() -> None:
        makers = Notekeepers(settings("http://127.0.0.1:9"), tmp_path, kind="offline", most=1)
        held = await makers.get_agent("held")
        await one(makers, "held", "Chives come back every year.")
        await one(makers, "other", "Parsley wants shade.")
        result = await held.process([{"role": "user", "content": "Dill hates to be moved."}])
        assert result["files_created"]
        assert "save_note" in held.get_available_tools()
        fresh = await makers.get_agent("held")
        assert [each["content"] for each in fresh.get_context() if each["role"] == "user"][
            -1
        ] == "Dill hates to be moved."
        await makers.close()

    asyncio.run(story())


def test_two_programs_on_one_folder_take_turns_and_keep_both_histories(tmp_path: Path):
    async def story() -> None:
        first, second = (Notekeepers(settings("http://127.0.0.1:9"), tmp_path, kind="offline") for _ in range(2))
        here, there = await first.get_agent("ann"), await second.get_agent("ann")
        with alone(here.state / "lock", threading.Event()) as mine:
            assert mine
            waiting = asyncio.ensure_future(there.process([{"role": "user", "content": "Leeks want sand."}]))
            await asyncio.wait([waiting], timeout=0.3)
            assert not waiting.done()
        await waiting
        await asyncio.gather(
            *(one(each, "ann", f"Bed {at} has {at * 7} leeks.") for at, each in enumerate((first, second)))
        )
        asked = {each["content"] for each in load(here.state / "history.json").history if each["role"] == "user"}
        assert asked == {"Leeks want sand.", "Bed 0 has 0 leeks.", "Bed 1 has 7 leeks."}
        await first.close()
        await second.close()

    asyncio.run(story())


def test_another_programs_agent_is_for_one_person(tmp_path: Path):
    async def story() -> None:
        makers = Notekeepers(replace(Settings(), agent_cli="cat"), tmp_path, kind="cli")
        await makers.get_agent("ann")
        with pytest.raises(ConfigError, match="for one person"):
            await makers.get_agent("bob")
        await makers.close()

    asyncio.run(story())


def test_a_call_may_name_a_folder_that_people_share_and_no_persons_own(tmp_path: Path):
    async def story() -> None:
        with fake(saves) as address:
            shared = tmp_path / "shared"
            shared.mkdir()
            makers = Notekeepers(settings(address), tmp_path / "people")
            ann, bob = [await makers.get_agent(name) for name in ("ann", "bob")]
            said = [{"role": "user", "content": f"Fact {number} of all."} for number in range(6)]
            both = [each.process([one], kb_path=shared) for each, one in zip([ann, bob] * 3, said, strict=True)]
            results = await asyncio.gather(*both)
            assert all(result["files_created"] for result in results)
            kept = "".join(path.read_text(encoding="utf-8") for path in shared.rglob("*.md"))
            assert all(each["content"] in kept for each in said)
            assert not list(ann.folder.rglob("*.md"))
            await ann.process([{"role": "user", "content": "Mine alone."}])
            assert [path.name for path in ann.folder.rglob("*.md")] == ["mine-alone.md"]
            assert "Mine alone." not in "".join(path.read_text(encoding="utf-8") for path in shared.rglob("*.md"))
            assert len(ann.get_context(100)) == 8
            for refused in (bob.folder, tmp_path / "people", tmp_path, tmp_path / "nowhere"):
                with pytest.raises(ConfigError):
                    await ann.process(said, kb_path=refused)
            await makers.close()

    asyncio.run(story())


def test_one_call_takes_the_last_run_back(tmp_path: Path):
    async def story() -> None:
        with fake(saves) as address:
            makers = Notekeepers(settings(address), tmp_path / "people")
            agent = await makers.get_agent("ann")
            with pytest.raises(ConfigError):
                await agent.undo()
            first = await one(makers, "ann", "The first fact.")
            before = snapshot(agent.folder)
            second = await one(makers, "ann", "The second fact.")
            assert second["files_created"][0] in await agent.undo()
            assert snapshot(agent.folder) == before
            assert first["files_created"][0] in await agent.undo()
            assert not list(agent.folder.rglob("*.md"))
            await makers.close()

    asyncio.run(story())


@pytest.mark.parametrize("code", [errno.EBADF, errno.ENOLCK, errno.EOPNOTSUPP])
@pytest.mark.skipif(os.name == "nt", reason="no flock there")
def test_a_file_system_without_locks_keeps_nobody_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int):
    """As NFS for a folder: what is compared and swapped is so all the same."""
    import fcntl

    def none(descriptor: int, how: int) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(fcntl, "flock", none)
    with alone(tmp_path, cancelled := threading.Event()) as held:
        assert held
    assert not cancelled.is_set()


def test_two_programs_that_keep_a_conversation_at_once_do_not_stand_in_each_others_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Where the lock is of no effect: with one name for what is being written, the second found it gone."""
    path, replaced = tmp_path / "history.json", Path.replace

    def meanwhile(self: Path, target: Path) -> Path:
        monkeypatch.setattr(Path, "replace", replaced)
        monkeypatch.setattr("doors.people.kept.temporary_name", lambda: ".other.tmp")
        store(path, Kept([{"role": "user", "content": "theirs"}]))
        return replaced(self, target)

    monkeypatch.setattr(Path, "replace", meanwhile)
    store(path, Kept([{"role": "user", "content": "ours"}]))
    assert load(path).history == [{"role": "user", "content": "ours"}]
    assert [each.name for each in tmp_path.iterdir()] == ["history.json"]
