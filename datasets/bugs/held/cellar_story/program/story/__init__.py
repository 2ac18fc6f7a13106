from .game import Game
from .world import load

__all__ = ["Game", "load"]
