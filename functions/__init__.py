"""The coder's tools, one a file: the schema, the function, and at the end `TOOL`, which says what there is to know.

A tool takes the working directory first (a path, or a `Root` that is already held), then what the model
sent. It returns text and never raises for anything that a model can cause.
"""

from __future__ import annotations


class ToolError(str):
    """A failure as text: begins with "Error: ", and tells the model what to do instead."""

    __slots__ = ()

    def __new__(cls, sentence: object) -> ToolError:
        return super().__new__(cls, f"Error: {sentence}")
