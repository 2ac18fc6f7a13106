"""The notekeeper's mind: it makes notes, finds them, and keeps them in order, by counting words and by what the search
tells it of meaning. It sees the notes only through the tools, as any model does."""

from __future__ import annotations

import posixpath
import re
import threading
from collections.abc import Callable

from offline.notekeeper.extract import alike, best, in_one, rows_for, words
from offline.notekeeper.found import (
    ADDRESS,
    LONGEST_QUERY,
    NEIGHBOURS,
    asked,
    both_sides,
    category_among,
    current,
    hits_in,
    mates_of,
    meant,
    note_for,
    notes_in,
)
from offline.notekeeper.order import UNDO, plan_tidy
from offline.notekeeper.topics import topic_of
from offline.notekeeper.wishes import MAKE_A_NOTE, Wish, name_in, read_wish
from offline.wire.conversation import Call, Conversation, Decision, Think

CLOSE = 0.8  # of the best score: as good an answer
ABOUT = "I am Glassbox's built-in notekeeper: a small program, not a language model."
CAN = (
    "I make a note of what you send me, answer from the notes, find them, summarise them by topic, tidy them up "
    "(broken links, notes that repeat each other, notes in a wrong folder), and move, merge, delete or commit them "
    "when asked in plain words, at once and on no condition, each named by its path or its title (move garden/slugs.md "
    "to pests)."
)
NOT_SAID = "The notes say nothing about that."


def decide(conversation: Conversation, think: Think, cancelled: threading.Event) -> Decision:
    """Return the next message: a call, or the answer when all that was needed has been seen."""
    wish = read_wish(conversation.prompt)
    decision = PLANS.get(wish.kind, plan_unknown)(wish, conversation)
    missing = {call.name for call in decision.calls} - conversation.tools
    if not missing:
        return decision
    if not conversation.tools:
        return Decision(f"{decision.text}\nI was not allowed another step, so I stopped before I was done.".strip())
    return Decision(f"For this I need {', '.join(sorted(missing))}, which is off. The person turns it on with --tools.")


def plan_note(wish: Wish, conversation: Conversation) -> Decision:
    """Look what there is, then save the note where its neighbours lie, linked with the nearest."""
    searched, saved = conversation.results_of("kb_vector_search"), conversation.results_of("save_note")
    if not searched:
        return call("kb_vector_search", query=ADDRESS.sub("", wish.content)[:LONGEST_QUERY], top_k=NEIGHBOURS)
    structure = conversation.results_of("get_kb_structure")
    if not structure and topic_of(wish.content).name and "get_kb_structure" in conversation.tools:
        return call("get_kb_structure")  # what the folder of its topic is called here
    note = note_for(wish.content, searched[-1].result, wish.topic, structure[-1].result if structure else "")
    if not saved:
        return call("save_note", **note)
    if saved[-1].failed:
        return Decision(f"{saved[-1].result}.")
    moved, mates = conversation.results_of("move_note"), mates_of(note, searched[-1].result)
    if mates and not moved and saved[-1].result.startswith("Created") and "move_note" in conversation.tools:
        to = posixpath.dirname(saved[-1].result.split('"')[1])
        moves = (Call("move_note", {"path": path, "to": f"{to}/{posixpath.basename(path)}"}) for path in mates)
        return Decision("", tuple(moves))
    return Decision(". ".join([saved[-1].result, *(step.result for step in moved), *undo_of(saved[-1].result)]))


def plan_address(wish: Wish, conversation: Conversation) -> Decision:
    """Read the page, then make a note of it."""
    read = conversation.results_of("fetch_url")
    if not read:
        return call("fetch_url", url=wish.topic)
    if read[-1].failed:
        return Decision(read[-1].result)
    text = read[-1].result.partition("\n")[2]
    return plan_note(Wish("note", topic=wish.topic, content=text), conversation)


