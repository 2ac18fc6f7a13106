"""Lesson 2: a tool takes text, gives text, never raises."""

import os


def list_files(root, directory):
    """List a folder for a model: a line for each entry, or text that begins with "Error: "."""
    folder = os.path.join(root, directory)
    raise NotImplementedError("return one line of text for each name in os.listdir(folder)")
