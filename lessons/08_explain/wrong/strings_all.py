# REASON: its type beside
"""Lesson 8: errors teach the model."""

import json


def explain(error, tool, arguments):
    """Say what was wrong with a call, and what would be right."""
    properties = tool["parameters"]["properties"]  # {"directory": {"type": "string"}}
    required = tool["parameters"]["required"]  # ["directory"], or an empty list
    takes = []
    for name, kind in properties.items():
        takes.append(f"{name}: string" + (" (required)" if name in required else " (optional)"))
    sent = json.dumps(arguments)[:100]
    return f"Error: {tool['name']} was not run: {error}. It takes {', '.join(takes)}. You sent {sent}"
