# REASON: do not climb
"""Lesson 3: keep it inside."""

import os


def inside(root, path):
    """Say whether a path that a model sent stays inside the folder root."""
    if "\0" in path or "\\" in path or ":" in path or path.startswith(("/", "~")):
        return False
    place = root
    for part in path.split("/"):
        place = os.path.join(place, part)
        if part.startswith("..") or os.path.islink(place):
            return False
    return True
