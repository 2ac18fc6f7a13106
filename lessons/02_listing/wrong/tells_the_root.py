# REASON: not where the folder lies on your disk
import os


def list_files(root, directory):
    folder = os.path.join(root, directory)
    try:
        lines = []
        for name in sorted(os.listdir(folder)):
            path = os.path.join(folder, name)
            lines.append(f"- {name}: file_size={os.path.getsize(path)} bytes, is_dir={os.path.isdir(path)}")
    except OSError as error:
        return f"Error: {error}"
    return "\n".join(lines) or "empty"
