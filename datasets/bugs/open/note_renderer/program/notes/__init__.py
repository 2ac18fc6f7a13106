from .document import render

__all__ = ["render"]
