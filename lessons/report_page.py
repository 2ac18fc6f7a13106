"""The report on a class as a page: one file, no script, nothing loaded from anywhere."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

from lessons import words
from lessons.course import Lesson
from lessons.history import entries_of
from lessons.people import Person

STYLE = (
    ":root{--paper:#fff;--ink:#1b1b1b;--line:#8885;color-scheme:light dark}"
    "@media(prefers-color-scheme:dark){:root{--paper:#16181c;--ink:#eee}}"
    "body{font:16px/1.5 system-ui,sans-serif;margin:1.5rem auto;padding:0 1rem;max-width:70rem;color:var(--ink);"
    "background:var(--paper);overflow-wrap:anywhere}"
    ".wide{overflow-x:auto}table{border-collapse:collapse;overflow-wrap:normal}"
    "th,td{padding:.25rem .6rem;text-align:center;white-space:nowrap;border-bottom:1px solid var(--line)}"
    "th:first-child{position:sticky;left:0;background:var(--paper);text-align:left;white-space:normal;"
    "min-width:7rem;max-width:12rem;overflow-wrap:break-word}"
    "details{margin:.5rem 0}summary{cursor:pointer;padding:.4rem 0}"
    "h3{font-size:1rem;margin:1rem 0 0}p,ol{margin:0 0 .5rem}ol{padding-left:2rem}small{opacity:.8}"
    "h3 span{display:inline-block;min-width:1.6rem;margin-right:.4rem;text-align:center;border-radius:.2rem}"
    ".done{background:#2a9d5c33}.fallen{background:#d6452e55}.more{background:#2a6fdb33}"
)
LOOKS = {"x": "done", "-": "fallen", "+": "more"}


def page_of(
    people: Sequence[Person], lessons: Sequence[Lesson], stuck: list[str], alike: list[str], verified: bool
) -> str:
    """What the report says of everybody, where they are stuck, whose answers are alike, and of each their way."""
    heads = [words.REPORT_WHO, *words.REPORT_SUMS, *(str(lesson.number) for lesson in lessons)]
    body = "\n".join(row_of(each, lessons) for each in people)
    likeness = listed(words.REPORT_ALIKE, alike) + f"<p>{words.REPORT_ALIKE_HOW}\n" if alike else ""
    ways = "\n".join(way_of(each, lessons) for each in people)
    return (
        "<!doctype html>\n<html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>\n"
        f"<title>{words.REPORT_TITLE}</title><style>{STYLE}</style>\n<h1>{words.REPORT_TITLE}</h1>\n"
        f"<div class=wide tabindex=0>{table(heads, body)}</div>\n"
        f"<p>{html.escape(words.REPORT_MARKS)}. {words.REPORT_VERIFIED if verified else words.REPORT_BELIEVED}\n"
        f"{listed(words.REPORT_STUCK, stuck or [words.REPORT_ALL_THROUGH])}{likeness}"
        f"<h2>{words.REPORT_WAYS}</h2>\n{ways}\n</html>\n"
    )


def table(heads: Iterable[str], body: str) -> str:
    return f"<table><thead><tr>{''.join(f'<th scope=col>{head}' for head in heads)}</thead>\n<tbody>{body}</table>"


def listed(title: str, lines: Iterable[str]) -> str:
    return f"<h2>{html.escape(title)}</h2><ul>{''.join(f'<li>{html.escape(line)}' for line in lines)}</ul>\n"


def row_of(each: Person, lessons: Sequence[Lesson]) -> str:
    sums = "".join(f"<td>{html.escape(cell)}" for cell in each.sums(lessons))
    marks = "".join(mark_of(each.mark(lesson)) for lesson in lessons) if each.known else "<td>" * len(lessons)
    return f"<tr><th scope=row>{html.escape(each.name)}{sums}{marks}"


def mark_of(mark: str, tag: str = "td") -> str:
    return f'<{tag} class="mark {LOOKS.get(mark, "")}">{html.escape(mark)}</{tag}>'


def way_of(each: Person, lessons: Sequence[Lesson]) -> str:
    """A learner's lessons, folded: how long each took, how many checks and hints, the solution, what was found."""
    ways = "\n".join(lesson_of(each, lesson) for lesson in lessons if begun(each, lesson))
    if not ways:
        return f"<p>{html.escape(each.name)}: {html.escape(each.problem or words.REPORT_NOT_BEGUN)}"
    told = html.escape(f"{each.name}: {words.REPORT_SUM.format(*each.sums(lessons))}")
    return f"<details><summary>{told}</summary>\n{ways}</details>"


def begun(each: Person, lesson: Lesson) -> bool:
    touched = ("passed", "saves", "hints", "solution_seen", "seconds")
    return each.done(lesson) or any(map(each.record(lesson).get, touched))


def lesson_of(each: Person, lesson: Lesson) -> str:
    record = each.record(lesson)
    told = words.REPORT_WAY.format(
        minutes=record.get("seconds", 0) // 60, checks=record.get("saves", 0), hints=record.get("hints", 0)
    )
    seen = words.REPORT_SEEN if record.get("solution_seen") else ""
    checks = [(when, what or words.REPORT_PASSED) for when, what in entries_of(record)]
    if not each.done(lesson) and each.held.get(lesson.key):
        checks.append((words.REPORT_NOW, each.held[lesson.key]))
    lines = "".join(f"<li><small>{html.escape(when)}</small> {html.escape(what)}" for when, what in checks)
    title = html.escape(f"{lesson.number} {lesson.title}")
    return f"<h3>{mark_of(each.mark(lesson), 'span')}{title}</h3><p>{told}{seen}<ol>{lines}</ol>"
