"""Lines of source: comments, labels and macros.

A macro has a name and parameters and stands between 'macro' and 'end':

    macro increase register amount
        add register amount
    end
"""

import re
from typing import NamedTuple

from .errors import AssemblyError

LABEL = re.compile(r"([a-z_][a-z0-9_]*):\s*")


class Line(NamedTuple):
    number: int
    text: str

    def words(self):
        return self.text.split()


class Macro:
    def __init__(self, name, parameters):
        self.name = name
        self.parameters = parameters
        self.body = []

    def expand(self, arguments, number):
        if len(arguments) != len(self.parameters):
            raise AssemblyError(number, f"{self.name} wants {len(self.parameters)} arguments")
        lines = []
        for text in self.body:
            expanded = text
            for parameter, argument in zip(self.parameters, arguments):
                expanded = replace_word(text, parameter, argument)
            lines.append(Line(number, expanded))
        return lines


def replace_word(text, old, new):
    return " ".join(new if word == old else word for word in text.split())


def read_lines(source):
    """Lines with something on them, without comments."""
    for number, text in enumerate(source.splitlines(), 1):
        text = text.split(";", 1)[0].strip()
        if text:
            yield Line(number, text)


def without_macros(source):
    """All lines with macros replaced by what they stand for; macros may use earlier ones."""
    macros = {}
    current = None
    for line in read_lines(source):
        words = line.words()
        if words[0] == "macro":
            if current or len(words) < 2:
                raise AssemblyError(line.number, "a macro needs a name and stands alone")
            current = Macro(words[1], words[2:])
        elif words[0] == "end":
            if not current:
                raise AssemblyError(line.number, "end without macro")
            macros[current.name] = current
            current = None
        elif current:
            current.body.append(line.text)
        else:
            yield from expand(line, macros)
    if current:
        raise AssemblyError(line.number, f"macro {current.name} has no end")


def expand(line, macros):
    name, *arguments = line.words()
    if name not in macros:
        yield line
        return
    for inner in macros[name].expand(arguments, line.number):
        yield from expand(inner, macros)


def split_label(line):
    """(label or None, rest of the line)"""
    match = LABEL.match(line.text)
    return (match.group(1), Line(line.number, line.text[match.end() :])) if match else (None, line)
