"""Lesson 16: pages with traps in them, and answers that name what was read, what was not, and what is nowhere."""

from __future__ import annotations

import random
from typing import Any

dice = random.SystemRandom()
FENCE = "`" * 3


def word() -> str:
    return "".join(dice.choices("bcdfghklmnprstvwaeiou", k=4)) + dice.choice("\u00fc\u00e9")


def check(lesson: Any) -> None:
    pages(lesson)
    path, other = f"wiki/{word()}.md", f"wiki/{word()}.md"
    names = [word() for _ in range(3)]
    page = "\n\n".join(f"## {name.title()} {names[0]}\n\n{word()} {word()}." for name in names)
    read = {path: page, other: f"# {word()}\n\nIt says {word()}."}
    anchor = f"{names[1]}-{names[0]}"
    names_of = {path: [f"{name}-{names[0]}" for name in names], other: [read[other].split("\n")[0].removeprefix("# ")]}

    def ask(answer: str, seen: dict[str, str] | None = None) -> Any:
        seen = read if seen is None else seen
        shown = f"objection({answer!r}, read), with {', '.join(seen) or 'nothing'} in read"
        return lesson.call("objection", answer, dict(seen), shown=shown)

    taken = {
        "a section that was read": f"Keep both.\nSource: {path}#{anchor}",
        "a whole file that was read": f"It says so.\n\nSource: {other}",
        "two sources, both read": f"Both say it.\nSource: {path}#{anchor}, {other}",
    }
    for title, answer in taken.items():
        with lesson.case(f"{title}: taken", "nothing is wrong with it"):
            lesson.expect(ask(answer) == "", '""', "what it names is there, and was read: nothing is wrong with it")
    unread, nowhere = f"wiki/{word()}.md", f"{word()}-{word()}"
    good = f"\nSource: {path}"
    objected = [
        ("no source at all", f"Keep both changes. I know this from {path}.", "Source", "nobody can look it up"),
        ("a file that nobody read", f"Keep both.\nSource: {unread}#{anchor}", unread, "it was made up, or guessed"),
        ("a section that is not there", f"Keep both.\nSource: {path}#{nowhere}", nowhere, "the link leads nowhere"),
        ("a section of another file", f"So.\nSource: {other}#{anchor}", anchor, "the anchor is not of that file"),
        ("one good source and a bad one", f"So.\nSource: {path}#{anchor}, {unread}", unread, "each of them is checked"),
        (
            "many good ones and a bad one",
            f"So.\nSource: {', '.join([path] * 4)}, {unread}",
            unread,
            "each of them is checked",
        ),
        ("four good lines and a bad one", f"So.{good * 4}\nSource: {unread}", unread, "each of them is checked"),
        ("a bad one in a second line", f"So.\nSource: {path}\nSource: {unread}", unread, "each of them is checked"),
        ("words of the text as a section", f"So.\nSource: {path}#{names[2]}", names[2], "an anchor is a whole one"),
    ]
    for title, answer, must_say, why in objected:
        with lesson.case(f"{title}: sent back", why):
            said = ask(answer)
            lesson.expect(isinstance(said, str) and bool(said), "a sentence for the model", why)
            lesson.expect(
                must_say.lower() in said.lower(),
                f"a sentence that names what is wrong: {must_say}",
                "it must know what to mend",
            )
            file, _, section = answer.rpartition("Source: ")[2].partition("#")
            if section == must_say:
                there = names_of[file]
                lesson.expect(
                    all(name.lower() in said.lower() for name in there),
                    f"a sentence that says which sections there are: {', '.join(there)}",
                    "else its next guess is as good as its last",
                )
    with lesson.case("nothing was read: sent back", "an answer from memory is none from your wiki"):
        lesson.expect(bool(ask(f"Keep both.\nSource: {path}#{anchor}", {})), "a sentence for the model")
    with lesson.case("a comment in code is no section: sent back", "the link leads nowhere"):
        code = f"# {word()}\n\n{FENCE}\n# {nowhere}\n{FENCE}\n"
        lesson.expect(bool(ask(f"So.\nSource: {path}#{nowhere}", {path: code})), "a sentence: it is a comment in code")
    lesson.picture.append(story(lesson, path, anchor, unread, read))


