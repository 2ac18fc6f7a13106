"""Lesson 8: errors teach the model."""

import json


def explain(error, tool, arguments):
    """Say what was wrong with a call, and what would be right."""
    properties = tool["parameters"]["properties"]  # {"directory": {"type": "string"}}
    required = tool["parameters"]["required"]  # ["directory"], or an empty list
    raise NotImplementedError("return a text with the tool's name, the error, and each parameter with its type")
