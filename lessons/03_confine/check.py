"""Lesson 3: attacks that must be refused, honest paths that must not; known ones, and ones with new names each time."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

LINKS = ("escape.txt", "way_out", "shortcut")
ATTACKS = (
    ("../secret.txt", "climbs out with .."),
    ("pkg/../../secret.txt", "goes in first, then climbs out"),
    ("/etc/passwd", "an absolute path: the folder is not even looked at"),
    ("../calculator_evil/plan.txt", "a neighbour whose path begins with the same letters"),
    ("escape.txt", "is a symbolic link to a file outside"),
    ("way_out/secret.txt", "a folder on the way is a symbolic link"),
    ("C:\\Windows\\win.ini", "a drive letter: absolute on Windows"),
    ("..\\secret.txt", "climbs out where \\ stands between names"),
    ("pkg/\0/main.py", "no file name can hold this character: asking the system about it raises ValueError"),
)
LEGAL = (
    (".", "the folder itself: it must be possible to list it"),
    ("pkg/calculator.py", "an ordinary file"),
    ("a..b.py", "two dots inside a name do not climb anywhere"),
    ("pkg/new.py", "a new file must be allowed before it exists"),
)
SHORT = 8  # letters of the new root's name; its neighbour's is longer
BENT = (("", "it is a symbolic link"), ("/a.py", "a folder on the way is a symbolic link"))
STRICT = (
    ("shortcut/calculator.py", "a symbolic link on the way, also one that stays inside: it can be bent later"),
    (
        "pkg/../pkg/calculator.py",
        "holds .. as a part: refused even where it comes back in, as a link could bend the way",
    ),
)


def prepare(work: Path) -> None:
    """The calculator's folder, and one in which all names are drawn: what the sandbox lets no code make, is made here."""
    from lessons.fresh import Fresh

    new_folder(Fresh(), work / "new")
    root = work / "calculator"
    (root / "pkg").mkdir(parents=True)
    (root / "pkg" / "calculator.py").write_text("precedence = {'+': 3}\n")
    (root / "a..b.py").write_text("")
    (work / "calculator_evil").mkdir()
    (work / "calculator_evil" / "plan.txt").write_text("evil\n")
    (work / "secret.txt").write_text("secret\n")
    with suppress(OSError, NotImplementedError):  # Windows lets only some people make links
        (root / "escape.txt").symlink_to(work / "secret.txt")
        (root / "way_out").symlink_to(work, target_is_directory=True)
        (root / "shortcut").symlink_to(root / "pkg", target_is_directory=True)


def check(lesson: Any) -> None:
    root = lesson.work / "calculator"
    rows = []
    for path, what in (*ATTACKS, *LEGAL, *STRICT):
        if (path, what) in LEGAL:
            with lesson.case(f"honest  {shown(path)}", what, "True, and no exception"):
                ask(lesson, root, path, what, wanted=True)
                rows.append(f"allowed  {shown(path):27} {what}")
            continue
        first = path.split("/")[0]
        if first in LINKS and not (root / first).is_symlink():
            lesson.skip(shown(path), "this system lets you make no symbolic links")
            continue
        with lesson.case(f"attack  {shown(path)}", what, "False, and no exception"):
            ask(lesson, root, path, what, wanted=False)
            rows.append(f"refused  {shown(path):27} {what}")
    [other] = [path for path in (lesson.work / "new").iterdir() if len(path.name) == SHORT]
    with lesson.case(
        "attacks with names that nobody has seen",
        "who writes paths for an agent does not keep to a list",
        expected="False, and no exception",
    ):
        for path, what in new_attacks(lesson, other):
            ask(lesson, other, path, what, wanted=False)
    with lesson.case(
        "honest paths with names that nobody has seen",
        "a rule that is too strict breaks honest work",
        expected="True, and no exception",
    ):
        for path, what in new_honest(lesson, other):
            ask(lesson, other, path, what, wanted=True)
    lesson.picture.append("\n".join(["What your function says now:", *rows]))


