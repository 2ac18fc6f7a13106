"""Evaluate expressions such as "3 + 7 * 2": two stacks, one for values and one for operators."""

from __future__ import annotations

from collections.abc import Callable


class Calculator:
    """Knows four operators and how tightly each binds: a higher precedence is applied first."""

    def __init__(self) -> None:
        self.operators: dict[str, Callable[[float, float], float]] = {
            "+": lambda left, right: left + right,
            "-": lambda left, right: left - right,
            "*": lambda left, right: left * right,
            "/": lambda left, right: left / right,
        }
        self.precedence = {
            "+": 3,
            "-": 1,
            "*": 2,
            "/": 2,
        }

    def evaluate(self, expression: str) -> float | None:
        """Return the value of the expression, or None if there is nothing to evaluate."""
        tokens = expression.split()
        if not tokens:
            return None
        return self._evaluate_tokens(tokens)

    def _evaluate_tokens(self, tokens: list[str]) -> float:
        values: list[float] = []
        waiting: list[str] = []
        for token in tokens:
            if token not in self.operators:
                values.append(self._number(token))
                continue
            while waiting and self.precedence[waiting[-1]] >= self.precedence[token]:
                self._apply(waiting.pop(), values)
            waiting.append(token)
        while waiting:
            self._apply(waiting.pop(), values)
        if len(values) != 1:
            raise ValueError("two numbers stand side by side without an operator")
        return values[0]

    def _number(self, token: str) -> float:
        try:
            return float(token)
        except ValueError:
            raise ValueError(f"'{token}' is neither a number nor an operator") from None

    def _apply(self, operator: str, values: list[float]) -> None:
        if len(values) < 2:
            raise ValueError(f"'{operator}' needs a number on each side")
        right = values.pop()
        left = values.pop()
        values.append(self.operators[operator](left, right))
