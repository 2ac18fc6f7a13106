import os, re

BAD = re.compile(r"^/|^[A-Za-z]:|\\|\0|(^|/)\.\.(/|$)")


def inside(root, path):
    parts = path.split("/")
    return not BAD.search(path) and not any(
        os.path.islink(os.path.join(root, *parts[: n + 1])) for n in range(len(parts))
    )
