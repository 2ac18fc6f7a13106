"""git's own command line, such that a repository can neither run a program nor lead elsewhere.

What a repository's configuration may name as a program (gitattributes(5), githooks(5), git-config(1)) is switched off
by name, or found by listing the configuration, which runs nothing. Of the person's own and the system's configuration
only what says which bytes are stored is heeded (git_person.py).
"""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from reach.git_person import LEFT_BEHIND, ignored_by, settings_of_the_person, where_it_stands
from reach.git_store import refuse_what_leads_elsewhere, store_of
from sandbox.files.root import Refusal, Root

LARGEST_OUTPUT = 1_000_000  # bytes of one command
LARGEST_LIST = 50_000_000  # bytes of the names of files
SECONDS = 30.0  # for one command on this machine
NETWORK_SECONDS = 120.0
SLICE_SECONDS = 0.05  # how soon a run that was stopped is noticed
GRACE_SECONDS = 1.0  # for git to take its locks away

OFF = {
    **dict.fromkeys(("core.hooksPath", "core.attributesFile"), os.devnull),
    "core.excludesFile": str(LEFT_BEHIND),
    **dict.fromkeys(("core.pager", "core.editor", "sequence.editor", "gpg.program"), ":"),
    **dict.fromkeys(("core.gitProxy", "core.askPass", "core.alternateRefsCommand", "credential.helper"), ""),
    **dict.fromkeys(("core.fsmonitor", "commit.gpgSign", "log.showSignature", "merge.verifySignatures"), "false"),
    **dict.fromkeys(("submodule.recurse", "fetch.recurseSubmodules", "maintenance.auto", "push.followTags"), "false"),
    **dict.fromkeys(("transfer.bundleURI", "http.followRedirects", "receive.autogc"), "false"),
    **dict.fromkeys(("core.protectNTFS", "core.protectHFS", "http.sslVerify"), "true"),
    "core.sshCommand": "ssh -oBatchMode=yes",
    "diff.ignoreSubmodules": "all",
    "push.recurseSubmodules": "no",
    "gc.auto": "0",
}
# What no override reaches, since its name holds one that the repository chose. Matched against `section.name.key`.
FILTER = re.compile(r"filter\.(.*)\.(clean|smudge|process)", re.DOTALL)
HOOK = re.compile(r"hook\.(.*)\.[^.]*", re.DOTALL)  # since git 2.54 a repository's settings name commands for hooks
RUNS = re.compile(  # what else the last word of a name makes a command, whatever the next git calls its section
    r".*\.(command|cmd|driver|textconv|process|program|helper|tool|path|packobjectshook|defaultkeycommand|difffilter)",
    re.DOTALL,
)
MERGE_DRIVER = re.compile(r"merge\..*\.driver", re.DOTALL)
LEADS_AWAY = re.compile(r"url\..*|http\..*|remote\..*\.(vcs|uploadpack|receivepack|proxy|promisor)", re.DOTALL)
INCLUDES = re.compile(r"include(if)?\..*", re.DOTALL)
NO_FILTER = ("unspecified", "unset", "set", "")  # what gitattributes(5) has besides the name of one
NOBODYS = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}  # not the person's settings, nor the system's
NO_ROOM = re.compile(r"no space left|diskspace|quota exceeded|n't write|unable to write", re.IGNORECASE)
SECRET = re.compile(r"(\w+://)[^/@\s]+@")


