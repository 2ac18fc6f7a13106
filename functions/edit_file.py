"""Tool: replace one exact piece of text in a file."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from functions import Result, ToolError, lines_of, must_compile
from functions.refused import refused
from functions.tool import Arguments, Tool
from sandbox.files.root import Refusal, Root, hold

MOST_NAMED = 20  # places where the text occurs
SAME = "old_text and new_text are the same, so nothing would change"

SCHEMA = {
    "name": "edit_file",
    "description": "Replace old_text, which must occur exactly once in the file, by new_text.",
    "parameters": {
        "type": "object",
        "properties": {
            "file_path": {"type": "string", "description": "Relative path"},
            "old_text": {"type": "string", "description": "Exact text with its indentation"},
            "new_text": {"type": "string"},
        },
        "required": ["file_path", "old_text", "new_text"],
    },
}


class Edited(NamedTuple):
    """A text after an edit, the piece that was put in, the line where, and what was forgiven in the quotation."""

    text: str
    piece: str
    line: int
    forgiven: str


def edit_file(working_directory: str | Path | Root, file_path: str, old_text: str, new_text: str) -> str:
    """Replace the one occurrence of `old_text`; none or several are an error that says what is there instead. A Python
    file that compiled is left as it is where it would not compile any more."""
    if not old_text:
        return ToolError("old_text is empty; give the exact text to replace, or use write_file for a whole file")
    done: list[Edited] = []

    def made(text: str) -> str:
        done.append(edited(file_path, text, old_text, new_text))
        must_compile(file_path, text, done[-1].text, done[-1].line)
        return done[-1].text

    try:
        with hold(working_directory) as root:
            root.change_text(file_path, made)
    except Refusal as refusal:
        return refused(refusal, working_directory, file_path, "file")
    edit = done[-1]
    forgiven = f". Forgiven: {edit.forgiven}" if edit.forgiven else ""
    said = f'Successfully edited "{file_path}" at line {edit.line}{forgiven}'
    return Result(said, [(file_path, lines_of(edit.piece or "\n", edit.line))])


def edited(file_path: str, text: str, old_text: str, new_text: str) -> Edited:
    """The text after the edit: exactly where it was quoted to the letter, else with a tolerance that has a name, where
    just one place fits. Raises Refusal, which says what is there, for none and for several."""
    found = occurrences(text, old_text)
    if old_text == new_text:
        there = f". Line {line_at(text, found[0][0])} has it already" if found else ""
        raise Refusal(f"{SAME}{there}. Give in new_text what is to stand there instead", "no match")
    pieces = [(start, end, new_text, "") for start, end in found]
    if not pieces:
        from index.forgiving import fits, nearest  # only what was not quoted to the letter needs it

        pieces = [(fit.start, fit.end, fit.new, "; ".join(fit.forgiven)) for fit in fits(text, old_text, new_text)]
        if not pieces:
            raise Refusal(no_match(file_path, nearest(text, old_text)), "no match")
    if len(pieces) > 1:
        lines = ", ".join(str(line_at(text, start)) for start, *_ in pieces)
        many = f'old_text occurs more than once in "{file_path}" (lines {lines})'
        raise Refusal(f"{many}; add neighbouring lines until it is unique", "no match")
    start, end, piece, forgiven = pieces[0]
    piece = piece if "\r\n" in text else piece.replace("\r\n", "\n")  # a mixture of newlines gets what the model sent
    if text[start:end] == piece:
        raise Refusal(f"{SAME}: line {line_at(text, start)} has it already. Give in new_text what is to change", "same")
    return Edited(text[:start] + piece + text[end:], piece, line_at(text, start), forgiven)


def occurrences(text: str, part: str) -> list[tuple[int, int]]:
    """Return where `part` begins and ends in `text`, overlapping ones included: each would be a different edit. Where
    it is not there to the letter, any newline in it stands for any in the text: a model seldom writes "\\r\\n" back."""
    places, start = list[tuple[int, int]](), text.find(part)
    while start >= 0 and len(places) < MOST_NAMED:
        places.append((start, start + len(part)))
        start = text.find(part, start + 1)
    if not places and "\r\n" in text + part:
        from index.forgiving import any_newlines  # only newlines that differ need it

        return any_newlines(text, part, MOST_NAMED)
    return places


def line_at(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


def no_match(file_path: str, nearest: list[tuple[int, str]]) -> str:
    sentence, shown = f'old_text was not found in "{file_path}"', [f"line {n}: {line[:200]}" for n, line in nearest]
    if not shown:
        return f"{sentence}, which has no line with anything in it; use write_file"
    return "\n".join([f"{sentence}. The closest lines, to be copied exactly with their indentation:", *shown])


def change(root: Root, arguments: Arguments) -> tuple[str, str]:
    """The text of the file as it is, and as it would be. Raises Refusal where the edit would be refused."""
    text = root.read_text(arguments["file_path"])
    return text, edited(arguments["file_path"], text, arguments["old_text"], arguments["new_text"]).text


TOOL = Tool("edit_file", edit_file, SCHEMA, reads_only=False, path="file_path", changes_files=True, change=change)
