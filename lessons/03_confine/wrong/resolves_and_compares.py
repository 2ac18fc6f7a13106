# REASON: one that stays inside
import os


def inside(root, path):
    if "\0" in path or "\\" in path or ":" in path:
        return False
    root = os.path.realpath(root)
    full = os.path.realpath(os.path.join(root, path))
    return full == root or full.startswith(root + os.sep)
