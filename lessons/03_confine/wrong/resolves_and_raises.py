# REASON: raised ValueError
import os


def inside(root, path):
    if "\\" in path or ":" in path:
        return False
    full = os.path.realpath(os.path.join(root, path))
    return os.path.commonpath([full, os.path.realpath(root)]) == os.path.realpath(root)
