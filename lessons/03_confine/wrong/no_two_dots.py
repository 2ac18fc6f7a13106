# REASON: two dots inside a name
import os


def inside(root, path):
    if ".." in path or "\0" in path or "\\" in path or ":" in path or path.startswith("/"):
        return False
    return not any(os.path.islink(os.path.join(root, path[:end])) for end in range(1, len(path) + 1))
