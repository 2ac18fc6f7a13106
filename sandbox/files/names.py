"""The names that a path may have, the same on every system, and those that mean something to another program. Nothing
here touches a disk.

Nearly every name is plain, and free; the rules for all others are in unusual.py. Apart from them stand names of files
that some other program runs later, by itself, outside the sandbox. There is one table of those: the tools ask it before
they write, the look after a run of code asks it, the page of promises and its test are made from it. In it stands what
runs without being asked for: when somebody enters a folder, opens an editor, types a command of version control, starts
Python. What a person runs himself afterwards is his to look at.
"""

import re
from collections import namedtuple

from sandbox.files.unusual import LONGEST_NAME, is_store, rule_against, shown

LONGEST_PATH = 1024  # bytes of UTF-8; PATH_MAX of macOS, the shortest of the three systems

_EXAMPLE = 'use a plain relative path such as "pkg/render.py"'
_CLIMBS = re.compile(r"(?:^|/)\.\.(?:/|$)")
# Letters, digits, and between them dots and hyphens; no name of a device, which is one with an ending too (NUL.txt).
_PLAIN = re.compile(rf"(?ai)(?=.{{1,{LONGEST_NAME}}}\Z)(?!(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|\Z))\w+(?:[.-]+\w+)*")

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

ENVIRONMENTS = frozenset({"pyvenv.cfg", "conda-meta"})  # in a folder of installed packages: venv's, conda's
PACKAGES = "node_modules"
TELL_A_FOLDER = ENVIRONMENTS | {PACKAGES, "head"}  # names that may say what their folder is


class Refusal(Exception):
    """`str(refusal)` is a whole sentence, without "Error: " before it. It names the path as the caller gave it, escaped
    and shortened where needed, and never an absolute path of this system. `reason` is one word for code:
    outside, name, symlink, missing, exists, not_file, not_directory, is_directory, not_text, denied, too_large, full,
    busy, not_empty, closed, off_limits, changed, failed.
    """

    def __init__(self, sentence: str, reason: str) -> None:
        super().__init__(sentence, reason)
        self.reason = reason

    def __str__(self) -> str:
        return str(self.args[0])


def parts_of(path: str, verb: str) -> list[str]:
    """The names along a relative path; [] for the working directory itself ("", ".", "./").

    Raises Refusal for every path that the rules forbid. `verb` is what was to be done: list, read, write to, execute.
    A trailing slash is dropped here, because it makes O_NOFOLLOW follow a link (golang/go#79005).
    """
    if not isinstance(path, str):
        raise Refusal(f'Cannot {verb} "{shown(repr(path))}" as a path must be text; {_EXAMPLE}', "name")
    if _leads_outside(path):
        raise outside(verb, path)
    if len(path.encode(errors="replace")) > LONGEST_PATH:
        raise _refusal(verb, path, f"it is longer than {LONGEST_PATH:,} bytes")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    for part in parts:
        if not _is_plain(part) and (rule := rule_against(part)):
            raise _refusal(verb, path, rule)
    return parts


def is_repository(name: str) -> bool:
    """Whether some file system would take this name for a repository's store: what a tool writes there (a hook, a
    setting) runs later, outside."""
    return not _is_plain(name) and is_store(name)


def kind_of(name: str) -> Kind | None:
    """The kind that a name is of, None for an ordinary one."""
    plain = name.casefold()
    end = "".join(plain.rpartition(".")[1:])
    return _BY_NAME.get(plain) or _BY_NAME.get(f"*{end}") or (REPOSITORY if is_repository(name) else None)


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


def outside(verb: str, path: str) -> Refusal:
    """The refusal of a path that leads out of the working directory."""
    return Refusal(f'Cannot {verb} "{shown(path)}" as it is outside the permitted working directory', "outside")


def _leads_outside(path: str) -> bool:
    # Windows reads "\" as "/": what would lead outside there is called that here too.
    path = path.replace("\\", "/")
    has_drive = path[1:2] == ":" and path[0].isalpha()
    return has_drive or path.startswith(("/", "~")) or _CLIMBS.search(path) is not None


def _is_plain(name: str) -> bool:
    return _PLAIN.fullmatch(name) is not None


def _refusal(verb: str, path: str, rule: str) -> Refusal:
    return Refusal(f'Cannot {verb} "{shown(path)}" as {rule}; {_EXAMPLE}', "name")
