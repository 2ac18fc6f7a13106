# REASON: a folder on the way is a symbolic link
import os


def inside(root, path):
    if "\0" in path or "\\" in path or ":" in path or path.startswith("/") or ".." in path.split("/"):
        return False
    return not os.path.islink(os.path.join(root, path))
