# REASON: items
"""Lesson 4: a schema is the model's menu."""

import inspect

TYPES = {
    str: {"type": "string"},
    int: {"type": "integer"},
    bool: {"type": "boolean"},
    list[str]: {"type": "array", "items": {"type": "string"}},
}


def schema(function):
    """Describe a tool to a model, from the function's own signature and docstring."""
    parameters = list(inspect.signature(function).parameters.values())[1:]  # without root
    # Each of them has .name, .annotation (its type) and .default (inspect.Parameter.empty when there is none).
    return {
        "name": function.__name__,
        "description": function.__doc__,
        "parameters": {
            "type": "object",
            "properties": {each.name: {"type": TYPES[each.annotation]["type"]} for each in parameters},
            "required": [each.name for each in parameters if each.default is inspect.Parameter.empty],
        },
    }
