import os
import stat


class Entry:
    def __init__(self, folder, name):
        self.name = name
        info = os.stat(os.path.join(folder, name))
        self.size = info.st_size
        self.is_dir = stat.S_ISDIR(info.st_mode)

    def __lt__(self, other):
        return self.name < other.name

    def __str__(self):
        return "- %s: file_size=%d bytes, is_dir=%s" % (self.name, self.size, self.is_dir)


class Lister:
    def __init__(self, root):
        self.root = root

    def entries(self, directory):
        folder = os.path.join(self.root, directory)
        return sorted(Entry(folder, name) for name in os.listdir(folder))

    def text(self, directory):
        try:
            entries = self.entries(directory)
        except (OSError, ValueError) as problem:
            reason = getattr(problem, "strerror", None) or "not a path"
            return "Error: cannot list %s: %s" % (directory, reason)
        return "\n".join(map(str, entries)) or "(no entries)"


def list_files(root, directory):
    return Lister(root).text(directory)
