"""Which files belong to an index: documents and source by their names, and nothing that may hold a secret."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from sandbox.files.root import Entry

LARGEST = 1 << 20  # bytes of a file that is read
_DOCUMENTS = ".ipynb .md .mdx .markdown .rst .adoc .txt .html .toml .yml .yaml .json .cfg .ini"
_SOURCE = """
.py .pyi .pyx .sql .sh .bash .zsh .fish .ps1 .bat .js .mjs .cjs .jsx .ts .tsx .vue .svelte .css .scss .sass .less .go
.rs .java .kt .kts .scala .groovy .gradle .clj .c .h .cc .hh .cpp .hpp .cxx .hxx .m .mm .cs .fs .vb .swift .dart .zig
.nim .php .rb .pl .pm .lua .r .jl .ex .exs .erl .hs .ml .lisp .el .scm .f90 .pas .asm .proto .graphql .tf .cmake .mk
"""
SOURCE = tuple(_SOURCE.split())
SUFFIXES = frozenset((*_DOCUMENTS.split(), *SOURCE))
NAMES = frozenset(("Dockerfile", "Makefile", "Caddyfile", "Gemfile", "Rakefile", "Jenkinsfile", "LICENSE", "README"))
_WRITTEN = frozenset((".ipynb", ".md", ".mdx", ".markdown", ".rst", ".adoc", ".txt"))
_ASIDE = re.compile(
    r"(^|/)tests?/|(^|/)test_|\.egg-info/|(^|/)(change|history|news|release|upgrad|migrat|licen[cs]e|authors)[^/]*$",
    re.I,
)


def is_written(path: str) -> bool:
    """Whether a file is one for people to read, and no source, data or settings."""
    return PurePosixPath(path).suffix.lower() in _WRITTEN


def is_aside(path: str) -> bool:
    """Whether a file tells of what something was, or tries it, rather than what it is: change logs, licences, tests."""
    return bool(_ASIDE.search(path))


def is_document(path: str, entry: Entry) -> bool:
    """Documents and source by their names, of a size that is read; nothing that may hold a secret."""
    return entry.size <= LARGEST and is_wanted(path)


def is_wanted(path: str) -> bool:
    """Whether a file is by its name one that belongs, whatever its size."""
    name = PurePosixPath(path).name
    return not may_hold_a_secret(path) and (
        PurePosixPath(name).suffix.lower() in SUFFIXES or name in NAMES or name.startswith("Dockerfile")
    )


def may_hold_a_secret(path: str) -> bool:
    """Whether a file is by its name one for secrets: `.env`, `.env.local`, `x.secret`, but not `.env.example`."""
    name = PurePosixPath(path).name.lower()
    return name.endswith(".secret") or (name.startswith(".env") and not name.endswith(".example"))
