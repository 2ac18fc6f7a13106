"""Cells that hold numbers, text or formulas; values are worked out when asked for and kept."""

from operator import add, eq, ge, gt, le, lt, mul, ne, sub, truediv

from .address import cells_between, split_name
from .errors import CycleError, FormulaError
from .functions import FUNCTIONS, as_text
from .parser import Parser

COMPARE = {"<": lt, ">": gt, "=": eq, "<=": le, ">=": ge, "<>": ne}
ARITHMETIC = {"+": add, "-": sub, "*": mul, "/": truediv, "^": pow}


class Sheet:
    def __init__(self):
        self.cells = {}
        self.trees = {}
        self.values = {}
        self.active = []

    def set(self, name, content):
        split_name(name)
        self.trees.pop(name, None)
        self.cells[name] = content
        if isinstance(content, str) and content.startswith("="):
            self.trees[name] = Parser(content[1:]).parse()
        self.values.clear()

    def get(self, name):
        """The value of a cell: a float, a text, a bool or None."""
        split_name(name)
        if name not in self.cells:
            return None
        if name not in self.values:
            self.values[name] = self._work_out(name)
        return self.values[name]

    def show(self, name):
        try:
            return as_text(self.get(name))
        except FormulaError:
            return "#ERR"

    def _work_out(self, name):
        if name not in self.trees:
            content = self.cells[name]
            return float(content) if isinstance(content, (int, float)) else content
        if name in self.active:
            raise CycleError(" -> ".join([*self.active, name]))
        self.active.append(name)
        try:
            return self._value(self.trees[name])
        finally:
            self.active.pop()

    def _value(self, tree):
        kind = tree[0]
        if kind in ("number", "text"):
            return tree[1]
        if kind == "cell":
            return self.get(tree[1])
        if kind == "call":
            return self._call(tree[1], tree[2])
        if kind == "negate":
            return -self._number(tree[1])
        if kind == "block":
            raise FormulaError("a block stands only inside a function")
        return self._operate(*tree)

    def _operate(self, operator, left, right):
        if operator == "&":
            return as_text(self._value(left)) + as_text(self._value(right))
        if operator in COMPARE:
            return COMPARE[operator](self._value(left), self._value(right))
        a, b = self._number(left), self._number(right)
        if operator == "/" and b == 0:
            raise FormulaError("division by zero")
        return ARITHMETIC[operator](a, b)

    def _number(self, tree):
        value = self._value(tree)
        if value is None:
            return 0.0
        if not isinstance(value, (int, float)):
            raise FormulaError(f"not a number: {value}")
        return value

    def _call(self, name, arguments):
        if name == "IF":
            return self._if(arguments)
        if name not in FUNCTIONS:
            raise FormulaError(f"no function {name}")
        values = []
        for argument in arguments:
            if argument[0] == "block":
                values.extend(self.get(cell) for cell in cells_between(argument[1], argument[2]))
            else:
                values.append(self._value(argument))
        return FUNCTIONS[name]([value for value in values if value is not None])

    def _if(self, arguments):
        if len(arguments) != 3:
            raise FormulaError("IF takes three values")
        condition, then, otherwise = arguments
        return self._value(then) if self._value(condition) else self._value(otherwise)
