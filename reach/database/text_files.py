"""Text files as a database: CSV in any dialect and JSON lines, loaded into a temporary SQLite file.

Every row keeps its 0-based number in the file as `_row`. What is unusual about a file (its encoding, rows of another
width, lines that are no JSON) is told to the person, and kept in the table where it can be queried.
"""

from __future__ import annotations

import csv
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from config import ConfigError
from reach.database.csv_file import load_csv
from reach.database.database import Tell, quoted
from reach.database.json_lines import load_json_lines
from reach.database.sqlite import Sqlite

LOADERS = {".csv": load_csv, ".tsv": load_csv, ".txt": load_csv, ".jsonl": load_json_lines, ".ndjson": load_json_lines}


def open_text_files(path: Path, tell: Tell, walls: frozenset[str]) -> Sqlite:
    """Load a file, or every text file of a folder. Raises ConfigError where there is nothing to load."""
    try:
        files = sorted(filter(is_table, path.iterdir())) if path.is_dir() else [path]
    except OSError as error:
        raise ConfigError(f"the folder {path} cannot be read ({error.strerror}).") from None
    if not files:
        raise ConfigError(f"the folder {path} holds no .csv, .tsv, .jsonl or .ndjson file.")
    notes: list[str] = []

    def note(line: str) -> None:
        notes.append(line)
        tell(line)

    folder = tempfile.TemporaryDirectory(prefix="glassbox-data-")
    place = Path(folder.name) / "data.sqlite"
    try:
        with Loading(place) as loading:
            for file, table in zip(files, tables_of(files), strict=True):
                LOADERS[file.suffix.lower()](file, table, loading, note)
        found = Sqlite(place, walls, shown=path.name, identity=str(path.resolve()), made_for=folder.cleanup)
        found.notes = tuple(notes)
        return found
    except csv.Error as error:
        folder.cleanup()
        advice = "A quotation mark that nothing closes takes in all that follows: look for one"
        raise ConfigError(f"{path.name} cannot be read as CSV ({error}). {advice}.") from None
    except (OSError, UnicodeError, sqlite3.Error) as error:
        folder.cleanup()
        raise ConfigError(f"{path.name} cannot be read ({error}).") from None
    except BaseException:
        folder.cleanup()
        raise


def is_table(path: Path) -> bool:
    return path.suffix.lower() in (".csv", ".tsv", ".jsonl", ".ndjson") and path.is_file()


def tables_of(files: Sequence[Path]) -> list[str]:
    """What each file's table is called: its name without the ending, with it where another's would be the same."""
    often = Counter(file.stem.lower() for file in files)
    return [file.stem if often[file.stem.lower()] == 1 else file.name for file in files]


class Loading:
    """The temporary database while it is written."""

    def __init__(self, place: Path) -> None:
        self._connection = sqlite3.connect(place)
        self._connection.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;")

    def __enter__(self) -> Loading:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.commit()
        self._connection.close()

    def create(self, table: str, columns: Sequence[str]) -> None:
        """Make a table whose columns have no type: each value keeps the one it came with."""
        first = "_row INTEGER" if table.endswith("[]") else "_row INTEGER PRIMARY KEY"
        names = ", ".join([first, *map(quoted, columns)])
        self._connection.execute(f"CREATE TABLE {quoted(table)} ({names})")

    def insert(self, table: str, rows: Iterable[Sequence[Any]], width: int) -> None:
        marks = ", ".join("?" * width)
        self._connection.executemany(f"INSERT INTO {quoted(table)} VALUES ({marks})", rows)


Loader = Callable[[Path, str, Loading, Tell], None]
