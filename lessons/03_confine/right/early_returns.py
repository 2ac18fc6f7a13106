import os.path


def inside(root, path):
    if path.find("\0") != -1:
        return False
    if path.find("\\") >= 0:
        return False
    if len(path) >= 2 and path[1] == ":":
        return False
    if path[:1] == "/":
        return False
    pieces = path.split("/")
    if ".." in pieces:
        return False
    current = root
    i = 0
    while i < len(pieces):
        current = current + "/" + pieces[i]
        try:
            link = os.path.islink(current)
        except Exception:
            return False
        if link:
            return False
        i = i + 1
    return True
