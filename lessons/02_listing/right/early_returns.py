import os


def list_files(root, directory):
    target = os.path.join(root, directory)
    if "\0" in directory:
        return f"Error: {directory!r} is not a name that a folder can have"
    if not os.path.exists(target):
        return f'Error: "{directory}" does not exist'
    if not os.path.isdir(target):
        return f'Error: "{directory}" is not a directory'
    try:
        names = os.listdir(target)
    except PermissionError:
        return f'Error: "{directory}" may not be read'
    except OSError as e:
        return f'Error: "{directory}" cannot be listed ({e.strerror})'
    if len(names) == 0:
        return "The folder is empty."
    names.sort()
    result = ""
    for name in names:
        path = os.path.join(target, name)
        if not os.path.exists(path):
            continue
        if result != "":
            result = result + "\n"
        result = (
            result
            + "- "
            + name
            + ": file_size="
            + str(os.path.getsize(path))
            + " bytes, is_dir="
            + str(os.path.isdir(path))
        )
    return result
