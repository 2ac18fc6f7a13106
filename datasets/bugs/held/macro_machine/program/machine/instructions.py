"""The instructions and their operands: 'r' is a register, 'v' a register or a number, 'a' an address."""

from typing import NamedTuple

INSTRUCTIONS = {
    **dict.fromkeys(("set", "add", "sub", "mul"), "rv"),
    **{"load": "ra", "loadx": "rr", "store": "ra"},
    **{"jump": "a", "jzero": "ra", "call": "a", "ret": "", "halt": ""},
    **{"push": "v", "pop": "r", "out": "v"},
}
REGISTERS = ("a", "b", "c", "d")


class Instruction(NamedTuple):
    name: str
    operands: list

    def __repr__(self):
        return " ".join([self.name, *map(str, self.operands)])
