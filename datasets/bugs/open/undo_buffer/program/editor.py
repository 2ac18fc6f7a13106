"""A line editor with undo and redo."""


class LineEditor:
    def __init__(self, lines=()):
        self.lines = list(lines)
        self._undo = []
        self._redo = []

    def _apply(self, action):
        kind, index, text = action
        if kind == "insert":
            self.lines.insert(index, text)
            return ("delete", index, text)
        if kind == "delete":
            removed = self.lines.pop(index)
            return ("insert", index, removed)
        old = self.lines[index]
        self.lines[index] = text
        return ("replace", index, old)

    def _do(self, kind, index, text=None):
        inverse = self._apply((kind, index, text))
        self._undo.append(inverse)

    def insert(self, index, text):
        if not 0 <= index <= len(self.lines):
            raise IndexError(index)
        self._do("insert", index, text)

    def append(self, text):
        self.insert(len(self.lines), text)

    def delete(self, index):
        self._check(index)
        self._do("delete", index)

    def replace(self, index, text):
        self._check(index)
        self._do("replace", index, text)

    def _check(self, index):
        if not 0 <= index < len(self.lines):
            raise IndexError(index)

    def undo(self):
        return self._move(self._undo, self._redo)

    def redo(self):
        return self._move(self._redo, self._undo)

    def _move(self, source, target):
        if not source:
            return False
        target.append(self._apply(source.pop()))
        return True

    @property
    def text(self):
        return "\n".join(self.lines)
