"""Functions that formulas may call. Every function gets a list of values without empty cells."""

from .errors import FormulaError


def numbers(values):
    return [value for value in values if isinstance(value, (int, float))]


def average(values):
    if not (found := numbers(values)):
        raise FormulaError("average of nothing")
    return sum(found) / len(found)


def as_text(value):
    if isinstance(value, float) and value == int(value):
        return str(int(value))
    return "" if value is None else str(value)


FUNCTIONS = {
    "SUM": lambda values: float(sum(numbers(values))),
    "MIN": lambda values: min(numbers(values), default=0.0),
    "MAX": lambda values: max(numbers(values), default=0.0),
    "COUNT": lambda values: float(len(numbers(values))),
    "AVERAGE": average,
    "JOIN": lambda values: "".join(as_text(value) for value in values),
}
