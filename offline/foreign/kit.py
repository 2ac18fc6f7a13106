"""Which tools a client gives, recognised by what they take: a shell, or tools that list, read, edit, write and test."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

PATHS = ("file_path", "path", "filepath", "filename", "file_name", "file", "absolute_path", "target_file")
FOLDERS = ("directory", "path", "dir", "folder", "dir_path", "directory_path", "target_directory", "absolute_path")
OLD = ("old_string", "old_str", "old_text", "old", "search", "find", "original")
NEW = ("new_string", "new_str", "new_text", "new", "replace", "replacement")
CONTENT = ("content", "contents", "text", "file_text", "new_content", "file_content", "data")
COMMAND = ("command", "cmd", "commands", "shell_command", "command_line")
SHELLS = frozenset(("bash", "shell", "sh", "terminal", "command", "commands", "execute", "exec", "run", "cmd"))
LISTS = frozenset(("list", "ls", "dir", "tree", "glob"))
READS = frozenset(("read", "view", "open", "cat", "get", "show", "load"))
WRITES = frozenset(("write", "create", "save", "overwrite", "put"))
ANSWERS = frozenset(("final_answer", "attempt_completion", "finish", "submit", "task_complete", "complete_task"))
KNOWN = (
    "a shell (a tool that takes a command), or tools that list, read, and edit or write files by their path, "
    "or, without tools, whole files in the message"
)


@dataclass(frozen=True)
class Hand:
    """One tool of a client, as it is used: what its parameters are called, those that must be there beside them, and
    whether it wants absolute paths, or a command as a list of words."""

    name: str
    slots: Mapping[str, str]
    fixed: Mapping[str, Any]
    absolute: bool = False
    listed: bool = False

    def arguments(self, **values: Any) -> dict[str, Any]:
        return {**self.fixed, **{self.slots[slot]: value for slot, value in values.items() if slot in self.slots}}


@dataclass(frozen=True)
class Kit:
    """The tools by what they do ("shell", "list", "read", "edit", "write", "test", "answer"), the names of all that
    were given, and the folder that the client works in ("" where it is not told)."""

    hands: Mapping[str, Hand]
    given: tuple[str, ...]
    root: str = ""

    def __getitem__(self, role: str) -> Hand | None:
        return self.hands.get(role)

    @property
    def changes(self) -> bool:
        return bool(self.hands.keys() & {"shell", "edit", "write"})

    @property
    def works(self) -> bool:
        """Whether a repair can be worked with it."""
        return "shell" in self.hands or self.changes and "read" in self.hands

    def role_of(self, name: str) -> str:
        return next((role for role, hand in self.hands.items() if hand.name == name), "")

    def cannot(self) -> str:
        given = ", ".join(self.given) or "none"
        return f"I can't do this with the tools that I was given ({given}), because those that I know are {KNOWN}."


def kit_of(schemas: Mapping[str, Mapping[str, Any]], told: str) -> Kit:
    """Recognise the tools; of two that do the same, the first. `told` is all that the client says: its folder stands
    there. A server's tools (`server__tool`) are nobody's hands."""
    hands: dict[str, Hand] = {}
    for name, schema in schemas.items():
        role, hand = hand_of(name, schema)
        if role and "__" not in name:
            hands.setdefault(role, hand)
    return Kit(hands, tuple(schemas), root_in(told))


def hand_of(name: str, schema: Mapping[str, Any]) -> tuple[str, Hand]:
    """What a tool does, "" for none of those that are known."""
    parameters = schema.get("parameters") or {}
    properties = parameters.get("properties") or {}
    required = list(parameters.get("required") or ())
    words = set(re.findall(r"[a-z]+", re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower()))
    texts = [each for each, part in properties.items() if is_a("string", part)]

    def hand(**kinds: tuple[str, ...]) -> Hand | None:
        """The tool with these slots, where it has them all, and what else it requires can be filled in."""
        slots = {slot: next((each for each in names if each in properties), "") for slot, names in kinds.items()}
        others = {each: filler(properties.get(each, {})) for each in required if each not in slots.values()}
        if not all(slots.values()) or None in others.values():
            return None
        told = "".join(str(properties[each].get("description", "")) for each in slots.values())
        is_list = any(is_a("array", properties[each]) and each not in texts for each in slots.values())
        return Hand(name, slots, others, absolute="absolute" in told.lower(), listed=is_list)

    if name in ANSWERS and (said := [each for each in required if each in texts] or texts):
        return "answer", Hand(name, {"text": said[0]}, {})
    if words & SHELLS and not properties.get("command", {}).get("enum") and (found := hand(command=COMMAND)):
        return "shell", found
    if found := hand(path=PATHS, old=OLD, new=NEW):
        return "edit", found
    if found := hand(path=PATHS, content=CONTENT):
        return ("write", found) if words & WRITES else ("", found)
    if words & LISTS and (found := hand(path=FOLDERS) or (hand() if not required else None)):
        return "list", found
    if "glob" in words and (found := hand(pattern=("pattern",))):
        return "list", Hand(**{**vars(found), "slots": {}, "fixed": {**found.fixed, "pattern": "**/*"}})
    if words & READS and not words & LISTS and (found := hand(path=PATHS)):
        return "read", found
    if words & {"test", "tests"} and not required:
        return "test", Hand(name, {}, {})
    return "", Hand(name, {}, {})


def is_a(kind: str, schema: Any) -> bool:
    """Whether a value of this type may stand there; one wire writes types in capitals, some write them in a union."""
    return f"'{kind}'" in str({key: schema.get(key) for key in ("type", "anyOf")}).lower()


def filler(schema: Mapping[str, Any]) -> Any:
    """A value for a parameter that is required and of no interest; None where there is none to be had."""
    if "default" in schema or schema.get("enum"):
        return schema.get("default", (schema.get("enum") or [None])[0])
    values = {"boolean": False, "integer": 60, "number": 60, "array": [], "string": "repair"}
    return next((value for kind, value in values.items() if is_a(kind, schema)), None)


def root_in(told: str) -> str:
    """The folder that a client says it works in; what stands there as an example is none."""
    named = (
        r"(?:working (?:in the )?director(?:y|ies)|cwd|workspace(?: root)?|project root)[^/\n]{0,40}(/[^\s`'\"<>,]+)"
    )
    found = (each.rstrip("/.") for each in re.findall(named, told, re.IGNORECASE))
    return next((each for each in found if not each.startswith(("/path", "/home/user"))), "")
