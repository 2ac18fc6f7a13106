"""Lesson 5: from the model's words to your function."""

import json

ROOT = "."  # the folder that the agent works in
TOOLS = {}  # name -> function; the check puts its tools in here, and so does your agent in lesson 14


def call_tool(name, raw_arguments):
    """Run the tool that a model asked for and return its text, whatever the model wrote."""
    raise NotImplementedError("look the name up in TOOLS, read the arguments with json.loads, call the tool")
