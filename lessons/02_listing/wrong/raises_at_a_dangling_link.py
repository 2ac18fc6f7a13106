# REASON: a link that leads nowhere
import os


def list_files(root, directory):
    folder = os.path.join(root, directory)
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        return f'Error: Cannot list "{directory}": {error.strerror}'
    lines = []
    for name in names:
        path = os.path.join(folder, name)
        lines.append(f"- {name}: file_size={os.path.getsize(path)} bytes, is_dir={os.path.isdir(path)}")
    return "\n".join(lines) or f'"{directory}" is empty'