def plan_ask(wish: Wish, conversation: Conversation) -> Decision:
    """Search, read the nearest notes, say what fits the question, and where it stands."""
    searched, read = conversation.results_of("kb_vector_search"), conversation.results_of("kb_read_file")
    question = conversation.prompt
    if not searched:
        return call("kb_vector_search", query=question, top_k=5)
    hits = asked(hits_in(searched[-1].result), question)
    if not hits:
        return Decision(NOT_SAID)
    if not read:  # all: what one note says against another stands in the later one
        return call("kb_read_file", paths=[hit.path for hit in hits])
    close = [hit.path for hit in hits if hit.score >= hits[0].score * CLOSE][:3]
    read_now = {path: current(text) for path, text in notes_in(read[-1]).items()}
    notes = {path: read_now[path][0] for path in close if read_now.get(path, ("", []))[0]}
    wanted = words(question)

    def fits(path: str) -> int:
        own = words(notes[path])
        return sum(any(word == each or alike(word, each) for each in own) for word in set(wanted))

    path = max(notes, key=fits, default="")
    if not path:
        return Decision(NOT_SAID)
    lines = [rows_for(line, question) for line in best(notes[path], 2, about=question if fits(path) else "")]
    sides, lines = both_sides(read[-1], read_now, lines)
    others = [f"See also {other}" for other in notes if other != path and fits(other) and other not in " ".join(sides)]
    return Decision("\n\n".join([*sides, *([in_one(lines).strip()] if lines else []), f"From {path}.", *others]))


def plan_find(wish: Wish, conversation: Conversation) -> Decision:
    searched = conversation.results_of("kb_vector_search")
    if not searched:
        return call("kb_vector_search", query=wish.topic, top_k=10)
    hits = [hit for hit in hits_in(searched[-1].result) if hit.near or hit.met]
    if not hits:
        return Decision(NOT_SAID)
    return Decision("\n".join([f"Notes about {wish.topic}:", *(f"- {hit.path}: {hit.title}" for hit in hits)]))


def plan_summary(wish: Wish, conversation: Conversation) -> Decision:
    """One note with a line or two of each note about a topic, linked with all of them."""
    searched, read = conversation.results_of("kb_vector_search"), conversation.results_of("kb_read_file")
    saved = conversation.results_of("save_note")
    if saved:
        told = [saved[-1].result, *(() if saved[-1].failed else undo_of(saved[-1].result))]
        return Decision(". ".join(told))
    if not searched:
        return call("kb_vector_search", query=wish.topic, top_k=10)
    hits = [hit for hit in hits_in(searched[-1].result) if hit.near or hit.met]
    if not hits:
        return Decision(NOT_SAID)
    if not read:
        return call("kb_read_file", paths=[hit.path for hit in hits])
    titles = {hit.path: hit.title for hit in hits}
    notes = {path: text for path, text in notes_in(read[-1]).items() if text and path in titles}
    parts = [f"**{titles[path]}**: {in_one(best(text, 2))}" for path, text in notes.items()]
    name = f"Summary: {wish.topic}"
    folder = hits[0].folder or category_among(hits)
    return call(
        "save_note", title=name, content="\n\n".join(parts), category=folder, tags=["summary"], related=[*notes]
    )


def plan_move(wish: Wish, conversation: Conversation) -> Decision:
    """Move it, or merge it into another; either is looked for first where it is named in words."""
    path = one_note(wish.topic, conversation, f"move {{}} to {wish.to}") if wish.topic else wish.path
    if isinstance(path, Decision):
        return path
    to: str | Decision = wish.to.rstrip("/")
    if name_in(wish.to):
        to = one_note(wish.to, conversation, f"merge {path} into {{}}")
    elif not re.search(r"\.\w+$", wish.to):
        to = f"{to}/{posixpath.basename(path)}"
    return to if isinstance(to, Decision) else once(conversation, "move_note", path=path, to=to)


