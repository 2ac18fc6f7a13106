"""The notekeeper's mind: it makes notes, finds them, and keeps them in order, by counting words and by what the search
tells it of meaning. It sees the notes only through the tools, as any model does."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from offline.notekeeper.extract import alike, best, note_of, sentences, tags, title, words
from offline.notekeeper.wishes import Wish, read_wish
from offline.wire.conversation import Call, Conversation, Decision, Step

TOOLS = frozenset(
    [
        "comment_on_issue",
        "create_folder",
        "create_github_issue",
        "create_github_pr",
        "delete_file",
        "delete_folder",
        "edit_file",
        "fetch_url",
        "get_kb_structure",
        "git_branch",
        "git_commit",
        "git_diff",
        "git_pull",
        "git_push",
        "git_status",
        "kb_check",
        "kb_read_file",
        "kb_search_content",
        "kb_search_files",
        "kb_vector_search",
        "list_categories",
        "list_github_issues",
        "move_note",
        "plan",
        "retrieve_memory",
        "save_note",
        "store_memory",
        "web_search",
        "write_file",
    ]
)
LONGEST_QUERY = 1_500  # characters of a text that similar notes are looked for with
NEIGHBOURS = 8
NEAR = 0.25  # likeness in meaning from which a note is near at all
LINKED = 3  # related notes at most
LINK_NEAR = 0.30
AGREED = 0.6  # of all that was found, by weight
CLOSE = 0.8  # of the best score: as good an answer
ABOUT = "I am Glassbox's built-in notekeeper: a small program, not a language model."
CAN = (
    "I make a note of what you send me, answer from the notes, find them, summarise them by topic, tidy them up "
    "(broken links, notes that repeat each other, notes in a wrong folder), and move, delete or commit them when asked "
    "in plain words."
)
ADDRESS = re.compile(r"https?://[^\s)>\]]+")
UNDO = "To take it back: python main.py --undo"
NOT_SAID = "The notes say nothing about that."


@dataclass(frozen=True)
class Hit:
    """A line of kb_vector_search: place, title, score, likeness in meaning (None without embeddings), words met."""

    place: str
    title: str
    score: float
    likeness: float | None
    met: tuple[str, ...]

    @property
    def path(self) -> str:
        return self.place.split("#")[0]

    @property
    def folder(self) -> str:
        return posixpath.dirname(self.path)

    @property
    def near(self) -> bool:
        return len(self.met) >= 2 or (self.likeness or 0.0) >= NEAR


def decide(conversation: Conversation, *_: object) -> Decision:
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
    if saved:
        return Decision(f"{saved[-1].result}." if saved[-1].failed else f"{saved[-1].result}. {UNDO}")
    if not searched:
        return call("kb_vector_search", query=ADDRESS.sub("", wish.content)[:LONGEST_QUERY], top_k=NEIGHBOURS)
    return call("save_note", **note_for(wish.content, searched[-1].result, wish.topic))


def note_for(text: str, found: str, source: str = "") -> dict[str, Any]:
    """The arguments of save_note for a text, of which kb_vector_search `found` the neighbours."""
    hits = hits_in(found)
    category = category_among(hits)
    related = [hit.path for hit in hits if hit.folder == category and (hit.likeness or 1.0) >= LINK_NEAR and hit.near]
    return {
        "title": title(text),
        "content": note_of(text),
        "category": category,
        "tags": tags(text),
        "source": source or next(iter(ADDRESS.findall(text)), ""),
        "related": related[:LINKED],
    }


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
    hits = [hit for hit in hits_in(searched[-1].result) if hit.near or hit.met]
    if not hits:
        return Decision(NOT_SAID)
    if not read:
        return call("kb_read_file", paths=[hit.path for hit in hits if hit.score >= hits[0].score * CLOSE][:3])
    notes = {path: text for path, text in notes_in(read[-1]).items() if text}
    wanted = words(question)

    def fits(path: str) -> int:
        own = words(notes[path])
        return sum(any(word == each or alike(word, each) for each in own) for word in set(wanted))

    path = max(notes, key=fits, default="")
    if not path:
        return Decision(NOT_SAID)
    lines = best(notes[path], 2, about=question) if fits(path) else best(notes[path], 2)
    others = [f"See also {other}" for other in notes if other != path and fits(other)]
    return Decision("\n\n".join([" ".join(lines), f"From {path}.", *others]))


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
        return Decision(saved[-1].result if saved[-1].failed else f"{saved[-1].result}. {UNDO}")
    if not searched:
        return call("kb_vector_search", query=wish.topic, top_k=10)
    hits = [hit for hit in hits_in(searched[-1].result) if hit.near or hit.met]
    if not hits:
        return Decision(NOT_SAID)
    if not read:
        return call("kb_read_file", paths=[hit.path for hit in hits])
    titles = {hit.path: hit.title for hit in hits}
    notes = {path: text for path, text in notes_in(read[-1]).items() if text and path in titles}
    parts = [f"**{titles[path]}**: {' '.join(best(text, 2))}" for path, text in notes.items()]
    name = f"Summary: {wish.topic}"
    folder = category_among(hits)
    return call(
        "save_note", title=name, content="\n\n".join(parts), category=folder, tags=["summary"], related=[*notes]
    )


def plan_tidy(wish: Wish, conversation: Conversation) -> Decision:
    """Ask what is out of order, change what is sure, and say what was left."""
    checked = conversation.results_of("kb_check")
    if not checked:
        return call("kb_check")
    if checked[-1].failed or " | " not in checked[-1].result:
        return Decision(checked[-1].result)
    findings = [line.split(" | ") for line in checked[-1].result.splitlines()]
    kinds = {"links": ("broken link",), "repeated": ("repeated",), "check": ()}
    wanted = kinds.get(wish.kind, ("broken link", "repeated", "misplaced"))
    calls = [change for finding in findings if finding[0] in wanted if (change := change_for(finding))]
    done = [step for step in conversation.steps if step.name in ("edit_file", "move_note")]
    if calls and not done:
        return Decision("", tuple(calls))
    left = [finding for finding in findings if finding[0] not in wanted or not change_for(finding)]
    lines = [f"- {step.result}" for step in done]
    if left:
        lines += ["Left as it is:", *(f"- {', '.join(filter(None, finding))}" for finding in left)]
    return Decision("\n".join([*lines, *([UNDO] if done else [])]))


def change_for(finding: list[str]) -> Call | None:
    """The call that puts one finding in order; None where it is not sure what was meant."""
    if finding[0] == "broken link" and finding[3]:
        _, path, raw, to = finding
        there = quote(posixpath.relpath(to, posixpath.dirname(path) or "."))
        new = re.sub(r"\]\(.*\)$", lambda _: f"]({there})", raw) if "](" in raw else f"[{raw.strip('[]')}]({there})"
        return Call("edit_file", {"file_path": path, "old_text": raw, "new_text": new})
    if finding[0] == "repeated":
        return Call("move_note", {"path": finding[2], "to": finding[1]})
    if finding[0] == "misplaced":
        return Call("move_note", {"path": finding[1], "to": f"{finding[2]}/{posixpath.basename(finding[1])}"})
    return None


def plan_move(wish: Wish, conversation: Conversation) -> Decision:
    to = wish.to.rstrip("/")
    to = to if re.search(r"\.\w+$", to) else f"{to}/{posixpath.basename(wish.path)}"
    return once(conversation, "move_note", path=wish.path, to=to)


def plan_unknown(wish: Wish, conversation: Conversation) -> Decision:
    return Decision(f"{ABOUT} I can't do that. {CAN}")


def once(conversation: Conversation, name: str, **arguments: object) -> Decision:
    """Call a tool, and answer with its result."""
    done = conversation.results_of(name)
    return Decision(done[-1].result) if done else call(name, **arguments)


def hits_in(result: str) -> list[Hit]:
    """What a search found."""
    found = []
    for line in result.splitlines():
        parts = line.split(" | ")
        if len(parts) >= 5:
            likeness = re.search(r"meaning (-?[\d.]+)", parts[3])
            met = re.search(r"words: ([^;]*)", parts[3])
            several = tuple(word.strip() for word in met[1].split(",")) if met else ()
            found.append(Hit(parts[0], parts[1], float(parts[2]), float(likeness[1]) if likeness else None, several))
    return found


def category_among(hits: list[Hit]) -> str:
    """The folder where the near notes lie, the nearest counting most; where none is near, the one that nearly all that
    was found agrees on; else "general"."""
    near, votes = Counter[str](), Counter[str]()
    for rank, hit in enumerate(hits, 1):
        weight = (hit.likeness or NEAR) / rank**0.5
        votes[hit.folder] += weight
        near[hit.folder] += weight if hit.near else 0.0
    for counted, share in ((near, 0.0), (votes, AGREED)):
        for folder, weight in counted.most_common(1):
            if folder and weight > share * votes.total() and len(hits) >= LINKED:
                return folder
    return "general"


def notes_in(step: Step) -> dict[str, str]:
    """The notes that one kb_read_file shows, without their front matter and their lists of links."""
    parts = re.split(r"^=== (.+)$", step.result, flags=re.MULTILINE)[1:]
    notes = {}
    for path, text in zip(parts[::2], parts[1::2], strict=True):
        text = re.sub(r"\A\s*---\n.*?\n---\n", "", text, flags=re.DOTALL)
        text = re.sub(r"^(?:#+ .*|See (?:also )?\[.*)$", "", text.partition("\n## Related")[0], flags=re.MULTILINE)
        notes[path] = "" if text.strip().startswith("Error: ") else "\n".join(sentences(text))
    return notes


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
    "write": lambda wish, talk: once(talk, "write_file", file_path=wish.path, content=wish.content),
    "delete": lambda wish, talk: once(talk, "delete_file", path=wish.path),
    "read": lambda wish, talk: once(talk, "kb_read_file", paths=[wish.path]),
    "structure": lambda wish, talk: once(talk, "get_kb_structure"),
    "remember": lambda wish, talk: once(talk, "store_memory", content=wish.content),
    "recall": lambda wish, talk: once(talk, "retrieve_memory"),
    "commit": lambda wish, talk: once(talk, "git_commit", message=wish.content or "Notes"),
    "push": lambda wish, talk: once(talk, "git_push"),
    "pull": lambda wish, talk: once(talk, "git_pull"),
    "status": lambda wish, talk: once(talk, "git_status"),
}
