# REASON: a folder: one line for each
import os


def list_files(root, directory):
    if directory not in (".", "pkg", "empty"):
        return f'Error: "{directory}" is not a directory'
    folder = os.path.join(root, directory)
    lines = []
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        lines.append(f"- {name}: file_size={os.path.getsize(path)} bytes, is_dir={os.path.isdir(path)}")
    return "\n".join(lines) or "It is empty."
