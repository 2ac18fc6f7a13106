# REASON: before it exists
import os


def inside(root, path):
    if "\0" in path or "\\" in path or ":" in path:
        return False
    full = os.path.realpath(os.path.join(root, path))
    return os.path.exists(full) and os.path.commonpath([full, os.path.realpath(root)]) == os.path.realpath(root)
