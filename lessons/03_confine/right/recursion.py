import os.path

FORBIDDEN = "\\", ":", "\0"


def inside(root, path):
    if path.startswith("/") or any(sign in path for sign in FORBIDDEN):
        return False
    first, _, rest = path.partition("/")
    if first == "..":
        return False
    here = os.path.join(root, first)
    if os.path.islink(here):
        return False
    return inside(here, rest) if rest else True
