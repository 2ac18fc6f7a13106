import os
import stat
from pathlib import PurePosixPath, PureWindowsPath


def link(place):
    try:
        return stat.S_ISLNK(os.lstat(place).st_mode)
    except (OSError, ValueError):
        return False


def inside(root, path):
    posix, windows = PurePosixPath(path), PureWindowsPath(path)
    if "\0" in path or "\\" in path or windows.drive or windows.root or posix.is_absolute():
        return False
    place = root
    for part in posix.parts:
        place = f"{place}/{part}"
        if part == ".." or link(place):
            return False
    return True
