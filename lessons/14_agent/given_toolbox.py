"""Given in lesson 14: the tools of your agent, made of your own parts. Their names are those of the real agent."""

import functools
import inspect
import os
import re
import shutil

from confine import inside  # lesson 3
from explain import explain  # lesson 8
from listing import list_files  # lesson 2
from menu import schema  # lesson 4
from runner import run_python  # lesson 10


def get_dir_info(root: str, directory: str = ".") -> str:
    """List the files in a directory, with sizes."""
    return list_files(root, directory) if inside(root, directory) else outside(directory)


def get_file_content(root: str, file_path: str, start_line: int = 1) -> str:
    """Read a text file, from a line on."""
    if not inside(root, file_path):
        return outside(file_path)
    with open(os.path.join(root, file_path), encoding="utf-8") as file:
        return "".join(file.readlines()[start_line - 1 :])


def edit_file(root: str, file_path: str, old_text: str, new_text: str) -> str:
    """Replace old_text, which must occur exactly once in the file, by new_text."""
    if not inside(root, file_path):
        return outside(file_path)
    path = os.path.join(root, file_path)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if text.count(old_text) != 1:
        return f'Error: old_text occurs {text.count(old_text)} times in "{file_path}", and must occur once'
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace(old_text, new_text))
    # Python takes a file for unchanged whose second and size are: without this, tests could run what it compiled before.
    shutil.rmtree(os.path.join(os.path.dirname(path), "__pycache__"), ignore_errors=True)
    return f'Successfully edited "{file_path}"'


def run_tests(root: str, path: str = ".") -> str:
    """Run the tests and return what failed."""
    output = run_python(os.path.join(root, "tests.py"), 20)
    ran = re.search(r"^Ran (\d+) tests?", output, re.M)
    if ran and re.search(r"^OK", output, re.M):
        return f"All {ran[1]} tests passed"
    bad = sum(map(int, re.findall(r"(?:failures|errors)=(\d+)", output)))
    return f"{bad or 'Some'} of {ran[1] if ran else 'the'} tests failed\n{output}"


def outside(path):
    return f'Error: "{path}" is outside the permitted working directory'


def explained(tool):
    """The same tool; a call that does not fit its signature is answered by your explain()."""

    @functools.wraps(tool)
    def call(root, **arguments):
        try:
            inspect.signature(tool).bind(root, **arguments)
        except TypeError as error:
            return explain(error, schema(tool), arguments)
        return tool(root, **arguments)

    return call


TOOLS = {tool.__name__: explained(tool) for tool in (get_dir_info, get_file_content, edit_file, run_tests)}
