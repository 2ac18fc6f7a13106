from pathlib import Path


def list_files(root, directory):
    folder = Path(root) / directory
    if not folder.exists():
        return f"Error: {directory} does not exist"
    if not folder.is_dir():
        return f"Error: {directory} is a file, not a folder"
    try:
        lines = [
            f"- {path.name}: file_size={path.lstat().st_size} bytes, is_dir={path.is_dir()}"
            for path in sorted(folder.iterdir())
        ]
    except PermissionError:
        return f"Error: {directory} may not be read"
    return "\n".join(lines) if lines else "There is nothing in it."
