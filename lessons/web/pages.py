"""Pages of the course as HTML. They are the project's own texts; what stands in them as HTML is text all the same."""

from __future__ import annotations

import posixpath
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from lessons.course import PROJECT, Lesson

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

LINK = re.compile(r"\]\(([^)\s]+)\)")


def rendered(text: str) -> str:
    """Markdown as HTML: a link to a file of the project leads to its source, another opens a page of its own."""
    reader = markdown()
    tokens = reader.parse(text)
    for token in tokens:
        for child in token.children or ():
            if child.type == "link_open":
                lead(child)
    return reader.renderer.render(tokens, reader.options, {})


@cache
def markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable("table")


def lead(link: Token) -> None:
    place = str(link.attrGet("href") or "")
    if "://" not in place:
        link.attrSet("href", f"source?file={inside(place)}")
    link.attrSet("target", "_blank")
    link.attrSet("rel", "noopener")


def inside(place: str) -> str:
    """A link of a lesson's page as a path in the project: "../../main.py" is main.py."""
    return posixpath.normpath(place).replace("../", "")


def linked(lessons: list[Lesson]) -> set[str]:
    """The files of the project to which the lessons' pages lead: those may be shown, and no others."""
    names = {inside(place) for lesson in lessons for place in LINK.findall(lesson.readme) if "://" not in place}
    return {name for name in names if Path(name).suffix in (".py", ".md") and (PROJECT / name).is_file()}
