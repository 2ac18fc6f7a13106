# REASON: .. as a part
import os


def inside(root, path):
    if "\0" in path or "\\" in path or ":" in path or path.startswith("/"):
        return False
    path = os.path.normpath(path)
    place = root
    for part in path.split("/"):
        place = os.path.join(place, part)
        if part == ".." or os.path.islink(place):
            return False
    return True
