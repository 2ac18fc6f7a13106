"""What the small programs give their agents: a few functions on the current directory, as people write them."""

import subprocess
import sys
from pathlib import Path

ADDRESS, PROMPT = sys.argv[1:3] if len(sys.argv) > 2 else ("", "")


def list_files(directory: str = ".") -> str:
    """List the files and folders in a directory.

    Args:
        directory: The directory to list.
    """
    return "\n".join(f"{each.name}{'/' if each.is_dir() else ''}" for each in sorted(Path(directory).iterdir()))


def read_file(path: str) -> str:
    """Return the content of a text file.

    Args:
        path: The file to read.
    """
    return Path(path).read_text()


def write_file(path: str, content: str) -> str:
    """Write a whole file.

    Args:
        path: The file to write.
        content: Its new content.
    """
    Path(path).write_text(content)
    return f"wrote {path}"


def replace_in_file(path: str, old: str, new: str) -> str:
    """Replace a piece of text, which must occur once, in a file.

    Args:
        path: The file to change.
        old: The text that stands there.
        new: The text to put in its place.
    """
    text = Path(path).read_text()
    if text.count(old) != 1:
        return f"error: the old text occurs {text.count(old)} times in {path}"
    Path(path).write_text(text.replace(old, new))
    return f"replaced in {path}"


def run_tests() -> str:
    """Run the unit tests and return what they print."""
    return run_command(f"{sys.executable} -m unittest tests")


def run_command(command: str) -> str:
    """Run a shell command and return its output.

    Args:
        command: The command line.
    """
    done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=60)
    return f"exit code {done.returncode}\n{done.stdout}{done.stderr}"
