"""Which form of a noun goes with a number: the rules differ by language."""


def english(number):
    return "one" if number == 1 else "other"


def french(number):
    return "one" if number in (0, 1) else "other"


def polish(number):
    if number == 1:
        return "one"
    if number % 10 in (2, 3, 4) and number % 100 not in (12, 13, 14):
        return "few"
    return "other"


def japanese(number):
    return "other"


RULES = {"fr": french, "pl": polish, "ja": japanese}


def form_for(language, number):
    return RULES.get(language, english)(number)
