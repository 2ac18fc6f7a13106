import os
import re


def inside(root, path):
    """A path that is free of links resolves to itself."""
    if re.search(r"[\\:\0]|^/|(^|/)\.\.(/|$)", path):
        return False
    root = os.path.realpath(root)
    plain = os.path.normpath(os.path.join(root, path))
    return os.path.realpath(plain) == plain