def plan_delete(wish: Wish, conversation: Conversation) -> Decision:
    """Delete it; of those that are named in words only the one of just that title."""
    path = one_note(wish.topic, conversation, "delete {}", by_title=True) if wish.topic else wish.path
    return path if isinstance(path, Decision) else once(conversation, "delete_file", path=path)


def one_note(said: str, conversation: Conversation, order: str, *, by_title: bool = False) -> str | Decision:
    """The path of the one note that is named so ("insurance note"), or what is done to find it; where none or several
    are, or with `by_title` none of just that title, the orders that may be meant."""
    name = name_in(said)
    pattern = "*".join(["", *re.findall(r"\w+", name), ""])
    looks = (Call("kb_search_files", {"pattern": pattern}), Call("kb_vector_search", {"query": name, "top_k": 5}))
    found = [step.result for call in looks for step in conversation.steps if step.arguments == call.arguments]
    if len(found) < len(looks):
        return Decision("", looks)
    titled, others = meant(name, *found)
    sure = titled if titled or by_title else others
    if len(sure) == 1:
        return sure[0]
    orders = [f"- {order.format(path)}" for path in dict.fromkeys([*titled, *others])]
    ask = "Say the line that you want:" if orders else "Name it by its path."
    return Decision("\n".join([f'It is not sure which note "{name}" is, so nothing was changed. {ask}', *orders]))


def plan_write(wish: Wish, conversation: Conversation) -> Decision:
    """Write a file that is not there yet: what one says would be lost."""
    read = conversation.results_of("kb_read_file")
    if not read:
        return call("kb_read_file", paths=[wish.path])
    if not read[-1].failed:
        return Decision(f"{wish.path} is there already, so nothing was changed. Give another name, or delete it first.")
    return once(conversation, "write_file", file_path=wish.path, content=wish.content)


def plan_remember(wish: Wish, conversation: Conversation) -> Decision:
    """Remember it; where the memory is off, a note keeps it."""
    if conversation.tools and "store_memory" not in conversation.tools:
        return plan_note(wish, conversation)
    return once(conversation, "store_memory", content=wish.content)


def plan_unknown(wish: Wish, conversation: Conversation) -> Decision:
    keep = f'To have something kept whatever it says, write "{MAKE_A_NOTE}" before it.'
    return Decision(f"{ABOUT} That is nothing I can do, so nothing was changed. {CAN} {keep}")


def undo_of(saved: str) -> tuple[str, ...]:
    """How a save is taken back; nothing where it changed nothing, else an earlier run would be."""
    return () if "so nothing was changed" in saved else (UNDO,)


def once(conversation: Conversation, name: str, **arguments: object) -> Decision:
    """Call a tool, and answer with its result."""
    done = conversation.results_of(name)
    return Decision(done[-1].result) if done else call(name, **arguments)


def call(name: str, **arguments: object) -> Decision:
    return Decision("", (Call(name, arguments),))


PLANS: dict[str, Callable[[Wish, Conversation], Decision]] = {
    "note": plan_note,
    "address": plan_address,
    "ask": plan_ask,
    "find": plan_find,
    "summary": plan_summary,
    "tidy": plan_tidy,
    "links": plan_tidy,
    "repeated": plan_tidy,
    "check": plan_tidy,
    "move": plan_move,
    "write": plan_write,
    "delete": plan_delete,
    "read": lambda wish, talk: once(talk, "kb_read_file", paths=[wish.path]),
    "structure": lambda wish, talk: once(talk, "get_kb_structure"),
    "remember": plan_remember,
    "forget": lambda wish, talk: once(talk, "forget_memory", content=wish.content),
    "recall": lambda wish, talk: once(talk, "retrieve_memory"),
    "commit": lambda wish, talk: once(talk, "git_commit", message=wish.content or "Notes"),
    "push": lambda wish, talk: once(talk, "git_push"),
    "pull": lambda wish, talk: once(talk, "git_pull"),
    "status": lambda wish, talk: once(talk, "git_status"),
}
