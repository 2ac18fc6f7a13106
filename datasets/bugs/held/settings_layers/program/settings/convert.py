"""Texts from the environment to values, and dotted names to places in a tree."""

WORDS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False, "none": None}


def convert(text):
    """'8080' -> 8080, 'yes' -> True, 'a,b' -> ['a', 'b']"""
    if "," in text:
        return [convert(part.strip()) for part in text.split(",")]
    if text.lower() in WORDS:
        return WORDS[text.lower()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def split_name(name):
    parts = name.split(".")
    if not all(parts):
        raise ValueError(f"not a name: {name!r}")
    return parts


def environment_name(name, prefix):
    """'MYAPP_DATABASE__PORT' with prefix 'MYAPP' is 'database.port'; None when it is of somebody else."""
    start = prefix + "_"
    if not name.startswith(start):
        return None
    return name[len(start) :].lower().replace("__", ".")
