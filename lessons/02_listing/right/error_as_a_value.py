import os
from typing import NamedTuple, Optional


class Outcome(NamedTuple):
    value: Optional[list] = None
    error: Optional[str] = None


def read(folder) -> Outcome:
    try:
        with os.scandir(folder) as it:
            found = [(e.name, e.stat().st_size, e.is_dir()) for e in it]
    except Exception as e:
        return Outcome(error=type(e).__name__)
    return Outcome(value=found)


def list_files(root, directory):
    match read(os.path.join(root, directory)):
        case Outcome(error=str(error)):
            return f"Error: {error} when I looked into '{directory}'"
        case Outcome(value=[]):
            return "empty directory"
        case Outcome(value=found):
            found.sort()
            template = "- {}: file_size={} bytes, is_dir={}"
            return "\n".join(template.format(*row) for row in found) + "\n"
