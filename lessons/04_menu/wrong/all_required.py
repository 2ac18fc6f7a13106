# REASON: has a default
import inspect

TYPES = {
    str: {"type": "string"},
    int: {"type": "integer"},
    bool: {"type": "boolean"},
    list[str]: {"type": "array", "items": {"type": "string"}},
}


def schema(function):
    parameters = list(inspect.signature(function).parameters.values())[1:]
    return {
        "name": function.__name__,
        "description": function.__doc__,
        "parameters": {
            "type": "object",
            "properties": {each.name: TYPES[each.annotation] for each in parameters},
            "required": [each.name for each in parameters],
        },
    }
