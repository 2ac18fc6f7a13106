from pathlib import Path
from typing import Iterator


def rows(folder: Path) -> Iterator[str]:
    for entry in sorted(folder.iterdir(), key=lambda path: path.name):
        try:
            yield f"- {entry.name}: file_size={entry.stat().st_size} bytes, is_dir={entry.is_dir()}"
        except OSError:
            yield f"- {entry.name}: a link that leads nowhere"


def list_files(root: str, directory: str) -> str:
    try:
        return "\n".join(rows(Path(root) / directory)) or f"{directory} is empty: there is nothing in it"
    except NotADirectoryError:
        return f"Error: {directory} is a file and not a folder"
    except FileNotFoundError:
        return f"Error: there is no {directory}"
    except PermissionError:
        return f"Error: no permission to read {directory}"
    except Exception:
        return f"Error: {directory} could not be listed"
