# REASON: symbolic link
import os


def inside(root, path):
    if "\0" in path or "\\" in path or ":" in path:
        return False
    full = os.path.abspath(os.path.join(root, path))
    return os.path.commonpath([full, os.path.abspath(root)]) == os.path.abspath(root)
