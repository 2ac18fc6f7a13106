"""The coder's calls through a client's tools, and what those gave as the coder's own results."""

from __future__ import annotations

import ast
import os.path
import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from offline.coder.reading import ENTRY, files_shown
from offline.foreign.kit import Hand, Kit
from offline.foreign.shell import command_for, listings, plain, report, steps_of
from offline.wire.conversation import Call, Step

FAILED = re.compile(
    r"\W{0,3}(?:\w+ )?(?:error|failed|traceback|exception|no such|not found|params must|invalid|denied|rejected|user )",
    re.IGNORECASE,
)
LONG_LISTING = re.compile(r"^([-dl])[rwxsStT-]{9}\S*\s+\d+\s+\S+\s+\S+\s+(\d+)\s+.{10,13}\s(.+)$")
FOLDER, FILE = re.compile(r"^\[?(?:DIR|DIRECTORY)\]?:?\s+", re.I), re.compile(r"^\[?FILE\]?:?\s+", re.I)
NAME = re.compile(r"[\w.@+-]+(?:/[\w.@+-]+)*/?")
EMPTY = re.compile(r"\W*(?:\(|<|\[)[^\n]*\b(?:empty|no (?:output|content)|attached image)\b[^\n]*(?:\)|>|\])\W*", re.I)
NUMBERED = re.compile(r"^ *(\d+)(?:→|\t|\| ?|: ?)(.*)$")

LOOKS = {"get_dir_info": ("list", "directory"), "get_file_content": ("read", "file_path")}


class Unreadable(ValueError):
    """A result that cannot be read; the text is the sentence to say."""


def calls_for(kit: Kit, calls: Sequence[Call], files: Mapping[str, str]) -> tuple[Call, ...]:
    """The client's calls for the coder's; none where a tool for them is missing."""
    if calls[0].name == "edit_file":
        return changing(kit, calls, files)
    made: list[Call] = []
    for call in calls:
        if (found := call_for(kit, call, files)) and found not in made:  # a shell lists all folders at once
            made.append(found)
    return tuple(made)


def call_for(kit: Kit, call: Call, files: Mapping[str, str]) -> Call | None:
    role, key = LOOKS.get(call.name, ("", ""))
    if (hand := kit[role]) and not (hand.absolute and not kit.root and kit["shell"]):
        return Call(hand.name, hand.arguments(path=placed(kit, hand, str(call.arguments[key]))))
    if hand := kit["shell"]:
        return shell_call(hand, command_for([call], files))
    hand = kit["test"] if call.name == "run_tests" else None
    return Call(hand.name, hand.arguments()) if hand else None


def changing(kit: Kit, edits: Sequence[Call], files: Mapping[str, str]) -> tuple[Call, ...]:
    """The calls that make edits: each as an edit, or each file written whole, with the newline at its end that some
    clients take off, or all in one command."""
    if hand := kit["edit"]:
        return tuple(Call(hand.name, edit_arguments(kit, hand, each.arguments)) for each in edits)
    if hand := kit["write"]:
        after = edited(files, [Step("", each.name, each.arguments, "") for each in edits])
        paths = dict.fromkeys(str(each.arguments["file_path"]) for each in edits)
        return tuple(
            Call(hand.name, hand.arguments(path=placed(kit, hand, path), content=f"{after[path].rstrip()}\n"))
            for path in paths
        )
    return (shell_call(hand, command_for(edits, files)),) if (hand := kit["shell"]) else ()


def edit_arguments(kit: Kit, hand: Hand, edit: Mapping[str, Any]) -> dict[str, Any]:
    path, old, new = (str(edit[name]) for name in ("file_path", "old_text", "new_text"))
    return hand.arguments(path=placed(kit, hand, path), old=old, new=new)


def shell_call(hand: Hand, command: str) -> Call:
    return Call(hand.name, hand.arguments(command=["bash", "-c", command] if hand.listed else command))


def placed(kit: Kit, hand: Hand, path: str) -> str:
    return os.path.normpath(f"{kit.root}/{path}") if hand.absolute and kit.root else path


def own_steps(kit: Kit, steps: Sequence[Step]) -> list[Step]:
    """The steps that a client's calls were, in the coder's words. Raises Unreadable."""
    made: list[Step] = []
    for step in steps:
        role = kit.role_of(step.name)
        if role == "shell":
            command = step.arguments.get(kit.hands["shell"].slots["command"], "")
            made += steps_of(step.said, command[-1] if isinstance(command, list) else str(command), step.result)
        elif role == "test":
            made.append(Step(step.said, "run_tests", {"path": "."}, report(plain(step.result))))
        elif role:
            made += steps_by(role, kit, step, made)
    return made


