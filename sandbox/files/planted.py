"""Names of files that some other program runs later, by itself, outside the sandbox; and what we do about each.

The one table: the tools ask it before they write, the look after a run of code asks it, the page of promises and its
test are made from it. In it stands what runs without being asked for: when somebody enters a folder, opens an editor,
types a command of version control, starts Python. What a person runs himself afterwards is his to look at.
"""

import os
import stat
from collections import namedtuple

from sandbox.files.names import is_repository, shown

ASIDE = "moved aside"  # a new one; a change of one that was there is told
TOLD = "told"  # a new one and a changed one: it is also an ordinary part of projects
CACHE = "moved aside, new or changed"
BY_CODE = "moved aside where code made it; a tool may write it"  # where people ask for it

# names: with "*" where only the end of one counts. folder: all that is inside belongs to it.
Kind = namedtuple("Kind", "names run_by promise folder", defaults=[False])

REPOSITORY = Kind(".git .hg .svn .jj", "version control (hooks, settings)", ASIDE)  # whatever their spelling
# A HEAD beside "objects" and "refs", or beside "commondir". The HEAD is moved aside, and then it is none.
BARE = Kind("", "git, which takes the folder for a repository", ASIDE)
HOOKS = Kind(
    ".husky .githooks", "git, where its settings lead there (and any folder that `core.hooksPath` names)", ASIDE, True
)
KINDS = (
    REPOSITORY,
    BARE,
    HOOKS,
    Kind(".vscode .idea .devcontainer .zed .fleet", "editors that open the folder (tasks, containers)", ASIDE, True),
    Kind(".claude .cursor .codex .gemini", "other coding agents (hooks, servers)", ASIDE, True),
    Kind(".mcp.json .yarnrc.yml .pnpmfile.cjs", "other coding agents, yarn, pnpm", ASIDE),
    Kind(".envrc mise.toml .mise.toml .autoenv", "a shell that enters the folder (direnv, mise, autoenv)", ASIDE),
    Kind(".exrc .nvim.lua .dir-locals.el .gdbinit .lldbinit .pdbrc", "editors and debuggers", ASIDE),
    Kind("AGENTS.md CLAUDE.md GEMINI.md .cursorrules .windsurfrules", "coding agents, as instructions", BY_CODE),
    Kind("sitecustomize.py usercustomize.py", "Python, whenever it starts", ASIDE),
    Kind("sitecustomize usercustomize", "Python, whenever it starts", ASIDE, True),
    Kind("*.so *.pyd", "Python, in place of the source beside it", ASIDE),
    Kind("*.pyc *.pyo", "Python, in place of the source beside it", CACHE),
    Kind("*.pth", "Python, whenever it starts in that environment", TOLD),
    Kind("conftest.py", "pytest", TOLD),
    Kind(".gitconfig .pre-commit-config.yaml lefthook.yml", "git, where its settings or hooks name it", TOLD),
)
_BY_NAME = {name.casefold(): kind for kind in KINDS for name in kind.names.split()}
_LOOKED_INTO = 8192  # bytes that tell whether a file is binary

ENVIRONMENTS = frozenset({"pyvenv.cfg", "conda-meta"})  # in a folder of installed packages: venv's, conda's
PACKAGES = "node_modules"
TELL_A_FOLDER = ENVIRONMENTS | {PACKAGES, "head"}  # names that may say what their folder is


def kind_of(name: str) -> Kind | None:
    """The kind that a name is of, None for an ordinary one."""
    plain = name.casefold()
    end = "".join(plain.rpartition(".")[1:])
    return _BY_NAME.get(plain) or _BY_NAME.get(f"*{end}") or (REPOSITORY if is_repository(name) else None)


def by_rule(name: str, status: os.stat_result, here: int) -> str | None:
    """What the person is told of a new file of any other name in the directory `here`, None for an ordinary one."""
    if name.startswith("."):
        return "hidden"
    if stat.S_ISDIR(status.st_mode):
        return None
    if not stat.S_ISREG(status.st_mode):
        return "no plain file"
    if status.st_mode & 0o111:
        return "executable"
    try:
        descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=here)
        with open(descriptor, "rb") as file:
            return "binary" if b"\0" in file.read(_LOOKED_INTO) else None
    except OSError:
        return "unreadable"


def refusal_to_write(names: list[str]) -> str | None:
    """Why a tool may not write at a path, as the middle of a sentence; None where it may. What is only told may be
    written: the person sees it among the changes of the run."""
    if names and names[-1].casefold() == "head":
        return f'"{shown(names[-1])}" can make a folder a repository, whose settings git runs outside the sandbox'
    for place, name in enumerate(names):
        kind = kind_of(name)
        if kind and kind.promise not in (TOLD, BY_CODE) and (kind.folder or place == len(names) - 1):
            return f'"{shown(name)}" is run by {kind.run_by}, outside the sandbox'
    return None
