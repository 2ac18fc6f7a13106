class AssemblyError(ValueError):
    """A program that cannot be assembled; tells the line of the source."""

    def __init__(self, number, message):
        super().__init__(f"line {number}: {message}")
        self.number = number


class MachineError(RuntimeError):
    """A program that did what a machine cannot do."""
