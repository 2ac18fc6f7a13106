TYPES = {str: "string", int: "integer", bool: "boolean"}


def schema(function):
    """From what Python keeps of a function: its code, its annotations, its defaults."""
    code = function.__code__
    names = code.co_varnames[1 : code.co_argcount]
    properties = {}
    for name in names:
        kind = function.__annotations__[name]
        properties[name] = {"type": TYPES[kind]} if kind in TYPES else {"type": "array", "items": {"type": "string"}}
    needed = len(names) - len(function.__defaults__ or ())
    parameters = {"type": "object", "properties": properties, "required": list(names[:needed])}
    return {"name": function.__name__, "description": (function.__doc__ or "").strip(), "parameters": parameters}
