from .errors import CycleError, FormulaError
from .sheet import Sheet

__all__ = ["CycleError", "FormulaError", "Sheet"]
