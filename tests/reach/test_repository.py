"""git as a value: what it does in a real repository, how that is taken back, and that no repository gets a program run."""

from __future__ import annotations

import os
import shlex
import socket
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from repositories import act, git, notes, theirs, with_remote

from agent.contracts import ToolCall
from call_functions import cancel, run_calls
from config import Settings
from functions import ToolError
from jobs import coder
from jobs.notekeeper.tools import git_pull
from reach.repository import Repository, repository_around
from sandbox.files.root import Refusal, Root

__all__ = ["notes"]  # a fixture


def take_back(folder: Path, told: str) -> None:
    """Do what the result says takes it back, as a person who copies it from the screen."""
    for command in told.rpartition(": ")[2].split(" && "):
        git(folder, *shlex.split(command)[1:])


def test_status_and_diff_tell_what_changed(notes: Path):
    (notes / "one.md").write_text("two\n", encoding="utf-8")
    (notes / "new.md").write_text("", encoding="utf-8")
    assert act(notes, Repository.status) == "## main\n M one.md\n?? new.md\n"
    assert "-one\n+two\n" in act(notes, Repository.diff)


def test_a_commit_holds_everything_and_what_it_says_takes_it_back(notes: Path):
    before = git(notes, "rev-parse", "HEAD")
    (notes / "new.md").write_text("new\n", encoding="utf-8")
    (notes / "one.md").unlink()
    told = act(notes, lambda it: it.commit("Tidied"), identity="Ann <ann@example.org>")
    assert git(notes, "log", "-1", "--format=%an %ae %s") == "Ann ann@example.org Tidied\n"
    assert git(notes, "status", "--short") == ""
    take_back(notes, told)
    assert git(notes, "rev-parse", "HEAD") == before
    assert (notes / "new.md").exists()
    assert not (notes / "one.md").exists()


def test_the_first_commit_of_a_repository_can_be_taken_back_too(tmp_path: Path):
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "one.md").write_text("one\n", encoding="utf-8")
    assert "+one" in act(tmp_path, lambda it: it.commit("first") and git(tmp_path, "show") or "")
    take_back(tmp_path, "To take it back: git update-ref -d HEAD")
    assert act(tmp_path, Repository.status).startswith("## No commits yet on main\nA")


def test_a_branch_is_made_and_left_again(notes: Path):
    told = act(notes, lambda it: it.switch("drafts"))
    assert git(notes, "branch", "--show-current") == "drafts\n"
    take_back(notes, told)
    assert git(notes, "branch") == "* main\n"
    with pytest.raises(Refusal, match="failed"):
        act(notes, lambda it: it.switch("--orphan"))


def test_a_pull_brings_what_is_new_and_can_be_taken_back(notes: Path):
    with_remote(notes)
    theirs(notes, "their.md", "theirs\n")
    before = git(notes, "rev-parse", "HEAD")
    told = act(notes, Repository.pull)
    assert (notes / "their.md").read_text(encoding="utf-8") == "theirs\n"
    take_back(notes, told)
    assert git(notes, "rev-parse", "HEAD") == before
    assert not (notes / "their.md").exists()


def test_a_remote_whose_name_begins_as_the_folders_is_reached(notes: Path):
    with_remote(notes)
    theirs(notes, "their.md", "theirs\n")
    (notes.parent / "bare.git").rename(notes.parent / "notes.git")
    git(notes, "remote", "set-url", "origin", str(notes.parent / "notes.git"))
    assert "Pulled main from origin" in act(notes, Repository.pull)


def test_a_conflict_is_told_with_the_file_and_everything_is_put_back(notes: Path):
    with_remote(notes)
    theirs(notes, "both.md", "their line\n")
    (notes / "both.md").write_text("my line\n", encoding="utf-8")
    git(notes, "commit", "-qam", "mine")
    before = git(notes, "rev-parse", "HEAD")
    with pytest.raises(Refusal, match=r"same lines of both\.md"):
        act(notes, Repository.pull)
    assert git(notes, "rev-parse", "HEAD") == before
    assert git(notes, "status", "--short") == ""
    assert (notes / "both.md").read_text(encoding="utf-8") == "my line\n"


