"""A git repository as a value that is held: what the git tools may do in it, and how each of it is taken back."""

import contextlib
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from reach.git import FILTER, LEADS_AWAY, MERGE_DRIVER, Git
from reach.under_way import begun, refuse_both_sides, refuse_unsettled
from sandbox.files.root import Refusal, Root

IDENTITY = ("Glassbox", "glassbox@localhost")
_ADDRESS = re.compile(r"(https|ssh|file)://\S+|[\w.-]+@[\w.-]+:[^:\s][^\s]*|[./][^\s:]*")
# A repository on this machine has hooks of its own, which would run in the name of whoever pushes.
_QUIET = "git -c core.hooksPath=/dev/null -c core.fsmonitor=false -c core.alternateRefsCommand= -c gc.auto=0"


class Repository:
    """git in the working directory, hooks and configured programs off. Every failure is a Refusal, as a sentence.

    `whole`: the working directory is the repository's top. Only then is anything but looking done: a folder inside a
    larger repository is not the agent's to commit.
    """

    def __init__(self, root: Root, up: int, *, identity: str = "", push: bool = False, ssh_agent: str = "") -> None:
        """`up`: how many directories above the working directory its top is; `identity` such as "Ann
        <ann@example.org>"; `push`: whether pushing is on."""
        self._git = Git(root, up, ssh_agent=ssh_agent)
        self.whole = up == 0
        self._identity = identity
        self._push = push

    def close(self) -> None:
        self._git.close()

    def describe(self) -> str:
        """One line for a person."""
        reach = "push on" if self._push else "push off (GIT_PUSH)"
        return f"git in {self._git.top.name}: hooks, filters and configured programs off; {reach}"

    def status(self) -> str:
        """The branch, and a line a changed file, as `git status --short` prints them."""
        return self._git.run(
            "status", "--short", "--branch", "--ignore-submodules=all", "--untracked-files=all", "--", "."
        )

    def diff(self, path: str = ".") -> str:
        """What differs from the last commit at a path, as a patch; "" for nothing. New files are not in it."""
        options = ("--no-ext-diff", "--no-textconv", "--no-color", "--relative", "--ignore-submodules=all")
        return self._git.run("diff", *options, self._base(), "--", path)

    def branches(self) -> str:
        return self._git.run("branch", "--list", "--no-color", "--verbose")

    def switch(self, name: str) -> str:
        """Change to a branch, made where there is none of the name. Returns how to go back."""
        self._own()
        refuse_unsettled(self._git)
        old = self._branch_or_commit()
        self._git.run("check-ref-format", "--branch", name)
        known = self._git.run("for-each-ref", "--format=%(refname)", "refs/heads").split("\n")
        exists = f"refs/heads/{name}" in known
        if exists and old.startswith("--detach") and not self._git.run("for-each-ref", "--contains=HEAD"):
            raise Refusal(
                "The last commits are on no branch and would be out of sight; give a new name, which makes a branch of "
                "them",
                "busy",
            )
        if exists:
            self._refuse_filtered(f"refs/heads/{name}")
        self._git.run("switch", "--quiet", "--no-guess", "--no-recurse-submodules", *([] if exists else ["-c"]), name)
        made = "changed to" if exists else "made and changed to"
        back = f"git switch {old}" + ("" if exists else f" && git branch -d {name}")
        return f"{made} the branch {name}. To take it back: {back}"

    def commit(self, message: str) -> str:
        """Commit everything in the working directory. Returns the commit, and how to take it back."""
        settings = self._own()
        if any(FILTER.fullmatch(name) for name in settings):
            raise Refusal(
                "This repository passes files through a filter (such as git-lfs), which is off here, so a commit would "
                "store other bytes than it should; the person must commit with git itself",
                "denied",
            )
        if not message.strip():
            raise Refusal("A commit needs a message that says what changed", "name")
        refuse_unsettled(self._git)
        branch, before = self._branch(), self._head()
        if begun(self._git.store):
            refuse_both_sides(self._git)
        self._refuse_filtered()
        self._git.run("add", "--all", "--", ".")
        if not self._git.run("status", "--porcelain", "--untracked-files=no", "--ignore-submodules=all"):
            return "Nothing to commit: no file differs from the last commit."
        identity = self._who(settings)
        self._git.run("commit", "--quiet", "--no-verify", "--no-gpg-sign", "--file=-", text=message, identity=identity)
        what = self._git.run("show", "--shortstat", "--format=%h", "--no-ext-diff", "--no-textconv", "HEAD").split("\n")
        back = f"git reset --soft {before[:12]}" if before else "git update-ref -d HEAD"
        return f"Committed {what[0]} on {branch}:{what[-2]}. To take it back and keep the files: {back}"

    def pull(self) -> str:
        """Fetch the branch from its remote and merge it. Where both changed the same lines nothing is changed."""
        settings = self._own()
        refuse_unsettled(self._git)
        remote, address, branch, theirs = self._remote(settings)
        if any(MERGE_DRIVER.fullmatch(name) or FILTER.fullmatch(name) for name in settings):
            raise Refusal("This repository merges or filters with programs of its own, which are off here", "denied")
        if self._git.run("status", "--porcelain", "--untracked-files=no", "--ignore-submodules=all"):
            raise Refusal("There are changes that are not committed; commit them first, then pull", "busy")
        before = self._head()
        options = ("--quiet", "--no-tags", "--no-recurse-submodules", "--no-auto-gc")
        quiet = [f"--upload-pack={_QUIET} upload-pack"] if _local(address) else []
        self._git.run(
            "fetch", *options, *quiet, "--", address, f"+{theirs}:refs/remotes/{remote}/{branch}", network=True
        )
        merged = self._merged(f"refs/remotes/{remote}/{branch}", self._who(settings))
        if merged == before:
            return f"Nothing new on {remote}."
        self._refuse_filtered(merged)
        self._git.run("merge", "--quiet", "--ff-only", "--no-verify", "--no-gpg-sign", "--no-stat", merged)
        return f"Pulled {branch} from {remote}: now at {merged[:12]}. To take it back: git reset --keep {before[:12]}"

    def push(self) -> str:
        """Push the branch to its configured remote, never forced."""
        settings = self._own()
        if not self._push:
            raise Refusal("Pushing is off. The person turns it on with GIT_PUSH=on", "denied")
        remote, address, branch, theirs = self._remote(settings)
        options = ("--porcelain", "--no-verify", "--no-recurse-submodules", "--no-follow-tags", "--no-signed")
        if _local(address):
            self._git.refuse_hooks_at(address)
        quiet = [f"--receive-pack={_QUIET} receive-pack"] if _local(address) else []
        try:
            self._git.run("push", *options, *quiet, "--", address, f"refs/heads/{branch}:{theirs}", network=True)
        except Refusal as refusal:
            if "[rejected]" not in str(refusal) and "Updates were rejected" not in str(refusal):
                raise
            raise Refusal(
                f"git push failed: {remote} has what is not here yet. Pull first (git_pull), then push again",
                "busy",
            ) from None
        self._git.run("update-ref", f"refs/remotes/{remote}/{branch}", "HEAD")
        return f"Pushed {branch} to {remote}. What others have already fetched cannot be taken back."

    def _own(self) -> dict[str, str]:
        if not self.whole:
            raise Refusal(
                "This folder is part of a larger repository, which is only looked at. To keep its history by itself "
                "the person runs `git init` in it",
                "outside",
            )
        return self._git.configuration_for_writing()

    def _head(self) -> str:
        with contextlib.suppress(Refusal):
            return self._git.run("rev-parse", "--verify", "--quiet", "HEAD").strip()
        return ""

    def _base(self) -> str:
        return "HEAD" if self._head() else "4b825dc642cb6eb9a060e54bf8d69288fbee4904"  # the empty tree

    def _refuse_filtered(self, tree: str = "") -> None:
        """Raise Refusal where a file that is about to be committed, or to be written here from a tree, goes through a
        filter (such as git-lfs), whoever configured it: with filters off, other bytes would stand there than should."""
        if tree:
            options = ("--name-only", "-z", "--no-renames", "--diff-filter=d", "--ignore-submodules=all")
            names = self._git.names("diff", *options, self._base(), tree)
        else:
            found = self._git.names("ls-files", "-z", "--modified", "--others", "--exclude-standard")
            names = [name for name in found if os.path.lexists(self._git.top / name)]
        for name, driver in self._git.filters(names, tree).items():
            doing = "bring it here" if tree else "commit it"
            shown = name.encode("utf-8", "replace").decode()  # a name may be no text
            raise Refusal(
                f'{shown} goes through the filter "{driver}" (.gitattributes), which is off here, so other bytes '
                f"would be stored than should; nothing was changed. The person must {doing} with git itself",
                "denied",
            )

    def _branch(self) -> str:
        with contextlib.suppress(Refusal):
            return self._git.run("symbolic-ref", "--short", "HEAD").strip()
        raise Refusal(
            "The repository is on no branch; make one of what is here first, with git_branch and a new name", "missing"
        )

    def _branch_or_commit(self) -> str:
        """What `git switch` goes back to."""
        try:
            return self._branch()
        except Refusal:
            return f"--detach {self._head()[:12]}"

    def _who(self, settings: Mapping[str, str]) -> tuple[str, str]:
        """The identity of a commit: by setting, else the repository's own, else the program's."""
        given = re.fullmatch(r"\s*(.+?)\s*<([^<>\s]+)>\s*", self._identity)
        if given:
            return given[1], given[2]
        return settings.get("user.name") or IDENTITY[0], settings.get("user.email") or IDENTITY[1]

    def _remote(self, settings: Mapping[str, str]) -> tuple[str, str, str, str]:
        """The remote, its address, the branch, and the branch's name there. Raises Refusal unless it is plain where
        that leads: an address is used as it stands, and never rewritten."""
        branch = self._branch()
        remote = settings.get(f"branch.{branch}.remote", "origin")
        address = settings.get(f"remote.{remote}.url", "")
        if not address:
            raise Refusal(
                f"No remote is configured for {branch}. The person adds one: git remote add origin ADDRESS", "missing"
            )
        for name in settings:
            if LEADS_AWAY.fullmatch(name):
                raise Refusal(f'The repository\'s setting "{name}" may lead elsewhere, so no remote is used', "denied")
        if "::" in address or not _ADDRESS.fullmatch(address):
            raise Refusal(
                f"The address of {remote} is none that is used here: https, ssh or a path on this machine", "denied"
            )
        return remote, address, branch, settings.get(f"branch.{branch}.merge", f"refs/heads/{branch}")

    def _merged(self, theirs: str, identity: tuple[str, str]) -> str:
        """The commit that HEAD and theirs are merged in, made without a file being touched: `git merge` itself resets
        the folder where it fails, and what somebody kept in it meanwhile is lost."""
        ours, new = self._git.run("rev-list", "--left-right", "--count", f"HEAD...{theirs}").split()
        if "0" in (ours, new):
            return self._git.run("rev-parse", "HEAD" if new == "0" else theirs).strip()
        try:
            tree = self._git.run("merge-tree", "--write-tree", "--name-only", "--no-messages", "HEAD", theirs).strip()
        except Refusal as refusal:
            if not (found := re.search(r"failed: [0-9a-f]{40,64}\n(.*)", str(refusal), re.DOTALL)):
                raise Refusal(f"{refusal}. To merge here git must be 2.38 or later", refusal.reason) from None
            both = ", ".join(found[1].split("\n")[:20])
            raise Refusal(
                f"Nothing was pulled: here and there the same lines of {both} were changed, and the folder is as it "
                "was. The person merges them with git, or change these files here to what both want, commit, and pull "
                "again",
                "busy",
            ) from None
        parents = ("-p", "HEAD", "-p", theirs)
        made = self._git.run("commit-tree", tree, *parents, text=f"Merge {theirs[13:]}\n", identity=identity)
        return made.strip()


def _local(address: str) -> bool:
    return address.startswith(("file://", "/", "."))


def repository_around(root: Root, **settings: Any) -> Repository | None:
    """The repository that a working directory lies in, with the settings of a Repository; None where it lies in none on
    this disk. Raises Refusal."""
    device = root.path.stat().st_dev
    for up, folder in enumerate((root.path, *root.path.parents)):
        if folder.stat().st_dev != device:
            return None
        if os.path.lexists(folder / ".git"):
            return Repository(root, up, **settings)
    return None


@contextmanager
def repository_for(root: Root, tell: Callable[[str], None]) -> Iterator[Repository | None]:
    """Hold the repository that a working directory lies in, where git may be used on it; the person is told why not."""
    try:
        repository = repository_around(root)
    except Refusal as refusal:
        if refusal.reason != "missing":  # a machine without git is no news
            tell(f"Without git: {refusal}.")
        repository = None
    try:
        yield repository
    finally:
        if repository:
            repository.close()
