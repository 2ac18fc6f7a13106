"""The coder's tools, one a file: the schema, the function, and at the end `TOOL`, which says what there is to know.

A tool takes the working directory first (a path, or a `Root` that is already held), then what the model
sent. It returns text and never raises for anything that a model can cause: see tool.py.
"""

from functions.tool import Result, Sources, ToolError, Verdict, lines_of, must_compile

__all__ = ["Result", "Sources", "ToolError", "Verdict", "lines_of", "must_compile"]
