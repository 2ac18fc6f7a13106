"""Names of files that some other program runs later, by itself, outside the sandbox; and what we do about each.

The one table: the tools ask it before they write, the look after a run of code asks it, the page of promises and its
test are made from it. In it stands what runs without being asked for: when somebody enters a folder, opens an editor,
types a command of version control, starts Python. What a person runs himself afterwards is his to look at.
"""

from collections import namedtuple

from sandbox.files.names import is_repository
from sandbox.files.refusal import shown

ASIDE = "moved aside"  # a new one; a change of one that was there is told
TOLD = "told"  # a new one and a changed one: it is also an ordinary part of projects
CACHE = "moved aside, new or changed"
BY_CODE = "moved aside where code made it; a tool may write it"  # where people ask for it

# names: in lower case, as a file system that ignores case compares them. folder: all that is inside belongs to it.
# examples: paths that the test plants.
Kind = namedtuple("Kind", "what run_by promise names ends folder examples")


def _files(names: str, run_by: str, promise: str) -> Kind:
    every = names.split()
    examples = [path for name in every for path in (name, f"deep/{name}")]
    return Kind(_listed(every), run_by, promise, frozenset(names.casefold().split()), (), False, tuple(examples))


def _folders(names: str, run_by: str) -> Kind:
    every = names.split()
    examples = [path for name in every for path in (f"{name}/x", f"deep/{name}/below/x")]
    return Kind(_listed(every), run_by, ASIDE, frozenset(names.casefold().split()), (), True, tuple(examples))


def _endings(endings: str, run_by: str, promise: str, *examples: str) -> Kind:
    every = endings.split()
    return Kind(_listed(f"*{end}" for end in every), run_by, promise, frozenset(), tuple(every), False, examples)


def _listed(names: object) -> str:
    return ", ".join(f"`{name}`" for name in names)


REPOSITORY = Kind(
    "`.git`, `.hg`, `.svn`, `.jj`",
    "version control (hooks, settings)",
    ASIDE,
    frozenset(),
    (),
    False,  # it is never looked into
    (".git/hooks/post-checkout", "deep/.Git/config", ".hg/hgrc", ".svn/wc.db", "deep/.jj/repo/config.toml"),
)
BARE = Kind(
    "`HEAD` beside `objects` and `refs`, or beside `commondir`",
    "git, which takes the folder for a repository",
    ASIDE,  # the HEAD is, and then it is none
    frozenset(),
    (),
    False,
    (),
)
ENVIRONMENTS = frozenset({"pyvenv.cfg", "conda-meta"})  # in a folder of installed packages: venv's, conda's
PACKAGES = "node_modules"
TELL_A_FOLDER = ENVIRONMENTS | {PACKAGES, "head"}  # names that may say what their folder is
HOOKS = _folders(".husky .githooks", "git, where its settings lead there (and any folder that `core.hooksPath` names)")

KINDS = (
    REPOSITORY,
    BARE,
    HOOKS,
    _folders(".vscode .idea .devcontainer .zed .fleet", "editors that open the folder (tasks, containers)"),
    _folders(".claude .cursor .codex .gemini", "other coding agents (hooks, servers)"),
    _files(".mcp.json .yarnrc.yml .pnpmfile.cjs", "other coding agents, yarn, pnpm", ASIDE),
    _files(".envrc mise.toml .mise.toml .autoenv", "a shell that enters the folder (direnv, mise, autoenv)", ASIDE),
    _files(".exrc .nvim.lua .dir-locals.el .gdbinit .lldbinit .pdbrc", "editors and debuggers", ASIDE),
    _files("AGENTS.md CLAUDE.md GEMINI.md .cursorrules .windsurfrules", "coding agents, as instructions", BY_CODE),
    _files("sitecustomize.py usercustomize.py", "Python, whenever it starts", ASIDE),
    _folders("sitecustomize usercustomize", "Python, whenever it starts"),
    _endings(".so .pyd", "Python, in place of the source beside it", ASIDE, "a.so", "deep/a.cpython-311-darwin.so"),
    _endings(".pyc .pyo", "Python, in place of the source beside it", CACHE, "__pycache__/a.cpython-311.pyc", "b.pyc"),
    _endings(".pth", "Python, whenever it starts in that environment", TOLD, "lib/site-packages/a.pth"),
    _files("conftest.py", "pytest", TOLD),
    _files(".gitconfig .pre-commit-config.yaml lefthook.yml", "git, where its settings or hooks name it", TOLD),
)
_BY_NAME = {name: kind for kind in KINDS for name in kind.names}
_BY_END = {end: kind for kind in KINDS for end in kind.ends}
_ENDS = tuple(_BY_END)


def kind_of(name: str) -> Kind | None:
    """The kind that a name is of, None for an ordinary one."""
    plain = name.casefold()
    if kind := _BY_NAME.get(plain):
        return kind
    if plain.endswith(_ENDS):
        return _BY_END[plain[plain.rindex(".") :]]
    return REPOSITORY if is_repository(name) else None


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


def is_bare_repository(names: set[str]) -> bool:
    """Whether git would take a folder with these names in it for a repository. gitrepository-layout(5)"""
    plain = {name.casefold() for name in names if len(name) < 10}
    return "head" in plain and ("commondir" in plain or {"objects", "refs"} <= plain)
