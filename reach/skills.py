"""Skills: folders of instructions that the person named, in the open Agent Skills format, held as values.

A skill is a folder with a SKILL.md: YAML front matter with a name and a description, then instructions in Markdown,
and further files beside it. Only name and description stand in the prompt; the rest is read when it is needed. The
limits of the fields are those of the format's specification (agentskills.io); `disable-model-invocation` and
`$ARGUMENTS` are Claude Code's.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from config import ConfigError, need
from reach.pages import starts_of
from sandbox.files.root import Refusal, Root
from sandbox.files.unusual import without_controls

FILE = "SKILL.md"
LONGEST_NAME, LONGEST_DESCRIPTION = 64, 1024  # characters
NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
MOST_FILES = 50  # named with a skill's instructions
DEEPEST, MOST_FOLDERS = 4, 1_000  # folders below the one that the person named, that are looked into
ARGUMENTS = "$ARGUMENTS"
FRONT = re.compile(r"\A---[ \t]*\n(.*?)^---[ \t]*$\n?(.*)\Z", re.DOTALL | re.MULTILINE)
COLON = re.compile(r"^(description|name|license|compatibility):[ \t]+(?!['\"|>])(.*:.*)$", re.MULTILINE)

PROMPT = """\
Skills are instructions for kinds of task. When one fits, call read_skill with its name before you begin, and follow it:
{lines}"""

NAMED = "A skill that the person names is read with read_skill too, before you begin."


class BrokenSkill(ValueError):
    """A skill that cannot be used; the text says what is wrong with it."""


@dataclass(frozen=True)
class Skill:
    """One skill, its folder held open. `doubts` are sentences about what the format does not allow, though it works.
    `for_the_person`: a model may not start it. `allowed` are tools that are not asked about where the person did."""

    name: str
    description: str
    instructions: str
    root: Root
    doubts: tuple[str, ...] = ()
    for_the_person: bool = False
    allowed: frozenset[str] = frozenset()

    def scripts(self) -> list[str]:
        """The Python files among its files."""
        return [path for path in self.files() if path.endswith(".py")]

    def files(self) -> list[str]:
        """The paths of its further files, sorted, at most MOST_FILES."""
        found = islice((path for path, _ in self.root.walk(".") if path != FILE), MOST_FILES)
        return sorted(found)


class Skills(Mapping[str, Skill]):
    """The skills of a session, by name, in the order in which they were named. `broken` has a sentence for each that
    could not be used, `called` the arguments of the one that the person started the present run with."""

    def __init__(self, paths: Sequence[str | Path]) -> None:
        """Open every skill below these folders; a folder may be a skill itself. Raises ConfigError for a folder that is
        not there, or where the package that reads YAML is missing."""
        self._skills: dict[str, Skill] = {}
        self.broken: list[str] = []
        self.called: dict[str, str] = {}
        need("yaml")
        for path in paths:
            for folder in folders_of(Path(path).expanduser()):
                self._open(folder)

    def __getitem__(self, name: str) -> Skill:
        return self._skills[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._skills)

    def __len__(self) -> int:
        return len(self._skills)

    def close(self) -> None:
        for skill in self._skills.values():
            skill.root.close()

    def prompt(self) -> str:
        """What the system prompt says of those that a model may start; "" where there are none."""
        shown = [skill for skill in self.values() if not skill.for_the_person]
        lines = "\n".join(f"- {skill.name}: {' '.join(skill.description.split())}" for skill in shown)
        told = [PROMPT.format(lines=lines)] if lines else []
        return "\n".join([*told, *([NAMED] if len(shown) < len(self) else [])])

    def may(self, name: str) -> bool:
        """Whether a model may read a skill now: not one that only the person starts, and has not."""
        return not self._skills[name].for_the_person or name in self.called

    def read(self, name: str, file: str = FILE, page: int = 1, arguments: str = "") -> str:
        """Return a page of a skill's instructions, with the arguments in their place (the person's where those were
        given), or of one of its files. Raises KeyError for a skill that is not there, Refusal for a file that cannot be
        read, IndexError with the number of pages for a page that it has not."""
        skill = self._skills[name]
        given = self.called.get(name) or arguments
        text = _with_files(skill, given) if file in ("", FILE) else skill.root.read_text(file)
        starts = starts_of(text)
        if not 1 <= page <= len(starts):
            raise IndexError(len(starts))
        end = starts[page] if page < len(starts) else len(text)
        part = text[starts[page - 1] : end]
        if len(starts) == 1:
            return part
        more = f", read on with page={page + 1}" if page < len(starts) else ""
        return f"{part.rstrip()}\n[page {page} of {len(starts)}{more}]"

    def _open(self, folder: Path) -> None:
        called = f"The skill in {folder} is not used"
        try:
            root = Root(folder)
        except Refusal as refusal:
            self.broken.append(f"{called}: {refusal}.")
            return
        try:
            skill = read_skill_file(root, folder.resolve().name)
            if skill.name in self._skills:
                raise BrokenSkill(f"there is a skill {skill.name!r} already, in {self._skills[skill.name].root.path}")
            self._skills[skill.name] = skill
        except (BrokenSkill, Refusal) as problem:
            root.close()
            self.broken.append(f"{called}: {problem}.")


def folders_of(path: Path) -> list[Path]:
    """Return the folders below `path` that hold a SKILL.md, or `path` alone where it does. Raises ConfigError."""
    try:
        if not path.is_dir():
            raise ConfigError(f"--skills {path}: there is no such folder. Name one that holds skills, or is one.")
        if (path / FILE).exists():
            return [path]
        found = sorted(_below(path))
    except OSError as error:
        where = error.filename or path
        raise ConfigError(f"--skills {path}: {where} cannot be read ({error.strerror or error}).") from None
    if not found:
        raise ConfigError(f"--skills {path} holds no skill: a skill is a folder with a {FILE} in it.")
    return found


def _below(path: Path) -> list[Path]:
    """The skills in a folder and in folders below it. No link is followed but one that stands in the first, nothing is
    looked into whose name begins with a point, and a skill holds no further one."""
    found, waiting, looked = [], [(path, 0)], 0
    while waiting and looked < MOST_FOLDERS:
        folder, depth = waiting.pop()
        looked += 1
        with os.scandir(folder) as entries:
            folders = [Path(each.path) for each in entries if each.is_dir(follow_symlinks=depth == 0)]
        for each in folders:
            if (each / FILE).exists():
                found.append(each)
            elif depth < DEEPEST and not each.is_symlink() and not each.name.startswith("."):
                waiting.append((each, depth + 1))
    return found


def read_skill_file(root: Root, folder: str) -> Skill:
    """Read the SKILL.md of a folder that is held. Raises BrokenSkill or Refusal."""
    match = FRONT.match(root.read_text(FILE))
    if match is None:
        raise BrokenSkill(f"its {FILE} does not begin with front matter between two lines of ---")
    front, quoted = _front_matter(match[1])
    name, description = front.get("name"), front.get("description")
    if not isinstance(name, str) or not name.strip():
        raise BrokenSkill("it has no name")
    if not isinstance(description, str) or not description.strip():
        raise BrokenSkill("it has no description, and without one nobody knows when to use it")
    name, description = name.strip(), description.strip()
    if len(name) > LONGEST_NAME or not NAME.fullmatch(name):
        rule = f"1 to {LONGEST_NAME} small letters, digits and single hyphens"
        raise BrokenSkill(f"its name is {without_controls(name)[:80]!r}, but it must be {rule}")
    if len(description) > LONGEST_DESCRIPTION:
        most = f"at most {LONGEST_DESCRIPTION:,} are allowed"
        raise BrokenSkill(f"its description has {len(description):,} characters, and {most}")
    doubts = [f"A colon in the front matter of the skill {name} is not quoted; it was read as text."] if quoted else []
    if name != folder:
        doubts.append(f"The skill {name} stands in a folder of another name, {folder}.")
    alone = front.get("disable-model-invocation", False)
    if not isinstance(alone, bool):
        raise BrokenSkill("its disable-model-invocation is neither true nor false")
    told, allowed = without_controls(" ".join(description.split())), _names_in(front.get("allowed-tools"))
    return Skill(name, told, match[2].strip(), root, tuple(doubts), alone, allowed)


def _names_in(allowed: Any) -> frozenset[str]:
    """The tools of `allowed-tools`, a list or a text; a name with a pattern, such as `Bash(git:*)`, is none of ours."""
    names = allowed if isinstance(allowed, list) else str(allowed or "").replace(",", " ").split()
    return frozenset(str(name) for name in names if "(" not in str(name))


def _front_matter(text: str) -> tuple[dict[str, Any], bool]:
    """Parse the front matter. Many are written with a colon in a description that is not quoted: it is quoted then, and
    the second of what is returned is True."""
    import yaml

    try:
        front, mended = yaml.safe_load(text), False
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        quoted = COLON.sub(lambda found: f"{found[1]}: '{found[2].replace(chr(39), chr(39) * 2)}'", text)
        try:
            front = yaml.safe_load(quoted)
        except (yaml.YAMLError, ValueError, RecursionError):
            problem = getattr(error, "problem", None) or str(error).splitlines()[0]
            raise BrokenSkill(f"its front matter is not YAML ({problem}{_line_of(error)})") from None
        mended = True
    if not isinstance(front, dict):
        raise BrokenSkill("its front matter has no fields such as name: and description:")
    return front, mended


def _line_of(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    return f", line {mark.line + 2}" if mark else ""  # counted from the line after the first ---


def _with_files(skill: Skill, arguments: str) -> str:
    text, files = skill.instructions, skill.files()
    if arguments:
        there = ARGUMENTS in text
        text = text.replace(ARGUMENTS, arguments) if there else f"{text}\n\nArguments: {arguments}"
    if not files:
        return text
    listed = "\n".join(f"- {path}" for path in files)
    call = f'read_skill(name="{skill.name}", file="...")'
    scripts = f', or run with run_skill_script(name="{skill.name}", file="...")' if skill.scripts() else ""
    return f"{text}\n\nFurther files of this skill, to be read with {call}{scripts}:\n{listed}"
