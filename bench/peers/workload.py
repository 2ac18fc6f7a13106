"""The work that every script here is given: one prompt, and two tools."""

import sys
import time
from pathlib import Path

ADDRESS, FOLDER, PROMPT = sys.argv[1], Path(sys.argv[2]), sys.argv[3]


def get_file_content(file_path: str) -> str:
    """Read a file.

    Args:
        file_path: Which file
    """
    return (FOLDER / file_path).read_text()


def wait(number: int) -> str:
    """Wait 100 milliseconds.

    Args:
        number: Which call this is
    """
    time.sleep(0.1)
    return f"{number} waited"


FUNCTIONS = {"get_file_content": get_file_content, "wait": wait}
PARAMETERS = {
    "get_file_content": {"type": "object", "properties": {"file_path": {"type": "string"}}, "required": ["file_path"]},
    "wait": {"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]},
}
