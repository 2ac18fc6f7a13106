"""Check a new password against a list of rules; every rule explains itself."""

from dataclasses import dataclass
from typing import Callable

COMMON = {"password", "letmein", "qwerty123", "iloveyou"}


@dataclass(frozen=True)
class Rule:
    message: str
    holds: Callable[[str, str], bool]


def has_digit(password, user):
    return any(c.isdigit() for c in password)


def has_mixed_case(password, user):
    return password != password.lower() and password != password.upper()


def hides_user_name(password, user):
    return not user or user.lower() in password.lower()


def is_uncommon(password, user):
    return password.lower() not in COMMON


def has_no_long_run(password, user):
    run = 1
    for before, char in zip(password, password[1:]):
        run = run + 1 if char == before else 1
        if run == 4:
            return False
    return True


RULES = [
    Rule("use at least 8 characters", lambda password, user: len(password) >= 8),
    Rule("use a digit", has_digit),
    Rule("use small and capital letters", has_mixed_case),
    Rule("do not use your name", hides_user_name),
    Rule("that password is too common", is_uncommon),
    Rule("do not repeat a character four times", has_no_long_run),
]


def problems(password, user=""):
    return [rule.message for rule in RULES if not rule.holds(password, user)]


def strength(password, user=""):
    """0 (no rule holds) to 100 (all hold)."""
    failed = len(problems(password, user))
    return round(100 * (len(RULES) - failed) / len(RULES))


def accept(password, repeated, user=""):
    if password != repeated:
        return ["the two passwords differ"]
    return problems(password, user)
