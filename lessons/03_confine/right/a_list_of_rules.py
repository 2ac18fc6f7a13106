import os


class Refused(Exception):
    pass


def no_nul(root, path):
    if "\0" in path:
        raise Refused("a NUL")


def relative(root, path):
    if os.path.isabs(path):
        raise Refused("absolute")


def not_windows(root, path):
    if "\\" in path or (path[:1].isalpha() and path[1:2] == ":"):
        raise Refused("Windows")


def no_parent(root, path):
    for part in path.split(os.sep):
        if part == os.pardir:
            raise Refused("..")


def no_link(root, path):
    place = os.path.join(root, path)
    while len(place) > len(root):
        if os.path.islink(place.rstrip("/")):
            raise Refused("a link")
        place = os.path.dirname(place)


RULES = [no_nul, relative, not_windows, no_parent, no_link]


def inside(root, path):
    try:
        for rule in RULES:
            rule(root, path)
    except Exception:
        return False
    return True