class Git:
    """The repository that a working directory lies in, held open by descriptor. Every failure is a Refusal."""

    def __init__(self, root: Root, up: int, *, ssh_agent: str = "") -> None:
        """`up`: how many directories above the working directory the repository's top is. Raises Refusal for a
        repository that is not what it seems, and where there is no git on this machine."""
        program = (
            None if sys.platform == "win32" else shutil.which("git")
        )  # a directory is not held there as it is here
        if program is None:
            raise Refusal("git is not installed on this machine, or it is Windows, where it is not used yet", "missing")
        self._program = program
        self._cancelled = root.cancelled
        self.top = root.path.joinpath(*[".."] * up).resolve()
        self._store, self._whole_store = store_of(self.top)
        self.store = self.top / self._store  # of a linked worktree its own part
        self._up = "/".join([".."] * up) or "."
        self._ssh_agent = ssh_agent
        self._person: dict[str, str] = {}  # empty: to be read before git is run
        self._descriptor = os.open(root.path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        self._cwd = f"/proc/self/fd/{self._descriptor}" if os.path.isdir("/proc/self/fd") else str(root.path)
        self.configuration()
        self._scratch = tempfile.TemporaryDirectory(prefix="glassbox-git-")

    def close(self) -> None:
        self._scratch.cleanup()
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)

    def configuration(self) -> dict[str, str]:
        """The repository's own settings as they are now, the last of each name. Raises Refusal when they include
        another file, which git would read wherever it lies."""
        listed = self._said(["config", "--list", "--null", "--no-includes"], self._environment({}))
        settings = dict((*entry.split("\n", 1), "")[:2] for entry in listed.split("\0") if entry)
        for name in settings:
            if INCLUDES.fullmatch(name):
                raise Refusal(
                    f'The repository\'s configuration takes in other files ("{name}"), which is off', "denied"
                )
        return {name: value for name, value in settings.items() if name.lower() not in {n.lower() for n in OFF}}

    def run(self, *arguments: str, network: bool = False, text: str = "", identity: tuple[str, str] = ("", "")) -> str:
        """What git prints on standard output. Raises Refusal with what it prints on standard error. `text` is its
        standard input, `identity` the name and address of a commit."""
        environment = self._environment(self._overridden(), network, identity)
        return self._said(arguments, environment, NETWORK_SECONDS if network else SECONDS, text)

    def names(self, *arguments: str, text: str = "", index: str = "") -> list[str]:
        """All that git prints as a list, each entry ended by NUL. Raises Refusal for one that is too long. `index`: a
        file that is used in place of the index."""
        environment = self._environment(self._overridden()) | ({"GIT_INDEX_FILE": index} if index else {})
        output = self._run(arguments, environment, text=text, most=LARGEST_LIST)
        if len(output) > LARGEST_LIST:
            raise Refusal(f"git {arguments[0]} names too many files here; the person must do this with git", "denied")
        return output.decode("utf-8", "surrogateescape").split("\0")[:-1]

    def filters(self, names: Sequence[str], tree: str = "") -> dict[str, str]:
        """The filter of each of the files that attributes put through one; with `tree`, as the attributes are there."""
        asked = "".join(f"{name}\0" for name in names)
        index = os.path.join(self._scratch.name, "index") if tree else ""
        options = ["--cached"] if tree else []
        if tree:
            self.names("read-tree", tree, index=index)
        said = self.names("check-attr", *options, "-z", "--stdin", "filter", text=asked, index=index)
        return {name: value for name, value in zip(said[::3], said[2::3], strict=True) if value not in NO_FILTER}

    def _overridden(self) -> dict[str, str]:
        """The settings for a command, by what the repository says now, and where that says nothing of how lines end, by
        what the person says. Raises Refusal for a store that leads elsewhere."""
        refuse_what_leads_elsewhere(self._whole_store, writing=False)
        own = self.configuration()
        person = self._person = self._person or self._read_person()
        override = OFF | {name: value for name, value in person.items() if name not in own}
        for name in own:
            override |= disarmed(name)
        return override

    def _read_person(self) -> dict[str, str]:
        asked = ["config", "--list", "--null", "--show-scope"]
        listed = self._run(asked, self._environment({}, persons=where_it_stands()))
        person = settings_of_the_person(listed.decode("utf-8", "surrogateescape"), self.top)
        ignored, patterns = Path(self._scratch.name, "ignored"), ignored_by(person["core.excludesFile"])
        try:
            ignored.write_bytes(patterns)  # git takes one such file
        except OSError as error:
            raise Refusal(
                f"{ignored} cannot be written ({error.strerror}); the person must make room", "failed"
            ) from None
        return person | {"core.excludesFile": str(ignored)}

    def configuration_for_writing(self) -> dict[str, str]:
        """The same, for what git is about to write: raises Refusal where that would be written elsewhere too."""
        refuse_what_leads_elsewhere(self._whole_store, writing=True)
        self._person = {}
        return self.configuration()

    def refuse_hooks_at(self, address: str) -> None:
        """Raise Refusal when a repository on this machine has commands for hooks in its settings: they would run here,
        in the name of whoever pushes, and what is said on the command line does not reach them."""
        place = Path(self.top, address.removeprefix("file://"))
        for settings in (place / "config", place / ".git" / "config"):
            if settings.is_file():
                asked = ["config", "--file", str(settings), "--list", "--null", "--no-includes"]
                listed = self._said(asked, self._environment({}))
                for name in (entry.partition("\n")[0] for entry in listed.split("\0")):
                    if HOOK.fullmatch(name) or INCLUDES.fullmatch(name):
                        raise Refusal(f'The repository at {address} runs programs of its own ("{name}")', "denied")

    def _said(
        self, arguments: Sequence[str], environment: Mapping[str, str], seconds: float = SECONDS, text: str = ""
    ) -> str:
        output = self._run(arguments, environment, seconds, text)
        return self._shown(output[:LARGEST_OUTPUT].decode("utf-8", "replace"))

    def _run(
        self,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        seconds: float = SECONDS,
        text: str = "",
        most: int = LARGEST_OUTPUT,
    ) -> bytes:
        """What git prints: `most` bytes of it and one more where there are more."""
        with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as said:
            given.write(text.encode("utf-8", "surrogateescape"))
            given.seek(0)
            process = subprocess.Popen(
                [self._program, *arguments],
                cwd=self._cwd,
                env=environment,
                stdin=given,
                stdout=subprocess.PIPE,
                stderr=said,
                start_new_session=True,
            )
            output, stopped = _collect(process, seconds, most, self._cancelled)
            said.seek(0)
            errors = said.read(4000).decode("utf-8", "replace").strip()
        if stopped:
            raise Refusal(f"git {arguments[0]} {stopped}", "busy")
        if process.returncode and len(output) <= most:
            why = errors or output.decode("utf-8", "replace").strip() or f"it exited with {process.returncode}"
            then = "; if the disk is full, the person must make room first" if NO_ROOM.search(why) else ""
            raise Refusal(f"git {arguments[0]} failed: {self._shown(why)}{then}", "failed")
        return output

    def _environment(
        self,
        override: Mapping[str, str],
        network: bool = False,
        identity: tuple[str, str] = ("", ""),
        persons: Mapping[str, str] = NOBODYS,
    ) -> dict[str, str]:
        """Built from nothing: none of the person's variables steers git, and none is handed on. `persons`: where the
        configuration of the person and of the system is, for what only lists it."""
        environment = {
            "PATH": os.pathsep.join((os.path.dirname(self._program), os.defpath)),
            "LC_ALL": "C.UTF-8",
            "GIT_DIR": self._store if self._up == "." else os.path.normpath(f"{self._up}/{self._store}"),
            "GIT_WORK_TREE": self._up,
            **persons,
            "GIT_ATTR_NOSYSTEM": "1",
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_LITERAL_PATHSPECS": "1",
            "GIT_NO_LAZY_FETCH": "1",
            "GIT_OPTIONAL_LOCKS": "0",  # who only looks writes nothing
            # Of a partial clone even `git diff` would fetch, by a command that the repository names.
            "GIT_ALLOW_PROTOCOL": "https:ssh:file" if network else "none",
            "GIT_CONFIG_COUNT": str(len(override)),
        }
        for number, (name, value) in enumerate(override.items()):
            environment |= {f"GIT_CONFIG_KEY_{number}": name, f"GIT_CONFIG_VALUE_{number}": value}
        if network and self._ssh_agent:
            environment["SSH_AUTH_SOCK"] = self._ssh_agent
        name, address = identity
        if name:
            environment |= {"GIT_AUTHOR_NAME": name, "GIT_COMMITTER_NAME": name}
            environment |= {"GIT_AUTHOR_EMAIL": address, "GIT_COMMITTER_EMAIL": address}
        return environment

    def _shown(self, text: str) -> str:
        """Without passwords in addresses, and without where the repository lies on this machine."""
        text = SECRET.sub(r"\1", text).replace(f"{self.top}{os.sep}", "")
        return re.sub(rf"{re.escape(str(self.top))}(?![\w.-])", ".", text)  # and not of `notes.git` beside `notes`


