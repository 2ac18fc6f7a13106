from .explore import reachable, walk_length
from .grid import Maze

__all__ = ["Maze", "reachable", "walk_length"]