def test_a_push_needs_the_setting_and_never_overwrites_what_others_pushed(notes: Path):
    bare = with_remote(notes)
    (notes / "new.md").write_text("new\n", encoding="utf-8")
    act(notes, lambda it: it.commit("new"))
    with pytest.raises(Refusal, match="GIT_PUSH=on"):
        act(notes, Repository.push)
    assert "Pushed main to origin" in act(notes, Repository.push, push=True)
    assert git(bare, "rev-parse", "main") == git(notes, "rev-parse", "main")
    theirs(notes, "their.md", "theirs\n")
    there = git(bare, "rev-parse", "main")
    (notes / "more.md").write_text("more\n", encoding="utf-8")
    act(notes, lambda it: it.commit("more"))
    with pytest.raises(Refusal, match="git push failed"):
        act(notes, Repository.push, push=True)
    assert git(bare, "rev-parse", "main") == there


def test_a_pull_that_is_never_answered_ends_when_the_run_is_stopped(notes: Path):
    if not Path(git(notes, "--exec-path").strip(), "git-remote-https").exists():
        pytest.skip("this git is built without the network's addresses (NO_CURL)")
    ended = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server, Root(notes) as root:
        git(notes, "remote", "add", "origin", f"https://127.0.0.1:{server.getsockname()[1]}/x.git")
        repository = repository_around(root)
        assert repository

        def stop() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(100_000)
                cancel({"repository": repository, "root": root})
                while connection.recv(100_000):  # the program that git started for the network is ended too
                    pass
                ended.set()

        threading.Thread(target=stop, daemon=True).start()
        said = git_pull.TOOL.function(repository)
        repository.close()
        assert ended.wait(60)
    assert isinstance(said, ToolError)
    assert "git fetch was cancelled" in said


def test_a_folder_inside_a_larger_repository_is_looked_at_and_not_committed(notes: Path):
    below = notes / "below"
    below.mkdir()
    (below / "new.md").write_text("", encoding="utf-8")
    (notes / "one.md").write_text("changed\n", encoding="utf-8")
    assert act(below, Repository.status) == "## main\n?? new.md\n"
    assert act(below, Repository.diff) == ""
    with pytest.raises(Refusal, match="part of a larger repository"):
        act(below, lambda it: it.commit("all"))


def test_a_linked_worktree_is_used_and_a_pointer_to_another_repository_is_not(notes: Path):
    git(notes, "worktree", "add", "-q", "../linked", "-b", "side")
    linked = notes.parent / "linked"
    assert act(linked, Repository.status) == "## side\n"
    stranger = notes.parent / "stranger"
    stranger.mkdir()
    (stranger / ".git").write_text(f"gitdir: {notes}/.git/worktrees/linked\n", encoding="utf-8")
    with pytest.raises(Refusal, match="does not point back"):
        act(stranger, Repository.status)


def test_a_password_in_an_address_is_in_no_message(notes: Path):
    git(notes, "remote", "add", "origin", "https://ann:secret@127.0.0.1:9/notes.git")
    with pytest.raises(Refusal) as refused:
        act(notes, Repository.pull)
    assert "secret" not in str(refused.value)


# Seventeen hostile repositories. Each leaves a file when a program of its choice runs, or reaches what it should not.


def config(notes: Path, name: str, value: str) -> None:
    git(notes, "config", name, value)


