"""Formulas to trees.

A tree is ("number", x), ("text", s), ("cell", name), ("block", first, last),
("call", name, arguments), ("negate", tree) or (operator, left, right).
Loosest first: comparison, &, + and -, * and /, unary minus, ^ (which groups to the right).
"""

from .errors import FormulaError
from .lexer import tokenize

LEVELS = [("<", ">", "=", "<=", ">=", "<>"), ("&",), ("+", "-"), ("*", "/")]


class Parser:
    def __init__(self, formula):
        self.tokens = tokenize(formula)
        self.position = 0

    def peek(self):
        return self.tokens[self.position]

    def take(self):
        token = self.tokens[self.position]
        self.position += 1
        return token

    def expect(self, symbol):
        if self.take() != ("symbol", symbol):
            raise FormulaError(f"expected {symbol}")

    def parse(self):
        tree = self.binary(0)
        if self.peek()[0] != "end":
            raise FormulaError(f"unexpected {self.peek()[1]}")
        return tree

    def binary(self, level):
        if level == len(LEVELS):
            return self.unary()
        left = self.binary(level + 1)
        while self.peek()[0] == "symbol" and self.peek()[1] in LEVELS[level]:
            operator = self.take()[1]
            left = (operator, left, self.binary(level + 1))
        return left

    def unary(self):
        if self.peek() == ("symbol", "-"):
            self.take()
            return ("negate", self.unary())
        return self.power()

    def power(self):
        base = self.atom()
        if self.peek() == ("symbol", "^"):
            self.take()
            return ("^", base, self.unary())
        return base

    def atom(self):
        kind, text = self.take()
        if kind == "number":
            return ("number", float(text))
        if kind == "text":
            return ("text", text[1:-1])
        if kind == "name":
            return self.name(text)
        if (kind, text) == ("symbol", "("):
            tree = self.binary(0)
            self.expect(")")
            return tree
        raise FormulaError(f"unexpected {text or 'end'}")

    def name(self, text):
        if self.peek() == ("symbol", "("):
            self.take()
            return ("call", text, self.arguments())
        if self.peek() == ("symbol", ":"):
            self.take()
            return ("block", text, self.take()[1])
        return ("cell", text)

    def arguments(self):
        arguments = []
        if self.peek() == ("symbol", ")"):
            self.take()
            return arguments
        while True:
            arguments.append(self.binary(0))
            kind, text = self.take()
            if text == ")":
                return arguments
            if text != ",":
                raise FormulaError("expected , or )")
