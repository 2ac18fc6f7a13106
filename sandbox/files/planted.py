"""Names of files that some other program runs later, by itself, outside the sandbox: hooks, settings, start-up files.

There is one table of those: the tools ask it before they write, the look after a run of code asks it, the page of
promises and its test are made from it. In it stands what runs without being asked for: when somebody enters a folder,
opens an editor, types a command of version control, starts Python. What a person runs himself afterwards is his to look
at.
"""

from collections import namedtuple

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
ENVIRONMENTS = frozenset({"pyvenv.cfg", "conda-meta"})  # in a folder of installed packages: venv's, conda's
PACKAGES = "node_modules"
TELL_A_FOLDER = ENVIRONMENTS | {PACKAGES, "head"}  # names that may say what their folder is
