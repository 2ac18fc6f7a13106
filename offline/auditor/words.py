"""Words, numbers and dates that stand for no value."""

from __future__ import annotations

PLACEHOLDERS = (
    *("", "n/a", "na", "n.a.", "n.a", "#n/a", "null", "nil", "none", "nan", "unknown", "unk", "missing", "tbd", "tba"),
    *(
        "-",
        "--",
        "---",
        ".",
        "..",
        "...",
        "?",
        "??",
        "???",
        "x",
        "xx",
        "xxx",
        "not available",
        "not known",
        "undefined",
    ),
    *("no data", "not applicable", "empty", "blank", "void", "(null)", "<null>", "todo", "test"),
)
AMBIGUOUS = frozenset(
    ["none", "na", "no", "x", "xx", "xxx", "empty", "blank", "void", "test", "todo", "missing", ".", "unk"]
)  # a value, here and there
SENTINELS = (-1, -9, -99, -999, -9999, 0, 99, 999, 9999, 99999, 999999, 9999999, 99999999)
NO_DATES = (
    "1900-01-01",
    "1970-01-01",
    "1901-01-01",
    "1111-11-11",
    "0001-01-01",
    "9999-12-31",
    "2099-12-31",
    "9999-01-01",
)
UNITS = (  # of one measure: spans of time are not here, since people write "2 years" and "3 months" as they are
    frozenset(("mg", "g", "kg", "lb", "lbs", "oz", "gram", "grams", "pound", "pounds", "ounce", "ounces")),
    frozenset(("mm", "cm", "m", "km", "in", "inch", "inches", "ft", "feet", "mi", "mile", "miles")),
    frozenset(("ml", "cl", "l", "liter", "liters", "litre", "litres", "gal", "gallon", "gallons")),
    frozenset(("c", "f", "k", "°c", "°f")),
    frozenset(("usd", "eur", "gbp", "$", "€", "£")),
)
