"""Lesson 3: keep it inside."""

import os


def inside(root, path):
    """Say whether a path that a model sent stays inside the folder root."""
    raise NotImplementedError("return True for a path that stays inside root, False for one that leads out")
