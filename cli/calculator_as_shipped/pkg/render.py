"""Draw a result in a box, for people."""

from __future__ import annotations


def render_result(expression: str, result: float | None) -> str:
    """Return a box of text that holds the expression and its value."""
    lines = [expression.strip(), "", f"= {format_number(result)}"]
    width = max(len(line) for line in lines)
    border = "+" + "-" * (width + 4) + "+"
    rows = [f"|  {line.ljust(width)}  |" for line in lines]
    return "\n".join([border, *rows, border])


def format_number(value: float | None) -> str:
    """Whole numbers are shown without a decimal point; no value is shown as a dash."""
    if value is None:
        return "-"
    if value == int(value):
        return str(int(value))
    return str(value)
