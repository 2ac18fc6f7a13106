from .join import inner_join, left_join
from .reader import read_table, write_table

__all__ = ["inner_join", "left_join", "read_table", "write_table"]
