class FormulaError(ValueError):
    """A formula that cannot be read or worked out."""


class CycleError(FormulaError):
    """A cell that depends on itself."""