def ask(lesson: Any, root: Path, path: str, what: str, *, wanted: bool) -> None:
    answer = lesson.call("inside", str(root), path, shown=f"inside(root, {path!r})")
    lesson.expect(answer is wanted, str(wanted), what)


def new_folder(fresh: Any, place: Path) -> None:
    """A root with folders, files and a link, and beside it a folder whose name begins with the same letters."""
    root = place / fresh.word(SHORT // 2)
    for name in fresh.words(3):
        (root / name / fresh.word()).mkdir(parents=True)
        (root / name / f"{fresh.word()}.py").write_text("")
    evil = place / (root.name + fresh.word())
    evil.mkdir()
    for leads_to in (evil, root / name, root / fresh.word()):  # outside, inside, nowhere
        with suppress(OSError, NotImplementedError):
            (root / name / fresh.word()).symlink_to(leads_to, target_is_directory=True)


def new_attacks(lesson: Any, root: Path) -> list[tuple[str, str]]:
    fresh = lesson.fresh
    [evil] = [path for path in root.parent.iterdir() if path != root]
    links = [path for path in root.rglob("*") if path.is_symlink()]
    bent = [(f"{link.parent.name}/{link.name}{rest}", what) for link in links for rest, what in BENT]
    inner = fresh.choice([path for path in root.iterdir() if path.is_dir()])
    climb = "/".join([inner.name, *[".."] * fresh.randint(1, 4)])
    return [
        ("..", "climbs out with .."),
        (f"{inner.name}/..", "holds .. as a part"),
        ("/".join([*fresh.words(5), "..", fresh.word()]), "holds .. as a part, however deep"),
        (f"{climb}/{fresh.word()}", "holds .. as a part"),
        (f"../{evil.name}/{fresh.word()}", "a neighbour whose path begins with the same letters"),
        (str(evil / fresh.word()), "an absolute path"),
        (str(inner), "an absolute path, even to a place inside: which folder it is, is not the model's to say"),
        (f"{fresh.choice('DEFXYZ')}:\\{fresh.word()}", "a drive letter: absolute on Windows"),
        (f"{fresh.choice('defxyz')}:/{fresh.word()}.txt", "a drive letter: absolute on Windows"),
        (f"{inner.name}\\..\\..\\{fresh.word()}", "climbs out where \\ stands between names"),
        (f"{inner.name}\\{fresh.word()}", "\\ between names: elsewhere the same call would mean another file"),
        (f"\\{fresh.word()}", "begins with \\: on Windows that is at the top of the disk"),
        (f"{fresh.word()}\0", "no file name can hold this character"),
        (f"\0{fresh.word()}", "no file name can hold this character"),
        *bent,
    ]


def new_honest(lesson: Any, root: Path) -> list[tuple[str, str]]:
    fresh = lesson.fresh
    inner = fresh.choice([path for path in root.iterdir() if path.is_dir()])
    file = next(inner.glob("*.py"))
    return [
        (inner.name, "an ordinary folder"),
        (f"{inner.name}/{file.name}", "an ordinary file"),
        (f"./{inner.name}/{file.name}", ". is the folder itself, and climbs nowhere"),
        (f"{fresh.word()}/{fresh.word()}/{fresh.word()}.py", "it must be allowed before it exists, folders and all"),
        (f"..{fresh.word()}", "two dots at the beginning of a name do not climb anywhere"),
        (f"{fresh.word()}...{fresh.word()}.md", "dots inside a name do not climb anywhere"),
        (f".{fresh.word()}", "a hidden file is a file"),
        (f"{fresh.word()} {fresh.word()}.txt", "a space is fine in a name"),
        (f"..\u00fc/{fresh.word()}", "a name may hold any letter: this one is three letters long"),
        ("/".join(fresh.words(30)), "folders may lie deep"),
        (f"{inner.name}/", "a / at the end of a folder climbs nowhere"),
        (f"etc/passwd{fresh.word()}", "only a path that begins with / is absolute"),
    ]


def shown(path: str) -> str:
    return path.replace("\0", "\\0")