def disarmed(name: str) -> dict[str, str]:
    """Settings that keep git from running what a setting of this name says. Where a command must stand it is `true`."""
    if found := FILTER.fullmatch(name):
        off = {f"filter.{found[1]}.{key}": "" for key in ("clean", "smudge", "process")}
        return {**off, f"filter.{found[1]}.required": "false"}
    if found := HOOK.fullmatch(name):
        return {f"hook.{found[1]}.enabled": "false", f"hook.{found[1]}.command": "true"}
    return {name: "true"} if RUNS.fullmatch(name) else {}


def _collect(
    process: "subprocess.Popen[bytes]", seconds: float, most: int, cancelled: threading.Event
) -> tuple[bytes, str]:
    """What a process prints, at most `most` and one byte, and why it was stopped, "" where it was not."""
    stopped: list[str] = []
    ended, until = threading.Event(), time.monotonic() + seconds

    def watch() -> None:
        while not ended.wait(SLICE_SECONDS):
            if cancelled.is_set() or time.monotonic() > until:
                late = f"was stopped after {seconds:g} seconds"
                stopped.append("was cancelled, as the run was stopped" if cancelled.is_set() else late)
                _end(process)
                return

    threading.Thread(target=watch, daemon=True).start()
    try:
        assert process.stdout is not None
        output = process.stdout.read(most + 1)
        if len(output) > most:
            _kill(process)
        process.wait()
    except BaseException:  # Ctrl-C
        _kill(process)
        process.wait()
        raise
    finally:
        ended.set()
        process.stdout.close()
    return output, "".join(stopped)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End git and the programs that it started: a git that is only killed leaves its locks, which a person must take
    away."""
    _kill(process, signal.SIGTERM)
    try:
        process.wait(GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        _kill(process)


def _kill(process: "subprocess.Popen[bytes]", with_signal: signal.Signals = signal.SIGKILL) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, with_signal)
