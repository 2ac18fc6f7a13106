from pathlib import Path, PurePosixPath


def inside(root, path):
    if not path or any(sign in path for sign in "\0\\:"):
        return False
    asked = PurePosixPath(path)
    if asked.is_absolute() or ".." in asked.parts:
        return False
    places = [Path(root, *asked.parts[: end + 1]) for end in range(len(asked.parts))]
    return not any(place.is_symlink() for place in places)
