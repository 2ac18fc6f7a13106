"""Lesson 31: folders of skills, good, broken and hostile; what stands in the prompt, and what comes when it is read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

PAGE, LONGEST_NAME, LONGEST_DESCRIPTION = 10_000, 64, 1024
ERROR = 'text from "Error: " on'
SOMEBODY = "a skill is text from somebody"


def brief(text: str) -> str:
    """A text of which long lines are cut, and of many the first are left: what was cut is said."""
    lines = [line if len(line) <= 80 else f"{line[:60]}... ({len(line):,} characters)" for line in text.split("\n")]
    return "\n".join(lines if len(lines) <= 8 else [*lines[:6], f"... ({len(lines) - 6} more lines)"])


def text_of(name: str, description: str, instructions: str = "Do it.") -> str:
    return f"---\nname: {name}\ndescription: {description}\n---\n\n{instructions}\n"


class Folder:
    """A folder of skills, and what there must be of it in the prompt."""

    def __init__(self, lesson: Any) -> None:
        self.lesson, self.fresh = lesson, lesson.fresh
        self.path = lesson.work / f"{self.fresh.word()} gr\u00f6\u00dfe"  # a person's folder may be called so
        self.path.mkdir()
        self.lines: dict[str, str] = {}
        self.instructions: dict[str, str] = {}

    def name(self) -> str:
        return "-".join(self.fresh.words(self.fresh.randint(1, 3)))

    def write(self, name: str, text: str) -> None:
        (self.path / name).mkdir()
        (self.path / name / "SKILL.md").write_text(text, encoding="utf-8")

    def good(self, description: str = "", instructions: str = "", name: str = "") -> str:
        name, description = name or self.name(), description or self.fresh.sentence()
        instructions = instructions or "\n".join(f"{n}. {self.fresh.sentence()}" for n in (1, 2, 3))
        self.write(name, text_of(name, description, instructions))
        self.lines[name] = f"- {name}: {' '.join(description.strip(' |').split())}"
        self.instructions[name] = instructions
        return name

    def in_the_prompt(self, what: str, why: str) -> None:
        said = self.lesson.call("catalogue", str(self.path), shown=f"catalogue(a folder with {what})")
        wanted = "\n".join(self.lines[name] for name in sorted(self.lines))
        got = None if not isinstance(said, str) else brief(said) or "an empty text"
        self.lesson.expect(said == wanted, brief(wanted) or "an empty text", why, got)

    def read(self, name: str, what: str = "") -> str:
        shown = f"read_skill(a folder with {len(self.lines)} skills{what}, {name!r})"
        said = self.lesson.call("read_skill", str(self.path), name, shown=shown)
        return said if isinstance(said, str) else ""

    def reads(self, why: str) -> None:
        for name, instructions in self.instructions.items():
            said = self.read(name)
            self.lesson.expect(said == instructions, brief(instructions), why, brief(said) or "an empty text")

    def refuses(self, name: str, why: str, secret: str = "", what: str = "") -> None:
        said = self.read(name, what)
        self.lesson.expect(said.startswith("Error: "), ERROR, why)
        self.lesson.expect(not secret or secret not in said, "nothing of what stands there", why)
        self.lesson.expect(
            all(each in said for each in self.lines), f"an error that names {sorted(self.lines)}", "so it can go on"
        )


def check(lesson: Any) -> None:
    fresh = lesson.fresh
    with lesson.case("the prompt: a line for each skill", "each request pays for it, so it is one line"):
        for count in (fresh.randint(4, 7), 1, 0, fresh.randint(22, 30)):
            folder = Folder(lesson)
            for _ in range(count):
                folder.good()
            for name in [*folder.lines][:1]:  # "-" comes before ":"
                folder.good(name=f"{name}-{fresh.word()}")
            folder.in_the_prompt(f"{count} skills", "name and description, sorted by name, and no instructions")
    with lesson.case("the tool: one skill's instructions", "it is read when it is needed, and no other is"):
        folder = Folder(lesson)
        for _ in range(4):
            folder.good()
        folder.good(instructions=f"{fresh.sentence()}\n---\nname: {fresh.word()}\n\n# {fresh.sentence()}")
        folder.reads("all of it, and nothing of the front matter")
    with lesson.case("a description is one line", f"{SOMEBODY}: it may hold a line that looks like another skill"):
        folder = Folder(lesson)
        other = folder.good()
        if not lesson.shipped:  # the real agent leaves it within a line as it is
            folder.good(f"{fresh.sentence()}  {fresh.word()}\t{fresh.word()}")
        folder.good(f"|\n  {fresh.sentence()}\n  - {other}: {fresh.sentence()}\n  {fresh.word()}")
        folder.in_the_prompt(
            "descriptions with a tab, two spaces, three lines", "its white space becomes single spaces"
        )
        folder.reads("the instructions are as they were")
    broken(lesson)
    names(lesson)
    links(lesson)
    with lesson.case("a description of 1 to 1,024 characters", "a long one fills every request"):
        folder = Folder(lesson)
        for description in ("x", "x" * LONGEST_DESCRIPTION):
            folder.good(description)
        for count in (LONGEST_DESCRIPTION + 1, 5000):
            name = folder.name()
            folder.write(name, text_of(name, "x" * count))
            folder.in_the_prompt(f"a description of {count:,} characters", "the format allows 1,024")
            folder.refuses(name, "what is not in the prompt is not there")
        name = folder.name()
        folder.write(name, text_of(name, f"x{' ' * LONGEST_DESCRIPTION}x"))
        folder.in_the_prompt(
            "a description of 1,026 characters, most of them spaces", "it counts as it stands in the file"
        )
    with lesson.case(f"at most {PAGE:,} characters at once", "one skill must not fill the window"):
        folder = Folder(lesson)
        folder.good(instructions=(fresh.sentence() + " ") * 300 + fresh.word())
        [(name, text)] = folder.instructions.items()
        for size in (PAGE, PAGE + 1, PAGE - 1, len(text)):
            folder = Folder(lesson)
            folder.good(instructions=text[: size - 1] + "!", name=name)
            said, last = folder.read(name, f", of {size:,} characters"), ""
            if size <= PAGE:
                lesson.expect(said == folder.instructions[name], "all of it", f"{PAGE:,} are allowed", brief(said))
                continue
            said = said.rstrip() if said.rstrip().endswith("]") else said
            begin, _, last = said.rpartition("\n")
            least = PAGE // 2 if lesson.shipped else PAGE - 100  # the real agent ends at a line
            whole = least <= len(begin) <= PAGE and folder.instructions[name].startswith(begin.rstrip())
            lesson.expect(
                whole,
                f"its first {PAGE:,} characters, and a line more",
                "one skill must not fill the window",
                got=f"{len(begin):,} characters, and a line more",
            )
            marked = last.startswith("[") and last.endswith("]")
            lesson.expect(
                marked,
                "a last line in brackets",
                "a model must know that it has not seen all",
                got=f"a last line {brief(last)}",
            )
    if lesson.holds:
        for_real(lesson)


def broken(lesson: Any) -> None:
    fresh = lesson.fresh
    kinds = {
        "no front matter": lambda name: fresh.sentence(),
        "front matter that never ends": lambda name: f"---\nname: {name}\ndescription: {fresh.sentence()}\n",
        "no name": lambda name: f"---\ndescription: {fresh.sentence()}\n---\nDo it.\n",
        "no description": lambda name: f"---\nname: {name}\n---\nDo it.\n",
        "an empty description": lambda name: text_of(name, "  "),
        "nothing in it": lambda name: "",
    }
    if not lesson.shipped:  # the real agent takes it, by the name in it, and tells the person
        kinds["another name in it"] = lambda name: text_of(fresh.word(), fresh.sentence())
        kinds["its name in capitals in it"] = lambda name: text_of(name.upper(), fresh.sentence())
    for kind, made in kinds.items():
        with lesson.case(f"a skill that cannot be used: {kind}", "the others must go on working"):
            folder = Folder(lesson)
            name = folder.name()
            folder.write(name, made(name))
            folder.good()
            folder.good()
            folder.in_the_prompt(f"a skill that has {kind}", "what cannot be used is left out")
            folder.refuses(name, "what is not in the prompt is not there", what=f" and one that has {kind}")
            if not lesson.shipped:
                said = folder.read(fresh.word(), f" and one that has {kind}")
                lesson.expect(name not in said, f"an error without {name!r}", "what cannot be used is not there")
    with lesson.case("other things in the folder", "a person keeps notes there, too"):
        folder = Folder(lesson)
        (folder.path / "notes.md").write_text(fresh.sentence(), encoding="utf-8")
        (folder.path / fresh.word()).write_text(fresh.sentence(), encoding="utf-8")
        (folder.path / (empty := fresh.word())).mkdir()
        (folder.path / (wrong := fresh.word()) / "SKILL.md").mkdir(parents=True)
        folder.good()
        folder.in_the_prompt("a skill, two files, and folders without the file SKILL.md", "only one is a skill")
        for name in (empty, wrong):
            folder.refuses(name, "there is no file SKILL.md in it")
        for _ in range(fresh.randint(11, 15)):
            folder.good()
        folder.refuses(fresh.word(), "there is no skill of this name")


def names(lesson: Any) -> None:
    fresh = lesson.fresh
    with lesson.case("names that a model sends", "a name is a path as soon as somebody uses it as one"):
        folder, secret = Folder(lesson), fresh.word()
        good = folder.good()
        folder.good()
        outside = lesson.work / fresh.word()
        (outside / "deep").mkdir(parents=True)
        lead_out = (f"../{outside.name}", str(outside), f"{good}/../../{outside.name}")
        for name in lead_out:  # the name in the file is the very one that is asked for
            (outside / "SKILL.md").write_text(text_of(name, fresh.sentence(), secret), encoding="utf-8")
            folder.refuses(name, "it leads out of the folder", secret)
        odd = (
            "",
            ".",
            "..",
            "/",
            f"{good}/",
            f"./{good}",
            f"{good}\n",
            f"{good}\0",
            f"{good} ",
            good.upper(),
            fresh.word(),
        )
        for name in odd:
            folder.refuses(name, "there is no skill of just this name")
    with lesson.case(
        "names that the format does not allow", "1 to 64 small letters, digits, and single hyphens between"
    ):
        folder = Folder(lesson)
        for name in ("x", f"{fresh.word()}-2", "a" * LONGEST_NAME):
            folder.good(name=name)
        word = fresh.word()
        for name in ("a" * (LONGEST_NAME + 1), word.upper(), f"-{word}", f"{word}-", f"{word}--{word}", f"{word}_1"):
            folder.write(name, text_of(name, fresh.sentence()))
            folder.in_the_prompt(f"a skill {name!r}", "what the format does not allow is left out")
            folder.refuses(name, "it is not in the prompt")


def links(lesson: Any) -> None:
    fresh = lesson.fresh
    with lesson.case("links that lead out", f"{SOMEBODY}: an archive may hold links, too"):
        folder, secret = Folder(lesson), fresh.word()
        folder.good()
        names = [fresh.word() for _ in range(2)]
        try:
            for name in names:
                outside = lesson.work / fresh.word()
                outside.mkdir()
                (outside / "SKILL.md").write_text(text_of(name, fresh.sentence(), secret), encoding="utf-8")
                link_to(folder.path / name, outside, whole=name == names[0])
        except OSError:
            return  # this system lets a person make none
        for name in names[lesson.shipped is not None :]:  # the real agent follows a link of the person's own folder
            folder.refuses(name, "it stands outside", secret, what=" and a link")
        if not lesson.shipped:
            folder.in_the_prompt("two links that lead out", "what stands outside is no skill of this folder")


def link_to(place: Path, outside: Path, whole: bool) -> None:
    if whole:
        place.symlink_to(outside, target_is_directory=True)
    else:
        place.mkdir()
        (place / "SKILL.md").symlink_to(outside / "SKILL.md")


KINDS = ("restart", "invoice", "backup", "release", "translation", "migration", "refund", "audit", "holiday", "incident",
         "contract", "newsletter")  # fmt: skip


def for_real(lesson: Any) -> None:
    """Twelve skills, and a model that reads the one that its task is about."""
    folder, fresh = Folder(lesson), lesson.fresh
    for kind in KINDS:
        steps = "\n".join(f"{n}. {fresh.sentence()}" for n in range(1, 81))
        folder.good(f"How the {kind} is done here. Read it before you begin one.", steps, f"{kind}-{fresh.word()}")
    with lesson.case("for real: twelve skills, one task"):
        path, kind = str(folder.path), fresh.choice(KINDS)
        prompt = lesson.call("catalogue", path, shown="catalogue(twelve skills)")
        fits = next((line.split(": ")[0][2:] for line in prompt.split("\n") if f" {kind} " in line), "")
        said = lesson.call("read_skill", path, fits, shown=f"read_skill(twelve skills, {fits!r})")
        lesson.expect(said == folder.instructions.get(fits), "the steps of the one that fits", "the line told which")
    every = sum(len(text) for text in folder.instructions.values()) // 4
    rows = {"all instructions": every, "your catalogue": len(prompt) // 4, "the one that it read": len(said) // 4}
    lines = [f"Twelve skills. The task: do the {kind}. In tokens:"]
    lines += [f"  {title:24}{tokens:7,}" for title, tokens in rows.items()]
    shown = [f"  {line[:72]}" for line in prompt.split("\n")[:4]]
    lesson.picture.append("\n".join([*lines, "", "What the prompt says of them:", *shown, "  ..."]))
