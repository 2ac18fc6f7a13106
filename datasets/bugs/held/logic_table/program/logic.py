"""Statements of logic: read them, make their truth table, compare them.

Words, loosest first: iff, implies, or, and, not; everything else is a name.
"""

from itertools import product

WORDS = {"iff", "implies", "or", "and", "not"}


class LogicError(ValueError):
    pass


class Name:
    def __init__(self, name):
        self.name = name

    def names(self):
        return {self.name}

    def value(self, world):
        return world[self.name]

    def __str__(self):
        return self.name


class Not:
    def __init__(self, inner):
        self.inner = inner

    def names(self):
        return self.inner.names()

    def value(self, world):
        return not self.inner.value(world)

    def __str__(self):
        return f"not {self.inner}"


class Joined:
    def __init__(self, word, left, right):
        self.word = word
        self.left = left
        self.right = right

    def names(self):
        return self.left.names() | self.right.names()

    def value(self, world):
        left, right = self.left.value(world), self.right.value(world)
        if self.word == "and":
            return left and right
        if self.word == "or":
            return left or right
        if self.word == "implies":
            return left or right
        return left == right

    def __str__(self):
        return f"({self.left} {self.word} {self.right})"


def read(text):
    tokens = text.replace("(", " ( ").replace(")", " ) ").split()
    statement, rest = read_joined(tokens, ["iff", "implies", "or", "and"])
    if rest:
        raise LogicError(f"unexpected {rest[0]}")
    return statement


def read_joined(tokens, words):
    """implies groups to the right, all others to the left"""
    if not words:
        return read_single(tokens)
    word, *tighter = words
    left, tokens = read_joined(tokens, tighter)
    while tokens and tokens[0] == word:
        right, tokens = read_joined(tokens[1:], words if word == "implies" else tighter)
        left = Joined(word, left, right)
    return left, tokens


def read_single(tokens):
    if not tokens:
        raise LogicError("the statement ends too early")
    first, *rest = tokens
    if first == "not":
        inner, rest = read_single(rest)
        return Not(inner), rest
    if first == "(":
        inner, rest = read_joined(rest, ["iff", "implies", "or", "and"])
        if not rest or rest[0] != ")":
            raise LogicError("a bracket is not closed")
        return inner, rest[1:]
    if first in WORDS or first == ")":
        raise LogicError(f"unexpected {first}")
    return Name(first), rest


def worlds(names):
    names = sorted(names)
    for values in product((True, False), repeat=len(names)):
        yield dict(zip(names, values))


def table(text):
    statement = read(text)
    return [(world, statement.value(world)) for world in worlds(statement.names())]


def always(text):
    return all(value for _, value in table(text))


def same(text, other):
    return always(f"({text}) iff ({other})")


def counterexample(premises, conclusion):
    """A world in which all premises hold and the conclusion does not, or None."""
    statements = [read(premise) for premise in premises]
    goal = read(conclusion)
    names = goal.names().union(*(statement.names() for statement in statements))
    for world in worlds(names):
        if all(statement.value(world) for statement in statements) and not goal.value(world):
            return world
    return None
