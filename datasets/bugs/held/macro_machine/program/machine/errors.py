class AssemblyError(ValueError):
    def __init__(self, number, message):
        super().__init__(f"line {number}: {message}")
        self.number = number


class MachineError(RuntimeError):
    """A program that did what a machine cannot do."""
