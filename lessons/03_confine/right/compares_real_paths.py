import os


def inside(root, path):
    try:
        if "\\" in path or path.startswith("/") or path[1:2] == ":" or ".." in path.split("/"):
            return False
        real_root = os.path.realpath(root)
        wanted = os.path.normpath(os.path.join(real_root, path))
        # Where the real path is another one, some part of it was a link.
        return os.path.realpath(wanted) == wanted and os.path.commonpath([real_root, wanted]) == real_root
    except ValueError:
        return False
