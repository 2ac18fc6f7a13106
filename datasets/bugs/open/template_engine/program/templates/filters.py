"""Filters for {{ name|filter }} placeholders."""


def title(value):
    return str(value).capitalize()


def upper(value):
    return str(value).upper()


def trim(value):
    return str(value).strip()


def money(value):
    return f"{value / 100:.2f}"


def default(value):
    return "-" if value in (None, "") else value


def escape(value):
    text = str(value)
    for char, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(char, entity)
    return text


FILTERS = {f.__name__: f for f in (title, upper, trim, money, default, escape)}