def pages(lesson: Any) -> None:
    first, second, third = word(), word(), word()

    def cut(text: str) -> dict[str, str]:
        found = lesson.call("sections", text)
        lesson.expect(isinstance(found, dict), "a dictionary: {anchor: text}")
        return {name: str(below).strip() for name, below in found.items()}

    def same(found: dict[str, str], wanted: dict[str, str], why: str) -> None:
        lesson.expect(found == wanted, lesson.show(wanted), why)

    with lesson.case(
        "headings of several levels, in their order", "a link leads to a heading, and the reader follows it"
    ):
        text = (
            f"# {first.title()}\n\n{third}.\n\n## {second.title()} a {first}?\n\n- {third}\n- {first}\n\n### {third}\n"
        )
        wanted = {first: f"{third}.", f"{second}-a-{first}": f"- {third}\n- {first}", third: ""}
        found = cut(text)
        same(found, wanted, "each section ends where the next heading begins")
        lesson.expect(list(found) == list(wanted), f"in their order: {', '.join(wanted)}")
    with lesson.case(
        "what stands before the first heading belongs to none", "a link leads to a heading, and the reader follows it"
    ):
        same(cut(f"{third}\n\n# {first}\n\n{second}"), {first: second}, "it has no anchor")
    with lesson.case(
        "a comment in a block of code is no heading", "a link leads to a heading, and the reader follows it"
    ):
        code = f"{FENCE}sh\n# {second}\nmake {third}\n{FENCE}"
        found = cut(f"# {first}\n\n{code}\n\nThen {third}.\n\n# {third}\n\n{first}\n")
        same(found, {first: f"{code}\n\nThen {third}.", third: first}, "in a shell script `#` begins a comment")
    with lesson.case("#17 is no heading, and seven # are none", "a link leads to a heading, and the reader follows it"):
        text = f"# {first}\n\n#17 is {second}.\n####### {third}"
        same(
            cut(text), {first: f"#17 is {second}.\n####### {third}"}, "a heading is one to six #, then a space or a tab"
        )
    with lesson.case(
        "a tab behind the # counts as a space does", "a link leads to a heading, and the reader follows it"
    ):
        text = f"#\t{first}\n\n{second}\n\n###\t{third} {first}\n\n#{second}\tis none"
        wanted = {first: second, f"{third}-{first}": f"#{second}\tis none"}
        same(cut(text), wanted, "a heading is one to six #, then a space or a tab")
    with lesson.case(
        "two headings that are alike have two anchors", "a link leads to a heading, and the reader follows it"
    ):
        found = cut(f"## {first}\n\n{second}\n\n## {first}\n\n{third}\n\n## {first}\n\n{second}")
        same(found, {first: second, f"{first}-1": third, f"{first}-2": second}, "the second one's link ends in -1")
        found = cut(f"# {first}\n" * 6)
        same(found, dict.fromkeys([first, *(f"{first}-{number}" for number in range(1, 6))], ""), "the sixth's in -5")
    with lesson.case("a fence stands at the beginning of its line", "elsewhere it is a word of the text"):
        found = cut(f"# {first}\n\nWrite {FENCE} before it.\n\n# {second}\n\n{third}")
        same(found, {first: f"Write {FENCE} before it.", second: third}, "this one begins no block of code")
    with lesson.case("a page without a heading", "a link leads to a heading, and the reader follows it"):
        same(cut(f"{first} {second}"), {}, "there is nothing to link to")


def story(lesson: Any, path: str, anchor: str, unread: str, read: dict[str, str]) -> str:
    lines = [f"What was read in this run: {', '.join(read)}", ""]
    for source in ("", f"Source: {unread}", f"Source: {path}#{anchor}-x", f"Source: {path}#{anchor}"):
        said = lesson.call("objection", f"Keep both changes.\n{source}", dict(read), shown="objection(...)")
        lines += [f"assistant  Keep both changes. {source}", f"your gate  {said or '(the answer is taken)'}", ""]
    return "\n".join(["Four answers, and what your gate says:", *lines])
