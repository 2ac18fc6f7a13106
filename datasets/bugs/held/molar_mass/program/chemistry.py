"""Chemical formulas: count the atoms, weigh them, and balance equations on paper."""

import re

MASSES = {
    "H": 1.008,
    "C": 12.011,
    "N": 14.007,
    "O": 15.999,
    "Na": 22.990,
    "Mg": 24.305,
    "S": 32.06,
    "Cl": 35.45,
    "Ca": 40.078,
    "Fe": 55.845,
    "Cu": 63.546,
}
TOKEN = re.compile(r"([A-Z][a-z]?)(\d*)|(\()|\)(\d*)")


class FormulaError(ValueError):
    pass


def add(counts, other, factor=1):
    for element, number in other.items():
        counts[element] = counts.get(element, 0) + number * factor


def atoms_of_part(text):
    """'Ca(OH)2' -> {'Ca': 1, 'O': 2, 'H': 2}"""
    stack = [{}]
    position = 0
    while position < len(text):
        match = TOKEN.match(text, position)
        if not match:
            raise FormulaError(f"cannot read {text[position:]!r}")
        position = match.end()
        element, number, opened, times = match.groups()
        if element:
            if element not in MASSES:
                raise FormulaError(f"no such element: {element}")
            stack[-1][element] = int(number or 1)
        elif opened:
            stack.append({})
        else:
            if len(stack) == 1:
                raise FormulaError("a bracket is closed that was not opened")
            group = stack.pop()
            add(stack[-1], group, int(times or 1))
    if len(stack) > 1:
        raise FormulaError("a bracket is not closed")
    return stack[0]


def atoms(formula):
    """Also with crystal water, as in 'CuSO4*5H2O'."""
    counts = {}
    for part in formula.split("*"):
        number = re.match(r"\d*", part).group()
        add(counts, atoms_of_part(part[len(number) :]), int(number or 1))
    return counts


def mass(formula):
    """Grams of one mole."""
    return round(sum(MASSES[element] * number for element, number in atoms(formula).items()), 3)


def percent(formula, element):
    """How much of the mass is of one element."""
    part = MASSES[element] * atoms(formula).get(element, 0)
    return round(100 * part / mass(formula), 2)


def side(text):
    """Atoms on one side of an equation: '2 H2 + O2'"""
    counts = {}
    for term in text.split("+"):
        words = term.split()
        number = int(words[0]) if len(words) == 2 else 1
        add(counts, atoms(words[-1]), number)
    return counts


def is_balanced(equation):
    left, arrow, right = equation.partition("->")
    if not arrow:
        raise FormulaError("an equation has an arrow")
    return side(left) == side(right)
