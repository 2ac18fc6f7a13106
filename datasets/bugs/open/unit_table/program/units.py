"""Convert between units through a base unit per quantity, with parsing of '3.5 km'."""

QUANTITIES = {
    "length": {"mm": 0.001, "cm": 0.01, "m": 1.0, "km": 1000.0, "in": 0.0254, "ft": 0.3048, "mi": 1609.344},
    "mass": {"g": 0.001, "kg": 1.0, "t": 1000.0, "lb": 0.45359237, "oz": 0.028349523125},
    "time": {"s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0},
}


class UnitError(ValueError):
    pass


def quantity_of(unit):
    for quantity, units in QUANTITIES.items():
        if unit in units:
            return quantity
    raise UnitError(f"unknown unit: {unit}")


def convert(value, source, target):
    quantity = quantity_of(source)
    if quantity_of(target) != quantity:
        raise UnitError(f"{source} and {target} measure different things")
    units = QUANTITIES[quantity]
    return value * units[source] / units[target]


def parse(text):
    number, _, unit = text.strip().partition(" ")
    unit = unit.strip()
    quantity_of(unit)
    return float(number), unit


def convert_text(text, target):
    value, unit = parse(text)
    return f"{convert(value, unit, target):g} {target}"


def add(first, second):
    """'1 km' + '200 m' in the unit of the first."""
    value, unit = parse(first)
    other, other_unit = parse(second)
    return f"{value + convert(other, unit, other_unit):g} {unit}"


def best_unit(value, unit):
    """The largest unit of the same quantity in which the value is at least 1."""
    units = QUANTITIES[quantity_of(unit)]
    fitting = [u for u in units if abs(convert(value, unit, u)) >= 1]
    return max(fitting, key=units.get, default=unit)
