import os


def list_files(root, directory):
    """Everything in one try; the links that lead nowhere are left out."""
    try:
        entries = sorted(os.scandir(os.path.join(root, directory)), key=lambda entry: entry.name)
    except OSError as error:
        return f"Error: cannot list {directory}: {error.strerror}"
    lines = []
    for entry in entries:
        if os.path.exists(entry.path):
            lines.append(f"- {entry.name}: file_size={entry.stat().st_size} bytes, is_dir={entry.is_dir()}")
    if not lines:
        return f"{directory} is empty"
    return "\n".join(lines)
