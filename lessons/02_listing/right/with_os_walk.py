from os import access, walk, R_OK, X_OK
from os.path import getsize, isdir, join


def list_files(root, directory):
    try:
        folder = join(root, directory)
        if not (isdir(folder) and access(folder, R_OK | X_OK)):
            raise ValueError("not a directory that can be read")
        problems = []
        _, folders, files = next(walk(folder, onerror=problems.append), (None, [], []))
        if problems:
            raise ValueError("it cannot be read")
        lines = [
            f"- {n}: file_size={getsize(join(folder, n))} bytes, is_dir={n in folders}" for n in sorted(folders + files)
        ]
    except ValueError as e:
        return "Error: " + directory + ": " + str(e)
    except OSError as e:
        return "Error: " + directory + ": " + e.strerror
    return "\n".join(lines) if lines else "No files here."
