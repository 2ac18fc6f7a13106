"""Tool: write one whole function or class, so that nothing needs quoting."""

from __future__ import annotations

from pathlib import Path

from functions import Result, ToolError, must_compile
from functions.refused import refused
from functions.tool import Arguments, Tool
from sandbox.files.root import Refusal, Root, hold

SCHEMA = {
    "name": "write_function",
    "description": "Write a whole Python function, method or class: it replaces the one with its name, or is added.",
    "parameters": {
        "type": "object",
        "properties": {
            "file_path": {"type": "string", "description": "Relative path"},
            "code": {"type": "string", "description": "The whole function, from def to its end"},
        },
        "required": ["file_path", "code"],
    },
}


def write_function(working_directory: str | Path | Root, file_path: str, code: str) -> str:
    """Put the functions and classes of `code` into a Python file; a file that is not there is made. What compiled is
    not broken, and what is replaced is the one definition with the same name."""
    said: list[str] = []

    def made(text: str) -> str:
        new, said[:] = placed(text, code)
        must_compile(file_path, text, new)
        return new

    if not file_path.endswith(".py"):
        return ToolError(f'write_function writes Python files, and "{file_path}" is none; use edit_file')
    try:
        with hold(working_directory) as root:
            if root.exists(file_path):
                root.change_text(file_path, made)
            else:
                root.write_text(file_path, made(""))
    except Refusal as refusal:
        return refused(refusal, working_directory, file_path, "file")
    return Result(f'Successfully wrote to "{file_path}": {"; ".join(said)}')


def placed(text: str, code: str) -> tuple[str, list[str]]:
    """The text with the code in it, and what was done. Raises Refusal, with what to do instead."""
    from index.definitions import NotPlaced, plain_code, same_code, with_code

    try:
        new, said = with_code(text, plain_code(code))
    except NotPlaced as why:
        raise Refusal(f"Nothing was written: {why}", "no match") from None
    if same_code(text, new):
        raise Refusal("Nothing was written: the file says just this already. Write how it is to be instead", "same")
    return new if new.endswith("\n") else f"{new}\n", said


def change(root: Root, arguments: Arguments) -> tuple[str, str]:
    """The text of the file as it is, and as it would be. Raises Refusal where it would be refused."""
    path = arguments["file_path"]
    text = root.read_text(path) if root.is_file(path) else ""
    return text, placed(text, arguments["code"])[0]


TOOL = Tool(
    "write_function", write_function, SCHEMA, reads_only=False, path="file_path", changes_files=True, change=change
)
