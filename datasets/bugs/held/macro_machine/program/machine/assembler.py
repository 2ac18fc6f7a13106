"""Source text to a program, in two passes: collect labels and data, then fill in addresses."""

from .errors import AssemblyError
from .instructions import INSTRUCTIONS, REGISTERS, Instruction
from .source import split_label, without_macros


class Program:
    def __init__(self):
        self.instructions = []
        self.data = []
        self.labels = {}
        self.variables = {}


def assemble(source):
    program = Program()
    waiting = []
    for line in without_macros(source):
        label, rest = split_label(line)
        words = rest.words()
        if words and words[0] in ("word", "space"):
            add_data(program, label, words, line.number)
            continue
        if label is not None:
            check_new(program, label, line.number)
            program.labels[label] = len(waiting)
        if words:
            waiting.append((words, line.number))
    for words, number in waiting:
        program.instructions.append(translate(program, words, number))
    return program


def check_new(program, label, number):
    if label in program.labels or label in program.variables:
        raise AssemblyError(number, f"{label} is defined twice")


def add_data(program, label, words, number):
    if label is None:
        raise AssemblyError(number, "data needs a label")
    check_new(program, label, number)
    program.variables[label] = len(program.data)
    values = [as_number(word, number) for word in words[1:]]
    program.data.extend([0] * values[0] if words[0] == "space" else values)


def as_number(word, number):
    try:
        return int(word, 0)
    except ValueError:
        raise AssemblyError(number, f"not a number: {word}") from None


def translate(program, words, number):
    name, *operands = words
    if name not in INSTRUCTIONS:
        raise AssemblyError(number, f"no such instruction: {name}")
    kinds = INSTRUCTIONS[name]
    if len(kinds) != len(operands):
        raise AssemblyError(number, f"{name} wants {len(kinds)} operands")
    return Instruction(name, [operand(program, kind, word, number) for kind, word in zip(kinds, operands)])


def operand(program, kind, word, number):
    if kind == "r":
        if word not in REGISTERS:
            raise AssemblyError(number, f"not a register: {word}")
        return word
    if kind == "v" and word in REGISTERS:
        return word
    known = {**program.labels, **program.variables}
    return known[word] if word in known else as_number(word, number)
