import os
from itertools import accumulate
from pathlib import PurePosixPath, PureWindowsPath


def inside(root: str, path: str) -> bool:
    posix, windows = PurePosixPath(path), PureWindowsPath(path)
    if posix.is_absolute() or windows.drive or windows.root:
        return False
    if "\\" in path or "\0" in path or ".." in posix.parts:
        return False
    return not any(os.path.islink(place) for place in accumulate([root, *posix.parts], os.path.join))
