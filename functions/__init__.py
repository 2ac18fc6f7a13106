"""The tools, one a file: a function and its schema, side by side."""
