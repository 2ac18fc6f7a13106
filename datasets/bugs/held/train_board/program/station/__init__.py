from .board import Board
from .trains import Stop, Train

__all__ = ["Board", "Stop", "Train"]
