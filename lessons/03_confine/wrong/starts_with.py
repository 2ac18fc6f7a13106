# REASON: begins with the same letters
import os


def inside(root, path):
    if "\0" in path or "\\" in path or ":" in path or path.startswith("/"):
        return False
    place = root
    for part in path.split("/"):
        place = os.path.join(place, part)
        if os.path.islink(place):
            return False
    return os.path.abspath(place).startswith(os.path.abspath(root))
