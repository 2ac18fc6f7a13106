# REASON: is_dir=True
import os


def list_files(root, directory):
    folder = os.path.join(root, directory)
    if not os.path.isdir(folder):
        return f'Error: "{directory}" is not a directory'
    try:
        lines = []
        for name in sorted(os.listdir(folder)):
            size = os.path.getsize(os.path.join(folder, name))
            lines.append(f"- {name}: file_size={size} bytes, is_dir={os.path.isdir(name)}")
    except OSError as error:
        return f'Error: Cannot list "{directory}": {error.strerror}'
    return "\n".join(lines) or "empty"