def program(notes: Path) -> str:
    """A program that leaves a mark when it runs, and hands on what it is given."""
    path = notes.parent / "program"
    path.write_text(f"#!/bin/sh\ntouch {notes.parent}/RAN\ncat 2>/dev/null\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def hooks(notes: Path) -> None:
    names = "pre-commit prepare-commit-msg commit-msg post-commit pre-push post-checkout post-merge pre-merge-commit "
    for name in f"{names}post-index-change reference-transaction fsmonitor-watchman pre-auto-gc".split():
        (notes / ".git" / "hooks" / name).symlink_to(program(notes))


def hooks_path(notes: Path) -> None:
    folder = notes.parent / "hooks"
    folder.mkdir()
    for name in ("pre-commit", "post-checkout", "reference-transaction"):
        (folder / name).symlink_to(program(notes))
    config(notes, "core.hooksPath", str(folder))


def hooks_by_name(notes: Path) -> None:
    """githooks(5) since git 2.54; an older git takes no notice."""
    events = "pre-commit prepare-commit-msg commit-msg post-commit pre-push post-checkout post-merge pre-merge-commit"
    for event in f"{events} post-index-change reference-transaction pre-receive update post-receive".split():
        git(notes, "config", "--add", "hook.a.b=c.event", event)
    config(notes, "hook.a.b=c.command", f"{program(notes)} #")
    config(notes, "hook.a.b=c.enabled", "true")


def hooks_by_name_of_a_remote(notes: Path) -> None:
    hooks_by_name(notes.parent / "bare.git")


def filters(notes: Path) -> None:
    for key in ("clean", "smudge", "process"):
        config(notes, f"filter.a=b.c.{key}", program(notes))
    (notes / ".gitattributes").write_text("* filter=a=b.c\n", encoding="utf-8")


def external_diff(notes: Path) -> None:
    config(notes, "diff.external", program(notes))
    config(notes, "diff.evil.command", program(notes))
    config(notes, "diff.evil.textconv", program(notes))
    (notes / ".gitattributes").write_text("* diff=evil\n", encoding="utf-8")


def merge_driver(notes: Path) -> None:
    config(notes, "merge.evil.driver", program(notes))
    (notes / ".git" / "info" / "attributes").write_text("* merge=evil\n", encoding="utf-8")


def signing(notes: Path) -> None:
    for name in ("commit.gpgSign", "log.showSignature", "merge.verifySignatures"):
        config(notes, name, "true")
    config(notes, "gpg.program", program(notes))


def programs_for_a_person(notes: Path) -> None:
    for name in ("core.pager", "core.editor", "sequence.editor", "core.askPass", "pager.diff", "alias.status"):
        config(notes, name, f"!{program(notes)}" if name.startswith("alias") else program(notes))


def ssh_command(notes: Path) -> None:
    config(notes, "core.sshCommand", program(notes))
    git(notes, "remote", "set-url", "origin", "ssh://127.0.0.1:9/x")


def ext_transport(notes: Path) -> None:
    config(notes, "protocol.ext.allow", "always")
    git(notes, "remote", "set-url", "origin", f"ext::{program(notes)}")


def rewritten_address(notes: Path) -> None:
    config(notes, "protocol.ext.allow", "always")
    config(notes, f"url.ext::{program(notes)}.insteadOf", str(notes.parent))


def upload_pack(notes: Path) -> None:
    config(notes, "remote.origin.uploadpack", program(notes))
    config(notes, "remote.origin.receivepack", program(notes))


def partial_clone(notes: Path) -> None:
    config(notes, "extensions.partialClone", "origin")
    config(notes, "remote.origin.promisor", "true")
    config(notes, "remote.origin.uploadpack", program(notes))
    blob = git(notes, "rev-parse", "HEAD:one.md").strip()
    (notes / ".git" / "objects" / blob[:2] / blob[2:]).unlink()


def fsmonitor_of_a_submodule(notes: Path) -> None:
    sub = notes / "sub"
    sub.mkdir()
    git(sub, "init", "-q")
    (sub / "x").write_text("x", encoding="utf-8")
    git(sub, "add", ".")
    git(sub, "commit", "-qm", "x")
    git(notes, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", f"file://{sub}/.git", "sub")
    git(notes, "commit", "-qm", "sub")
    config(sub, "core.fsmonitor", program(notes))
    config(notes, "submodule.recurse", "true")
    config(notes, "submodule.sub.update", f"!{program(notes)}")
    config(notes, "submodule.sub.url", f"ext::{program(notes)}")


def include(notes: Path) -> None:
    other = notes.parent / "other.config"
    other.write_text(f"[core]\n\tfsmonitor = {program(notes)}\n", encoding="utf-8")
    config(notes, "include.path", str(other))


def work_tree_elsewhere(notes: Path) -> None:
    config(notes, "core.worktree", str(notes.parent / "secret"))
    config(notes, "core.fsmonitor", program(notes))
    config(notes, "credential.helper", f"!{program(notes)}")


HOSTILE = [
    hooks,
    hooks_path,
    hooks_by_name,
    hooks_by_name_of_a_remote,
    filters,
    external_diff,
    merge_driver,
    signing,
    programs_for_a_person,
    ssh_command,
    ext_transport,
    rewritten_address,
    upload_pack,
    partial_clone,
    fsmonitor_of_a_submodule,
    include,
    work_tree_elsewhere,
]


@pytest.mark.sample(6)
@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda each: each.__name__)
def test_nothing_of_a_hostile_repository_runs_or_is_reached(notes: Path, hostile: Callable[[Path], None]):
    with_remote(notes)
    theirs(notes, "their.md", "theirs\n")
    (notes.parent / "secret").mkdir()
    (notes.parent / "secret" / "one.md").write_text("a secret\n", encoding="utf-8")
    hostile(notes)
    (notes.parent / "RAN").unlink(missing_ok=True)
    (notes / "one.md").write_text("two\n", encoding="utf-8")
    said = []
    for action in (
        Repository.status,
        Repository.diff,
        lambda it: it.commit("mine"),
        lambda it: it.switch("side"),
        lambda it: it.switch("main"),
        Repository.pull,
        Repository.push,
    ):
        try:
            said.append(act(notes, action, push=True))
        except Refusal as refusal:
            said.append(str(refusal))
    assert not (notes.parent / "RAN").exists(), said
    assert "a secret" not in "".join(said)
    assert (notes.parent / "secret" / "one.md").read_text(encoding="utf-8") == "a secret\n"


def test_the_hostile_repositories_are_hostile(notes: Path):
    """With git as it is the first of them does run its program: the test above can fail."""
    hooks(notes)
    (notes / "one.md").write_text("two\n", encoding="utf-8")
    git(notes, "commit", "-qam", "person")
    assert (notes.parent / "RAN").exists()


def test_the_hooks_of_a_repository_that_is_pushed_to_on_this_machine_do_not_run(notes: Path):
    bare = with_remote(notes)
    for name in ("pre-receive", "update", "post-receive", "post-update"):
        (bare / "hooks" / name).symlink_to(program(notes))
    (notes / "new.md").write_text("new\n", encoding="utf-8")
    act(notes, lambda it: it.commit("new"))
    assert "Pushed" in act(notes, Repository.push, push=True)
    assert not (notes.parent / "RAN").exists()


@pytest.mark.parametrize("link", ["config", "objects", "HEAD"])
def test_a_store_with_a_link_in_it_is_not_used(notes: Path, link: str):
    (notes / ".git" / link).rename(notes.parent / "elsewhere")
    (notes / ".git" / link).symlink_to(notes.parent / "elsewhere")
    with pytest.raises(Refusal, match="leads elsewhere"):
        act(notes, Repository.status)


@pytest.mark.parametrize("link", ["logs/HEAD", "refs/heads", "objects/pack", "info/attributes"])
def test_a_link_anywhere_in_a_store_stops_git(notes: Path, link: str):
    elsewhere = notes.parent / "elsewhere"
    place = notes / ".git" / link
    if place.exists():
        place.rename(elsewhere)
    else:
        elsewhere.write_text("", encoding="utf-8")
    place.symlink_to(elsewhere)
    before = elsewhere.read_bytes() if elsewhere.is_file() else sorted(elsewhere.iterdir())
    (notes / "one.md").write_text("two\n", encoding="utf-8")
    for action in (Repository.status, lambda it: it.commit("all")):
        with pytest.raises(Refusal, match="leads elsewhere"):
            act(notes, action)
    assert before == (elsewhere.read_bytes() if elsewhere.is_file() else sorted(elsewhere.iterdir()))


def test_a_commit_never_appends_to_a_file_that_has_another_name(notes: Path):
    os.link(notes / ".git" / "logs" / "HEAD", notes.parent / ".bashrc")
    (notes / "one.md").write_text("two\n", encoding="utf-8")
    before = (notes.parent / ".bashrc").read_bytes()
    with pytest.raises(Refusal, match="copy the folder anew"):
        act(notes, lambda it: it.commit("all"))
    assert (notes.parent / ".bashrc").read_bytes() == before
    assert "one.md" in act(notes, Repository.status)


def test_the_store_of_a_worktree_is_whole_and_without_links(notes: Path):
    git(notes, "worktree", "add", "-q", "../linked", "-b", "side")
    (notes / ".git" / "logs" / "HEAD").unlink()
    (notes / ".git" / "logs" / "HEAD").symlink_to(notes.parent / "elsewhere")
    with pytest.raises(Refusal, match="leads elsewhere"):
        act(notes.parent / "linked", Repository.status)
    (notes / ".git" / "logs" / "HEAD").unlink()
    (notes / ".git" / "worktrees" / "linked" / "commondir").write_text("../../../other\n", encoding="utf-8")
    with pytest.raises(Refusal, match="does not point back"):
        act(notes.parent / "linked", Repository.status)


@pytest.mark.parametrize("name", ["hook.a.b=c.command", "hook.x.event", "diff.x.command", "gpg.ssh.program"])
def test_git_itself_says_that_what_it_would_run_is_off(notes: Path, name: str):
    """Asked of the git that is here, with the settings that every command gets."""
    config(notes, name, "touch RAN")
    asked = lambda it: it._git.run("config", "--show-origin", "--show-scope", "--list")  # noqa: E731
    last = {line.split("\t")[2].partition("=")[0]: line for line in act(notes, asked).splitlines() if "\t" in line}
    if name.startswith("hook."):
        section = name.rpartition(".")[0]
        asked = lambda it: it._git.run("config", "--get", f"{section}.command")  # noqa: E731
        assert act(notes, asked) == "true\n"
        asked = lambda it: it._git.run("config", "--type=bool", "--get", f"{section}.enabled")  # noqa: E731
        assert act(notes, asked) == "false\n"
    else:
        assert last[name].startswith("command\t")
        assert last[name].endswith("=true")


def coders_tools(folder: Path, said: list[str]) -> dict[str, str]:
    """The coder's tools in a directory, each git tool with what it answers."""
    with Root(folder) as root, coder.JOB.opens(Settings(), root, said.append) as resources:
        run = coder.JOB.begin("offline", root, Settings(), resources=resources)
        calls = [ToolCall(name, name, {}) for name in run.catalogue if name.startswith("git_")]
        return {result.call.name: result.content for result in run_calls(calls, run)}


def test_the_coder_has_status_and_diff_where_its_directory_is_in_a_repository(notes: Path, tmp_path: Path):
    (notes / "one.md").write_text("two\n", encoding="utf-8")
    said: list[str] = []
    tools = coders_tools(notes, said)
    assert tools["git_status"] == "## main\n M one.md\n"
    assert "+two" in tools["git_diff"]
    (tmp_path / "plain").mkdir()
    assert coders_tools(tmp_path / "plain", said) == {}
    assert said == []
    include(notes)
    assert coders_tools(notes, said) == {}
    assert "takes in other files" in said[0]
