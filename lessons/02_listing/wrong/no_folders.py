# REASON: lines that begin with
"""Lesson 2: a tool takes text, gives text, never raises."""

import os


def list_files(root, directory):
    """List a folder for a model: a line for each entry, or text that begins with "Error: "."""
    folder = os.path.join(root, directory)
    if not os.path.isdir(folder):
        return f'Error: "{directory}" is not a directory'
    try:
        lines = []
        for name in sorted(os.listdir(folder)):
            path = os.path.join(folder, name)
            if os.path.isdir(path):
                continue
            lines.append(f"- {name}: file_size={os.path.getsize(path)} bytes, is_dir={os.path.isdir(path)}")
    except OSError as error:
        return f'Error: Cannot list "{directory}": {error.strerror}'
    return "\n".join(lines) or f'"{directory}" is empty'