def steps_by(role: str, kit: Kit, step: Step, before: Sequence[Step]) -> list[Step]:
    """What a tool did that lists, reads, edits or writes."""
    hand = kit.hands[role]
    given = {slot: str(step.arguments.get(name, "")) for slot, name in hand.slots.items()}
    path = relative(given.get("path") or ".", kit.root)
    wrong = len(step.result.splitlines()) < 4 and FAILED.match(step.result) is not None
    error = f"Error: {step.result.strip()[:500]}"
    if role == "list":
        if wrong and not any(each.name == "get_dir_info" for each in before):
            raise Unreadable(f"I can't list the files with {step.name}, so I changed nothing: {step.result[:200]}")
        return [Step("", "get_dir_info", {"directory": path}, error)] if wrong else listing_of(step, path, kit.root)
    if role == "read":
        text = error if wrong else text_of(step.result, path)
        return [Step(step.said, "get_file_content", {"file_path": path}, text)]
    if role not in ("edit", "write"):
        return []
    was = edited(files_of(before), before).get(path, "")
    piece = (given["old"], given["new"]) if role == "edit" else changed_piece(was, given["content"])
    arguments = dict(zip(("file_path", "old_text", "new_text"), (path, *piece), strict=True))
    return [Step(step.said, "edit_file", arguments, error if wrong else "edited")]


def changed_piece(old: str, new: str) -> tuple[str, str]:
    """The lines in which two texts differ, or both whole where those lines would stand for others too."""
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    while before and after and before[0] == after[0]:
        before, after = before[1:], after[1:]
    while before and after and before[-1] == after[-1]:
        before, after = before[:-1], after[:-1]
    piece = "".join(before)
    return (piece, "".join(after)) if piece and old.count(piece) == 1 else (old, new)


def files_of(steps: Sequence[Step]) -> dict[str, str]:
    return files_shown([step for step in steps if step.name == "get_file_content"])


def edited(files: Mapping[str, str], steps: Sequence[Step]) -> dict[str, str]:
    """The files after the edits among steps."""
    after = dict(files)
    for step in steps:
        if step.name == "edit_file" and not step.failed:
            path, old, new = (str(step.arguments[name]) for name in ("file_path", "old_text", "new_text"))
            after[path] = after.get(path, "").replace(old, new, 1)
    return after


def relative(path: str, root: str) -> str:
    """A path as the coder says it, from the folder that the client works in."""
    if root and f"{path}/".startswith(f"{root}/"):
        path = path[len(root) :].lstrip("/")
    return str(PurePosixPath(path or "."))


def listing_of(step: Step, folder: str, root: str) -> list[Step]:
    """The listings in a result, however it is laid out. Raises Unreadable."""
    names = names_in(plain(step.result))
    if not names and step.result.strip() and not re.search(r"\b(?:empty|no files|0 items)\b|^\[\]$", step.result, re.I):
        shown = " ".join(step.result.split())[:200]
        raise Unreadable(f"I can't read the listing that {step.name} gave, so I changed nothing: {shown}")
    sizes = {}
    for name, size in names.items():
        path = relative(name, root)
        inside = path if folder == "." or path.startswith(f"{folder}/") else f"{folder}/{path}"
        sizes[inside] = size
    made = [each for each in listings(sizes) if folder == "." or each.arguments["directory"] != "."]
    return made or [Step("", "get_dir_info", {"directory": folder}, "nothing is there")]


def names_in(text: str) -> dict[str, int | None]:
    """The names in a listing with their sizes in bytes (0: not told; None: a folder, or what looks like one)."""
    try:
        told = ast.literal_eval(text.strip())
        lines = [str(each) for each in told] if isinstance(told, list | tuple) else text.splitlines()
    except (ValueError, SyntaxError):
        lines = text.splitlines()
    found: dict[str, int | None] = {}
    for line in lines:
        if own := ENTRY.fullmatch(line):
            found[own["name"]] = None if own["is_dir"] == "True" else int(own["size"])
        elif long := LONG_LISTING.match(line):
            found[long[3]] = None if long[1] == "d" else int(long[2])
        else:
            entry = line.strip(" \t-*•├─│└|'\",")
            folder, name = FOLDER.match(entry), FILE.sub("", FOLDER.sub("", entry))
            name = re.sub(r"\s+\(.*\)$", "", name)
            if NAME.fullmatch(name) and name.strip("./"):
                last = name.rstrip("/").rpartition("/")[2]
                is_folder = folder or name.endswith("/") or not FILE.match(entry) and looks_like_a_folder(last)
                found[name.rstrip("/")] = None if is_folder else 0
    return {name: size for name, size in found.items() if name not in (".", "..")}


def looks_like_a_folder(name: str) -> bool:
    return "." not in name.lstrip(".") and name[0].islower()


def text_of(result: str, path: str) -> str:
    """A file's text without the numbers of lines that some tools put before them, or the words for an empty one."""
    text = result if path.endswith(".json") else plain(result)
    if EMPTY.fullmatch(text):
        return ""
    matches = [NUMBERED.match(line) for line in text.splitlines()]
    if not matches or not all(matches):
        return text
    numbers = [int(match[1]) for match in matches if match]
    counted = numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    return "".join(f"{match[2]}\n" for match in matches if match) if counted else text
