from inspect import getfullargspec


def schema(function):
    spec = getfullargspec(function)
    names = spec.args[1:]
    with_default = names[len(names) - len(spec.defaults or ()) :]
    table = {str: "string", int: "integer", bool: "boolean"}
    described = {}
    for name in names:
        if spec.annotations[name] in table:
            described[name] = {"type": table[spec.annotations[name]]}
        else:
            described[name] = {"type": "array", "items": {"type": "string"}}
    return {
        "parameters": {
            "required": sorted(set(names) - set(with_default), key=names.index),
            "properties": described,
            "type": "object",
        },
        "description": (function.__doc__ or "").strip(),
        "name": function.__name__,
    }
