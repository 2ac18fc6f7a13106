from .builder import Query
from .table import Table

__all__ = ["Query", "Table"]
