import os
import stat


def list_files(root, directory):
    """Through a descriptor: what is looked at is what was opened."""
    try:
        folder = os.open(os.path.join(root, directory), os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        return f"Error: {directory!r} cannot be opened: {error.strerror}"
    os.close(folder)
    try:
        names = os.listdir(os.path.join(root, directory))
    except OSError as error:
        return f"Error: {directory!r} cannot be listed: {error.strerror}"
    text = ""
    for name in sorted(names):
        about = os.lstat(os.path.join(root, directory, name))
        text += f"- {name}: file_size={about.st_size} bytes, is_dir={stat.S_ISDIR(about.st_mode)}\n"
    return text or "The folder holds nothing."
