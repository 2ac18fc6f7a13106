"""A small calculator for the command line: python main.py "3 + 5"."""

import sys

from pkg.calculator import Calculator
from pkg.render import render_result

USAGE = """Calculator
Usage: python main.py "<numbers and operators, with spaces between them>"
Example: python main.py "3 + 5"
"""


def main() -> int:
    expression = " ".join(sys.argv[1:])
    if not expression.strip():
        print(USAGE)
        return 0
    try:
        result = Calculator().evaluate(expression)
    except (ValueError, ZeroDivisionError) as error:
        print(f"Error: {error}")
        return 1
    print(render_result(expression, result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
