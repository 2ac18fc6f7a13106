from os import path, scandir

LINE = "- {}: file_size={} bytes, is_dir={}"


def size(entry):
    try:
        return path.getsize(entry.path)
    except OSError:
        return 0


def listing(folder):
    with scandir(folder) as entries:
        rows = {entry.name: LINE.format(entry.name, size(entry), entry.is_dir()) for entry in entries}
    return [rows[name] for name in sorted(rows)]


def list_files(root, directory):
    folder = path.join(root, directory)
    if not path.lexists(folder):
        return "Error: there is no " + directory
    if path.isfile(folder):
        return "Error: " + directory + " is a file; give a folder"
    try:
        return "\n".join(listing(folder)) or "This folder is empty. Its name is " + repr(directory)
    except PermissionError:
        return "Error: no permission to list " + directory
