from .render import Template, render

__all__ = ["Template", "render"]
