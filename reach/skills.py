"""Skills: folders of instructions that the person named, in the open Agent Skills format, held as values.

A skill is a folder with a SKILL.md: YAML front matter with a name and a description, then instructions in Markdown,
and further files beside it. Only name and description stand in the prompt; the rest is read when it is needed. The
limits of the fields are those of the format's specification (agentskills.io).
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
FRONT = re.compile(r"\A---[ \t]*\n(.*?)^---[ \t]*$\n?(.*)\Z", re.DOTALL | re.MULTILINE)
COLON = re.compile(r"^(description|name|license|compatibility):[ \t]+(?!['\"|>])(.*:.*)$", re.MULTILINE)

PROMPT = """\
Skills are instructions for kinds of task. When one fits, call read_skill with its name before you begin, and follow it:
{lines}"""


class BrokenSkill(ValueError):
    """A skill that cannot be used; the text says what is wrong with it."""


@dataclass(frozen=True)
class Skill:
    """One skill, its folder held open. `doubts` are sentences about what the format does not allow, though it works."""

    name: str
    description: str
    instructions: str
    root: Root
    doubts: tuple[str, ...] = ()

    def files(self) -> list[str]:
        """The paths of its further files, sorted, at most MOST_FILES."""
        found = islice((path for path, _ in self.root.walk(".") if path != FILE), MOST_FILES)
        return sorted(found)


class Skills(Mapping[str, Skill]):
    """The skills of a session, by name, in the order in which they were named. `broken` has a sentence for each that
    could not be used."""

    def __init__(self, paths: Sequence[str | Path]) -> None:
        """Open every skill below these folders; a folder may be a skill itself. Raises ConfigError for a folder that is
        not there, or where the package that reads YAML is missing."""
        self._skills: dict[str, Skill] = {}
        self.broken: list[str] = []
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
        """What the system prompt says of them; "" where there are none."""
        lines = "\n".join(f"- {skill.name}: {' '.join(skill.description.split())}" for skill in self.values())
        return PROMPT.format(lines=lines) if lines else ""

    def read(self, name: str, file: str = FILE, page: int = 1) -> str:
        """Return a page of a skill's instructions, or of one of its files. Raises KeyError for a skill that is not
        there, Refusal for a file that cannot be read, IndexError with the number of pages for a page that it has not.
        """
        skill = self._skills[name]
        text = _with_files(skill) if file in ("", FILE) else skill.root.read_text(file)
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
    if not path.is_dir():
        raise ConfigError(f"--skills {path}: there is no such folder. Name one that holds skills, or is one.")
    if (path / FILE).exists():
        return [path]
    found = sorted(Path(each.path) for each in os.scandir(path) if each.is_dir() and (Path(each.path) / FILE).exists())
    if not found:
        raise ConfigError(f"--skills {path} holds no skill: a skill is a folder with a {FILE} in it.")
    return found


def read_skill_file(root: Root, folder: str) -> Skill:
    """Read the SKILL.md of a folder that is held. Raises BrokenSkill or Refusal."""
    match = FRONT.match(root.read_text(FILE))
    if match is None:
        raise BrokenSkill(f"its {FILE} does not begin with front matter between two lines of ---")
    front, doubts = _front_matter(match[1])
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
    if name != folder:
        doubts.append(f"The skill {name} stands in a folder of another name, {folder}.")
    return Skill(name, without_controls(" ".join(description.split())), match[2].strip(), root, tuple(doubts))


def _front_matter(text: str) -> tuple[dict[str, Any], list[str]]:
    """Parse the front matter. Many are written with a colon in a description that is not quoted: it is quoted then."""
    import yaml

    try:
        front, doubts = yaml.safe_load(text), []
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        quoted = COLON.sub(lambda found: f"{found[1]}: '{found[2].replace(chr(39), chr(39) * 2)}'", text)
        try:
            front = yaml.safe_load(quoted)
        except (yaml.YAMLError, ValueError, RecursionError):
            problem = getattr(error, "problem", None) or str(error).splitlines()[0]
            raise BrokenSkill(f"its front matter is not YAML ({problem}{_line_of(error)})") from None
        doubts = ["A colon in its front matter is not quoted; it was read as text."]
    if not isinstance(front, dict):
        raise BrokenSkill("its front matter has no fields such as name: and description:")
    return front, doubts


def _line_of(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    return f", line {mark.line + 2}" if mark else ""  # counted from the line after the first ---


def _with_files(skill: Skill) -> str:
    files = skill.files()
    if not files:
        return skill.instructions
    listed = "\n".join(f"- {path}" for path in files)
    call = f'read_skill(name="{skill.name}", file="...")'
    return f"{skill.instructions}\n\nFurther files of this skill, to be read with {call}:\n{listed}"
