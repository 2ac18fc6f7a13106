"""CSV as it comes: any delimiter, a byte order mark, Windows' encoding, rows that are too short or too long."""

from __future__ import annotations

import codecs
import csv
import itertools
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from reach.database.database import Tell
from reach.database.header import is_header

if TYPE_CHECKING:
    from reach.database.text_files import Loading

HEAD = 64 * 1024  # bytes that the dialect is told from
LOOKED_AT = 5_000  # rows that the kind of a column is told from
MOSTLY = 0.8  # of its values are numbers: then those are kept as numbers
NAMED = re.compile(r'"?sep=([^\w\s"]|\t)"?\s*', re.I)  # Excel's first line, which names the delimiter
NUMBER = re.compile(r"-?(0|[1-9]\d{0,14})(\.\d{1,17})?([eE][+-]?\d{1,2})?")
WITH_COMMA = re.compile(r"-?\d+(\.\d{3})*,\d+")
NO_LETTERS = re.compile("[\udc80-\udcff]")  # how Python keeps bytes that are no UTF-8
LARGEST_CELL = 8 * 2**20
LONGEST_LINE = 2 * LARGEST_CELL  # characters


def load_csv(path: Path, table: str, loading: Loading, tell: Tell) -> None:
    """Load a file as a table. An empty cell is NULL. Where rows have another width than the header,
    a column `_cells` says how many cells each has, and `_more` holds what is beyond the header."""
    csv.field_size_limit(LARGEST_CELL)
    encoding = encoding_of(path, tell)
    with path.open(encoding=encoding, errors="replace", newline="") as file:
        rows = csv.reader(without_nul(file), dialect_of(path, encoding))
        header = next(rows, None)
        if header is None:
            return tell(f"{path.name} is empty.")
        rows = (row for row in rows if row)
        head = list(itertools.islice(rows, LOOKED_AT))
        has_names, why = is_header(header, head, number_in)
        names = names_of(header) if has_names else [f"column_{number}" for number in range(1, len(header) + 1)]
        head = head if has_names else [header, *head]
        columns = [[row[i] for row in head[:LOOKED_AT] if len(row) > i] for i in range(len(names))]
        numbers = [is_numeric(values) for values in columns]
        commas = [name for name, values in zip(names, columns, strict=True) if is_numeric(values, WITH_COMMA)]
        ragged = any(len(row) != len(names) for row in head) or is_ragged(path, encoding, len(names))
        loading.create(table, [*names, *(["_cells", "_more"] if ragged else [])])
        prepared = (prepare(i, row, numbers, ragged) for i, row in enumerate(itertools.chain(head, rows)))
        loading.insert(table, prepared, 1 + len(names) + 2 * ragged)
    if why:
        tell(f"{path.name}: {why}")
    if ragged:
        tell(f"{path.name}: not every row has the header's {len(names)} cells; the column _cells says how many.")
    if commas:
        tell(f"{path.name}: numbers with a comma stay texts, without ranges and sums: {', '.join(commas[:20])}.")
    return None


def prepare(number: int, row: list[str], numbers: list[bool], ragged: bool) -> list[Any]:
    width = len(numbers)
    cells: list[Any] = [number]
    for text, numeric in zip(row, numbers, strict=False):
        cells.append(value_of(text) if numeric else text or None)
    cells += [None] * (width + 1 - len(cells))
    return [*cells, len(row), json.dumps(row[width:]) if len(row) > width else None] if ragged else cells


def value_of(text: str) -> Any:
    """A number that is spelt as numbers are, else the text; nothing is None."""
    if not NUMBER.fullmatch(text):
        return text or None
    return float(text) if "." in text or "e" in text.lower() else int(text)


def number_in(text: str) -> float | None:
    return float(text) if NUMBER.fullmatch(text) else None


def is_numeric(values: list[str], spelt: re.Pattern[str] = NUMBER) -> bool:
    filled = [value for value in values if value]
    return bool(filled) and sum(map(bool, map(spelt.fullmatch, filled))) >= MOSTLY * len(filled)


def names_of(header: list[str]) -> list[str]:
    """The columns' names, all different, each in one line."""
    names: list[str] = []
    taken = {"_row", "_cells", "_more"}
    for number, cell in enumerate(header, 1):
        name = " ".join(cell.split()) or f"column_{number}"
        while name.lower() in taken:
            name = f"{name}_{number}"
        names.append(name)
        taken.add(name.lower())
    return names


def encoding_of(path: Path, tell: Tell) -> str:
    """UTF-8 where more letters than bytes say so: in a file that was put together of two, or cut within a letter, all
    others would be spoilt."""
    with path.open("rb") as file:
        head = file.read(4)
        if head.startswith((b"\xff\xfe", b"\xfe\xff")):
            return "utf-16"
        file.seek(0)
        decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        foreign = broken = 0
        while piece := file.read(2**20):
            text = decoder.decode(piece, final=len(piece) < 2**20)
            broken += len(NO_LETTERS.findall(text))
            foreign += len(text) - len(text.encode("ascii", "ignore"))
    if broken > foreign / 2:
        tell(f"{path.name} is not UTF-8; it is read as Windows-1252.")
        return "cp1252"
    if broken:
        tell(f"{path.name} is UTF-8 but for {broken:,} bytes, which are read as \ufffd.")
    return "utf-8-sig"


def dialect_of(path: Path, encoding: str) -> type[csv.Dialect]:
    """Told from the beginning: the delimiter that the file itself names, as Excel has it, else the one that splits the
    most lines into the same number of cells. One that no name of a column holds is hardly it: decimal commas."""
    with path.open(encoding=encoding, errors="replace", newline="") as file:
        lines = file.read(HEAD).splitlines()[:200]
    named = NAMED.fullmatch(lines[0]) if lines else None
    best, score = named[1] if named else ",", 0.0
    for delimiter in "" if named else ",;\t|":
        widths = [len(row) for row in csv.reader(lines, delimiter=delimiter)]
        wide = [width for width in widths if width > 1]
        common = max(set(wide), key=wide.count, default=1)
        same = wide.count(common) * common**0.5 * (1 if widths[:1] > [1] else 0.5)
        best, score = (delimiter, same) if same > score else (best, score)
    return type("Found", (csv.excel,), {"delimiter": best})


def is_ragged(path: Path, encoding: str, width: int) -> bool:
    with path.open(encoding=encoding, errors="replace", newline="") as file:
        rows = csv.reader(without_nul(file), dialect_of(path, encoding))
        return any(len(row) != width for row in rows if row)


def without_nul(file: TextIO) -> Iterator[str]:
    """The lines of a file, without the one that names the delimiter. Raises csv.Error at one that is longer than any
    row is: it would fill the memory."""
    first = True
    while line := file.readline(LONGEST_LINE):
        if len(line) == LONGEST_LINE:
            raise csv.Error(f"a line of more than {LONGEST_LINE:,} characters")
        if not (first and NAMED.fullmatch(line)):
            yield line.replace("\0", "")
        first = False
