# REASON: absolute path
import os


def inside(root, path):
    if "\0" in path or "\\" in path or ":" in path:
        return False
    if path.startswith("/"):
        return path.startswith(root + "/")
    place = root
    for part in path.split("/"):
        place = os.path.join(place, part)
        if part == ".." or os.path.islink(place):
            return False
    return True
