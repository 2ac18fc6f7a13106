"""The real agent in place of the learner's list_files()."""

from functions.get_dir_info import get_dir_info


def list_files(root: str, directory: str) -> str:
    return get_dir_info(root, directory)
