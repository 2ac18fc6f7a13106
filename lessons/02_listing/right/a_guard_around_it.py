import functools
import os


def guarded(tool):
    @functools.wraps(tool)
    def safe(root, directory):
        try:
            return tool(root, directory)
        except Exception as error:
            return f"Error: {directory}: {getattr(error, 'strerror', None) or type(error).__name__}"

    return safe


@guarded
def list_files(root, directory):
    folder = os.path.normpath(os.path.join(root, directory))
    found = []
    for name in os.listdir(folder):
        about = os.stat(os.path.join(folder, name))
        found.append((name, about.st_size, os.path.isdir(os.path.join(folder, name))))
    found.sort()
    return "\n".join(f"- {n}: file_size={s} bytes, is_dir={d}" for n, s, d in found) or "(empty folder)"
