"""Names of locales, such as 'pt-BR', and where to look when a text is missing there."""


def normal(locale):
    """'PT_br' -> 'pt-BR'"""
    language, _, region = locale.replace("_", "-").partition("-")
    return f"{language.lower()}-{region.upper()}" if region else language.lower()


def chain(locale, last):
    """The locale, its language, and what everything falls back to; none of them twice."""
    locale = normal(locale)
    names = [locale, locale.split("-")[0], normal(last)]
    return list(dict.fromkeys(names))
