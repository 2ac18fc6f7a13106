"""The page to talk to, in Chromium: as a person meets it, with the keyboard, at 400 pixels, light and dark."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from browser import CHROMIUM, Browser
from test_page import Open, Person, opens  # noqa: F401 - a fixture

pytestmark = [pytest.mark.long, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")]
# 1.4.10, Reflow: nothing is read by scrolling in two directions.
FITS = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
GARLIC = "Garlic is planted in October, 5 centimetres deep."


@pytest.fixture
def me(opens: Open) -> Person:  # noqa: F811
    """A person whose program has worked already: what it loads for its first message would be waited for."""
    (person,) = opens()
    person.say("What is there?")
    return person


def shown(page: Browser, person: Person, width: int = 1280, theme: str = "light") -> None:
    page.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
    page.open(person.server.address, width)
    page.until("document.getElementById('count').textContent")


def said(page: Browser, text: str) -> None:
    """Type a message and send it with the keyboard; wait until it is done."""
    turns = page.run("document.querySelectorAll('[data-run]').length")
    page.run("document.getElementById('message').focus()")
    page.send("Input.insertText", text=text)
    page.press("Enter")
    page.until(f"document.querySelectorAll('[data-run]').length > {turns}")


def untroubled(page: Browser, person: Person) -> None:
    assert page.complaints() == []
    assert [url for url in page.requests() if not url.startswith(person.server.address)] == []


@pytest.mark.parametrize(("width", "theme"), [(1280, "light"), (400, "dark")])
def test_a_note_is_written_seen_compared_and_taken_back(
    width: int, theme: str, me: Person, chromium: Browser, tmp_path: Path
):
    shown(chromium, me, width, theme)
    said(chromium, GARLIC)
    assert chromium.run("document.querySelector('.card').innerText").startswith("New")
    chromium.run("document.querySelector('.card summary').click()")
    chromium.until("document.querySelector('.diff ins')")
    assert "+Garlic is planted" in chromium.run("document.querySelector('.diff').textContent")
    chromium.run("document.querySelector('.card a').click()")
    chromium.until("document.getElementById('note').innerText.includes('5 centimetres deep.')")
    assert chromium.run("document.activeElement.tagName") == "H2", "who hears the page is told of the note"
    assert chromium.run(FITS)
    ground = chromium.run("getComputedStyle(document.documentElement).backgroundColor")
    assert (sum(map(int, ground[4:-1].split(","))) > 382) == (theme == "light")
    chromium.run("document.getElementById('to-talk').click(); document.querySelector('.undo button').click()")
    chromium.until("document.querySelector('.undone')")
    chromium.until("document.getElementById('count').textContent.startsWith('No notes')")
    assert not [*me.notes.rglob("*.md")]
    chromium.run("document.querySelector('.undo button').click()")
    chromium.until("!document.querySelector('.undone')")
    assert [*me.notes.rglob("*.md")]
    assert chromium.run(FITS)
    untroubled(chromium, me)
    chromium.picture(tmp_path / f"note-{width}-{theme}.png")


def test_an_undo_that_is_refused_says_why_beside_its_button(me: Person, chromium: Browser):
    shown(chromium, me)
    said(chromium, GARLIC)
    (note,) = me.notes.rglob("*.md")
    note.write_text("my own words", encoding="utf-8")
    chromium.run("document.querySelector('.undo button').click()")
    chromium.until("document.querySelector('.undo + .problem').textContent.includes('Nothing was undone')")
    below = "document.querySelector('.undo + .problem').getBoundingClientRect().bottom"
    assert chromium.run(f"{below} <= document.getElementById('talk').getBoundingClientRect().bottom + 1"), "it is seen"
    assert note.read_text(encoding="utf-8") == "my own words"


def test_what_a_note_or_a_message_says_is_text_and_never_html(me: Person, chromium: Browser):
    evil = "<img src=x onerror=alert(1)> <script>document.title='taken'</script> is 3 years old"
    shown(chromium, me)
    said(chromium, evil)
    chromium.run("document.querySelector('.card a').click()")
    chromium.until("document.getElementById('note').innerText.includes('<script>')")
    assert chromium.run("document.querySelectorAll('img, main script').length") == 0
    assert chromium.run("document.title") == "Notes"
    untroubled(chromium, me)


def test_fifty_notes_are_found_while_one_types_and_their_links_are_drawn_and_listed(me: Person, chromium: Browser):
    for number in range(50):
        text = f"# Note {number}\n\nAbout planet{number}. See [the next]({(number + 1) % 50}.md).\n"
        (me.notes / f"{number}.md").write_text(text, encoding="utf-8")
    shown(chromium, me, 400, "dark")
    chromium.run("document.getElementById('to-notes').click()")
    assert chromium.run("document.activeElement.id") == "search"
    listed = chromium.run("[...document.querySelectorAll('#list a')].map((each) => each.textContent)")
    assert listed == [f"Note {number}" for number in range(50)], "2 before 10, as a person counts"
    for letter in "planet49":
        chromium.press(letter)
    chromium.until("document.querySelector('#list a').dataset.path === '49.md'")
    chromium.press("Tab", "Enter")
    chromium.until("document.querySelector('#note h2')?.textContent === 'Note 49'")
    chromium.run("document.querySelector('#note p a').click()")
    chromium.until("document.querySelector('#note h2').textContent === 'Note 0'")
    chromium.run("document.getElementById('to-links').click()")
    chromium.until("document.querySelectorAll('svg g').length === 50")
    assert chromium.run("document.querySelectorAll('svg path').length") == 50
    assert chromium.run("document.querySelectorAll('#links-list li').length") == 50
    assert chromium.run(FITS)
    chromium.run("document.querySelector('#links-list a').click()")
    chromium.until("!document.getElementById('links').open")
    untroubled(chromium, me)


def test_a_file_that_is_dropped_becomes_a_note_and_one_that_is_no_text_is_refused(me: Person, chromium: Browser):
    shown(chromium, me, 400)
    drop = """(() => {{ const files = new DataTransfer(); files.items.add(new File([{data}], "{name}"));
      dispatchEvent(new DragEvent("drop", {{ dataTransfer: files, cancelable: true }})); }})()"""
    chromium.run(drop.format(data=json.dumps("The heating is set to 1.5 bar."), name="letter.txt"))
    chromium.until("document.querySelector('.card')")
    assert "1.5 bar" in next(me.notes.rglob("*.md")).read_text(encoding="utf-8")
    untroubled(chromium, me)
    chromium.run(drop.format(data="new Uint8Array([137, 80, 0, 255])", name="photo.png"))
    chromium.until("document.getElementById('state').textContent.startsWith('photo.png is no text')")


def test_another_page_of_the_same_person_hears_of_a_message_and_another_person_does_not(
    opens: Open,  # noqa: F811
    chromium: Browser,
):
    ann, ben = opens("ann", "ben")
    shown(chromium, ann)
    ann.say(GARLIC)
    chromium.until("document.querySelector('.card')")
    shown(chromium, ben)
    assert chromium.run("document.getElementById('whose').textContent") == "Notes of ben"
    assert chromium.run("document.getElementById('talk').children.length") == 0
    assert chromium.run("document.getElementById('count').textContent").startswith("No notes yet")
