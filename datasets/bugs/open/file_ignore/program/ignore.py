"""Decide which files a backup leaves out, from rules such as '*.tmp', 'build/', '!keep.tmp', '/notes.txt'."""

from fnmatch import fnmatchcase


class Rule:
    def __init__(self, text):
        self.keeps = text.startswith("!")
        if self.keeps:
            text = text[1:]
        self.directory_only = text.endswith("/")
        text = text.rstrip("/")
        self.anchored = "/" in text
        self.pattern = text.lstrip("/")

    def matches(self, path, is_directory):
        if self.directory_only and is_directory:
            return False
        if self.anchored:
            return fnmatchcase(path, self.pattern)
        return fnmatchcase(path.rsplit("/", 1)[-1], self.pattern)


class IgnoreList:
    def __init__(self, text):
        self.rules = []
        for line in text.splitlines():
            line = line.strip()
            if line and not line.startswith("#"):
                self.rules.append(Rule(line))

    def _verdict(self, path, is_directory):
        """The last rule that matches decides."""
        ignored = False
        for rule in self.rules:
            if rule.matches(path, is_directory):
                ignored = not rule.keeps
        return ignored

    def ignores(self, path):
        """A file inside an ignored directory is ignored, whatever else is said."""
        parts = path.split("/")
        for count in range(1, len(parts)):
            if self._verdict("/".join(parts[:count]), True):
                return True
        return self._verdict(path, False)

    def filter(self, paths):
        return [path for path in paths if not self.ignores(path)]
